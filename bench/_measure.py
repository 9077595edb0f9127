"""Careful timing: rivals take turns, so that whatever the machine does meets all of them alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median, quantiles

# A sample shorter than this is repeated until it is as long, so that what the one before it left in
# caches and allocators, clocks and interrupts, weighs little.
LEAST_SAMPLE_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Timing:
    """How long one unit of work took, in seconds, over all rounds."""

    median: float
    low: float
    """Lower quartile."""
    high: float
    """Upper quartile."""
    rounds: int


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: the same work done by Marotte and by a rival."""

    task: str
    rival: str
    """Who, and with what entry point."""
    unit: str
    """Of one unit of work, such as "joint" or "file"."""
    ours: Timing
    theirs: Timing
    ratio: float
    """How many times longer the rival took: median over rounds of theirs / ours."""
    note: str = ""


def _repeats(work: Callable[[], object]) -> int:
    """How often to call it for one sample."""
    work()
    started = time.perf_counter()
    work()
    once = time.perf_counter() - started
    return max(1, round(LEAST_SAMPLE_SECONDS / max(once, 1e-9)))


def samples(
    contestants: Mapping[str, Callable[[], object]], *, rounds: int = 21, units: float = 1.0
) -> dict[str, list[float]]:
    """Seconds a unit of work, for every contestant in every round.

    units is how many units one call does. In each round every contestant has its turn, and the
    order changes from round to round, so that none is always first or always after the same one.
    """
    repeats = {name: _repeats(work) for name, work in contestants.items()}
    names = list(contestants)
    found: dict[str, list[float]] = {name: [] for name in names}
    collects = gc.isenabled()
    gc.disable()
    try:
        for number in range(rounds):
            turn = number % len(names)
            for name in names[turn:] + names[:turn]:
                work, count = contestants[name], repeats[name]
                started = time.perf_counter()
                for _ in range(count):
                    work()
                elapsed = time.perf_counter() - started
                found[name].append(elapsed / count / units)
            gc.collect()
    finally:
        if collects:
            gc.enable()
    return found


def timing(seconds: list[float]) -> Timing:
    low, _, high = quantiles(seconds, n=4)
    return Timing(median=median(seconds), low=low, high=high, rounds=len(seconds))


def compare(
    task: str, *, unit: str, rival: str, ours: list[float], theirs: list[float], note: str = ""
) -> Row:
    """A row from the samples of the same rounds."""
    ratios = [other / own for own, other in zip(ours, theirs, strict=True)]
    return Row(
        task=task,
        rival=rival,
        unit=unit,
        ours=timing(ours),
        theirs=timing(theirs),
        ratio=median(ratios),
        note=note,
    )


def in_words(seconds: float) -> str:
    """A duration with the unit that suits it."""
    for scale, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {name}"
    return f"{seconds / 1e-9:.3g} ns"
