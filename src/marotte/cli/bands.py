"""marotte bands"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import UnknownNameError
from ._console import print_json, print_table
from ._formats import Reading, reading_options
from ._takes import A_FILE

if TYPE_CHECKING:
    from ..figure import Motion
    from ..signals import BandEnergy

_SHOWN = 12  # joints, and those that have a peak of their own


@click.command()
@click.argument("file", metavar="FILE", type=A_FILE)
@reading_options
@click.option(
    "--by", metavar="BAND|NAME", help="Sort joints by one band (0 is the finest) or high, middle, low."
)
@click.option("--all", "every", is_flag=True, help="List every joint.")
@click.option("--json", is_flag=True, help="Print for a script.")
def bands(file: Path, reading: Reading, by: str | None, every: bool, json: bool) -> None:
    """Show in which frequencies each joint moves: where a knock, a tremor or noise lives.

    Degrees, root of the mean square, strongest joints first; then those that have a second peak,
    which is seldom part of the movement. The bands are those of `marotte edit equalize`.

    Example: marotte bands knock.bvh
    """
    from ..signals import band_energy

    reading.check([file])
    motion = reading.load(file)
    found = band_energy(motion)
    names = _names(motion)
    order = _sorted(found, names, by)
    if json:
        print_json(_answer(file, motion, found, names, order))
        return
    print(
        f"{file}: {len(motion)} frames at {motion.frame_rate:g} Hz make {len(names)} bands; "
        "degrees RMS in each"
    )
    shown = order if every else _told(found, order)
    rows = [[found.joints[j], *(_cell(v) for v in found.rms[j]), _peaks(found, j)] for j in shown]
    numbered = ["band", *(str(k) for k in range(len(names))), ""]
    called = ["", *names, ""]
    headers = ["Hz", *(f"{low:.2g}–{high:.2g}" for low, high in found.edges), "most"]
    print_table(headers, [numbered, called, *rows], right=tuple(range(1, len(headers) - 1)))
    if len(shown) < len(found.joints):
        print(f"and {len(found.joints) - len(shown)} joints more (--all)")


def _names(motion: Motion) -> list[str]:
    """What each band is called."""
    from ..signals import named_bands

    named = named_bands(len(motion), motion.frame_rate)
    return [name for name, group in named.items() for _ in group]


def _sorted(found: BandEnergy, names: list[str], by: str | None) -> list[int]:
    """Joints, strongest first."""
    if by is None:
        strength = found.total
    else:
        chosen = [k for k, name in enumerate(names) if by in (name, str(k))]
        if not chosen:
            raise UnknownNameError("band", by, (*dict.fromkeys(names), *map(str, range(len(names)))))
        strength = (found.rms[:, chosen] ** 2).sum(axis=1)
    return sorted(range(len(found.joints)), key=lambda j: -strength[j])


def _told(found: BandEnergy, order: list[int]) -> list[int]:
    """The strongest joints, and all that have a second peak."""
    return [j for n, j in enumerate(order) if n < _SHOWN or len(found.peaks(j)) > 1]


def _cell(value: float) -> str:
    return f"{value:.2f}" if value >= 0.005 else "·"


def _peaks(found: BandEnergy, joint: int) -> str:
    """Where a joint has most, and when, in words."""
    return ", ".join(
        f"{found.edges[k, 0]:.2g}–{found.edges[k, 1]:.2g} Hz at {found.times[joint, k]:.2f} s"
        for k in found.peaks(joint)
    )


def _answer(
    file: Path, motion: Motion, found: BandEnergy, names: list[str], order: list[int]
) -> dict[str, Any]:
    return {
        "path": str(file),
        "frames": len(motion),
        "frame_rate": motion.frame_rate,
        "unit": "degrees RMS",
        "bands": [
            {"band": k, "name": names[k], "lowest": float(low), "highest": float(high)}
            for k, (low, high) in enumerate(found.edges)
        ],
        "joints": [
            {
                "joint": found.joints[j],
                "role": motion.rig.role_of(j),
                "rms": [float(v) for v in found.rms[j]],
                "times": [float(v) for v in found.times[j]],
                "peaks": list(found.peaks(j)),
            }
            for j in order
        ],
    }
