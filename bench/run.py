"""Run the benchmarks and print what came out.

python -m bench.run [NAME ...] [--json] [--rounds N]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from dataclasses import asdict
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bench._measure import Row, in_words

# One thread for everybody: these compare work, not cores.
THREAD_SETTINGS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
PACKAGES = (
    "marotte",
    "numpy",
    "numba",
    "upc-pymotion",
    "pin",
    "mink",
    "mujoco",
    "tslearn",
    "librosa",
    "dtaidistance",
    "PyWavelets",
    "scipy",
)


def processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def circumstances() -> dict[str, str]:
    """What the figures depend on."""
    found = {"processor": processor(), "system": platform.platform(), "python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def table(rows: list[Row]) -> str:
    """Rows as aligned text."""
    lines = [("task", "unit", "Marotte", "rival", "", "ratio")]
    for row in rows:
        lines.append(
            (row.task, row.unit, in_words(row.ours.median), in_words(row.theirs.median), row.rival,
             f"{row.ratio:.1f}x")
        )  # fmt: skip
    widths = [max(len(line[column]) for line in lines) for column in range(6)]
    text = []
    for line in lines:
        cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
        text.append("  ".join(cells).rstrip())
    notes = dict.fromkeys(row.note for row in rows if row.note)
    return "\n".join([*text, *notes])


def main() -> int:
    folder = Path(__file__).parent
    modules = {path.stem.removeprefix("bench_"): path.stem for path in sorted(folder.glob("bench_*.py"))}
    parser = argparse.ArgumentParser(prog="python -m bench.run", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"which of: {', '.join(modules)}; default all"
    )
    parser.add_argument("--json", action="store_true", help="print numbers only, seconds a unit")
    parser.add_argument("--rounds", type=int, default=21, help="turns that everybody takes (default 21)")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.names) - set(modules))
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there are {', '.join(modules)}")
    if arguments.rounds < 2:
        parser.error("--rounds must be at least 2: quartiles need two samples")

    # Libraries read these when they are imported, which only the benchmarks' own modules do.
    os.environ.update(dict.fromkeys(THREAD_SETTINGS, "1"))
    facts = circumstances()
    results: dict[str, list[Row]] = {}
    if not arguments.json:
        print("\n".join(f"{name:13} {value}" for name, value in facts.items()))
    for name in arguments.names or modules:
        module = import_module(f"bench.{modules[name]}")
        results[name] = module.run(rounds=arguments.rounds)
        if not arguments.json:
            print(f"\n{module.NAME}\n{table(results[name])}", flush=True)
    if arguments.json:
        rows = {name: [asdict(row) for row in found] for name, found in results.items()}
        json.dump({"circumstances": facts, "results": rows}, sys.stdout, indent=2)
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
