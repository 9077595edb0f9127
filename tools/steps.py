"""One step of a set-up: a plain line on the screen, all that the command says in a log.

A step that fails shows the end of its log, names the file, and stops the run.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAKE = ROOT / ".make"
TAIL_LINES = 40


class StepFailed(Exception):
    """A step did not succeed; the message is for a person."""


def clean_environment(**extra: str) -> dict[str, str]:
    """This process's environment without what would make Python look elsewhere for its modules."""
    kept = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    return {**kept, **extra}


def say(text: str) -> None:
    print(text, flush=True)


def run(
    title: str, command: Sequence[str | Path], *, cwd: Path = ROOT, env: Mapping[str, str] | None = None
) -> None:
    """Run a command quietly: its title and duration are shown, its output only if it fails."""
    MAKE.mkdir(exist_ok=True)
    log = MAKE / f"{title.replace(' ', '-').replace('/', '-')}.log"
    print(f"{title} ...", end=" ", flush=True)
    started = time.perf_counter()
    with log.open("wb") as out:
        try:
            code = subprocess.run(
                [str(part) for part in command],
                cwd=cwd,
                env=clean_environment() if env is None else dict(env),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                check=False,
            ).returncode
        except OSError as problem:
            say("failed")
            raise StepFailed(f"{title}: cannot run {command[0]}: {problem.strerror}") from problem
    if code:
        say("failed")
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        for line in lines[-TAIL_LINES:]:
            say(f"    {line}")
        raise StepFailed(f"{title} failed (exit code {code}); all it said is in {log.relative_to(ROOT)}")
    say(f"{time.perf_counter() - started:.0f} s")


def digest(*parts: Path | str) -> str:
    """A fingerprint of texts and of files' contents."""
    total = hashlib.sha256()
    for part in parts:
        content = part.read_bytes() if isinstance(part, Path) else part.encode()
        total.update(len(content).to_bytes(8, "little"))
        total.update(content)
    return total.hexdigest()


def once(stamp: Path, fingerprint: str, work: Callable[[], None]) -> None:
    """Do the work unless the stamp says that it was done for just this fingerprint."""
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == fingerprint:
        return
    stamp.unlink(missing_ok=True)
    work()
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(fingerprint, encoding="utf-8")


def finish(work: Callable[[], int | None]) -> None:
    """Run a script's main function; a failed step ends it with one line and exit code 1."""
    try:
        sys.exit(work() or 0)
    except StepFailed as problem:
        print(problem, file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
