"""All that judges the tree without running its tests. Every check runs; the first failure hides no other."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tools.steps import ROOT, clean_environment

HERE = Path(sys.executable).parent


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    command: tuple[str, ...]
    cure: str = ""


CHECKS = (
    Check("types (mypy)", (f"{HERE}/mypy", "--no-error-summary")),
    Check("documentation runs", (sys.executable, "-m", "tools.check_docs")),
    Check("rooms (import-linter)", (f"{HERE}/lint-imports", "--no-cache")),
    Check("generated TypeScript", (sys.executable, "tools/generate_protocol.py", "--check")),
    Check("reference pages", (sys.executable, "-m", "tools.generate_reference", "--check")),
    Check(
        "lint (ruff)",
        (f"{HERE}/ruff", "check", "--quiet", "--output-format=concise"),
        "`make format` mends some of it",
    ),
    Check(
        "format (ruff)",
        (f"{HERE}/ruff", "format", "--check", "--quiet", "--output-format=concise"),
        "run `make format`",
    ),
    Check("tree", (sys.executable, "-m", "tools.check_tree")),
)


def judge(check: Check) -> tuple[Check, bool, str, float]:
    started = time.perf_counter()
    env = clean_environment(NO_COLOR="1", MAROTTE_CACHE_DIR=str(ROOT / ".make" / "kernels"))
    done = subprocess.run(
        check.command,
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return check, done.returncode == 0, done.stdout, time.perf_counter() - started


def main() -> int:
    failed = False
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for check, fine, said, seconds in pool.map(judge, CHECKS):
            print(f"{check.name:24} {'ok' if fine else 'FAILED':6} {seconds:5.1f} s", flush=True)
            if not fine:
                failed = True
                for line in said.strip().splitlines():
                    print(f"    {line}")
                if check.cure:
                    print(f"    {check.cure}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
