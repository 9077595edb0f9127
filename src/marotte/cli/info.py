"""marotte info"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click

from .. import formats
from ..errors import InputError, MarotteError
from ..figure import Rig
from ..figure.rig import FINGERS, SIDES
from ._console import complain, note, print_json, print_table, say
from ._formats import Reading, reading_options
from ._takes import A_FILE, expand, extensions

_SIDED = tuple(f"{side}_" for side in SIDES)
_CERTAIN = 0.995


@click.command()
@click.argument("files", metavar="FILE…", type=A_FILE, nargs=-1, required=True)
@reading_options
@click.option("--joints", is_flag=True, help="List every joint as well.")
@click.option(
    "--save-rig",
    metavar="NAME|FILE",
    help="Save what the joints mean: as a preset for all files with such joints, or as a .rig.yaml file.",
)
@click.option("--json", is_flag=True, help="Print for a script.")
def info(files: tuple[Path, ...], reading: Reading, joints: bool, save_rig: str | None, json: bool) -> None:
    """Say what is in a file: length, rate, skeleton, units, and the rig that was found.

    Example: marotte info walk.bvh
    """
    answers: list[dict[str, Any]] = []
    failed = False
    found = [path for path, _ in expand(files, extensions("inspector"))]
    reading.check(found)
    if save_rig is not None and len(found) != 1:
        raise InputError(f"--save-rig needs one file, but there are {len(found)}")
    for path in found:
        try:
            summary = reading.inspect(path)
        except InputError:
            raise  # the command was misused: every file would fail alike
        except MarotteError as problem:
            failed = True
            complain(str(problem))
            answers.append({"path": str(path), "error": str(problem)})
            continue
        answers.append(_answer(summary))
        if not json:
            _print(summary, joints)
        if save_rig is not None:
            say(f"rig saved to {formats.save_rig(summary.skeleton, summary.rig, save_rig)}")
    if json:
        print_json(answers)
    if failed:
        raise click.exceptions.Exit(1)


def _answer(summary: formats.Summary) -> dict[str, Any]:
    skeleton, rig = summary.skeleton, summary.rig
    return {
        "path": summary.path,
        "format": summary.format,
        "bytes": summary.size,
        "frames": summary.frames,
        "declared_frames": summary.declared_frames,
        "frame_rate": summary.frame_rate,
        "seconds": summary.seconds,
        "unit": summary.unit,
        "metres_per_unit": summary.metres_per_unit,
        "up": summary.up,
        "height": skeleton.height,
        "degrees_of_freedom": skeleton.degrees_of_freedom,
        "joints": [
            {
                "name": name,
                "parent": int(skeleton.parents[j]),
                "offset": [float(v) for v in skeleton.offsets[j]],
                "channels": skeleton.channels[j],
                "role": rig.role_of(j),
            }
            for j, name in enumerate(skeleton.names)
        ],
        "rig": {
            "confidence": round(rig.confidence, 3),
            "reasons": list(rig.reasons),
            "roles": {role: skeleton.names[j] for role, j in rig.roles.items()},
            "spine": [skeleton.names[j] for j in rig.spine],
            "evidence": {
                role: {"confidence": round(found.confidence, 3), "why": found.why}
                for role, found in rig.evidence.items()
            },
        },
        "warnings": list(summary.warnings),
        "guesses": list(summary.guesses),
    }


def _print(summary: formats.Summary, joints: bool) -> None:
    skeleton, rig = summary.skeleton, summary.rig
    rate = f"{summary.frame_rate:.6g} Hz"
    print(f"{summary.path}  ({summary.format}, {_size(summary.size)})")
    print(f"  motion    {summary.frames} frames at {rate}, {summary.seconds:.2f} s")
    print(
        f"  figure    {len(skeleton)} joints, {skeleton.degrees_of_freedom} channels, "
        f"{skeleton.height:.2f} m in its rest pose"
    )
    print(f"  unit      {summary.unit} ({summary.metres_per_unit:g} m), {summary.up.upper()} up")
    print(f"  rig       {_sureness(rig.confidence)}: {'; '.join(rig.reasons)}")
    _print_roles(skeleton.names, rig)
    for text in summary.guesses:
        note(text)
    for text in summary.warnings:
        note(f"odd: {text}")
    if joints:
        rows = [
            [
                str(j),
                name,
                skeleton.names[int(skeleton.parents[j])] if j else "",
                skeleton.channels[j],
                rig.role_of(j) or "",
            ]
            for j, name in enumerate(skeleton.names)
        ]
        print_table(["joint", "name", "parent", "channels", "role"], rows, right=(0,))
    print()


def _print_roles(names: tuple[str, ...], rig: Rig) -> None:
    """The mapping, left and right beside each other, and why where it is not certain; fingers are counted."""
    roles = rig.roles
    fingers = [r for r in roles if any(f in r for f in FINGERS)]
    shown = [r for r in roles if r not in fingers]
    rows = [[r, names[roles[r]], "", _doubt(rig, r)] for r in shown if not r.startswith(_SIDED)]
    for role in dict.fromkeys(r.split("_", 1)[1] for r in shown if r.startswith(_SIDED)):
        both = [f"{side}_{role}" for side in SIDES]
        rows.append([role, *("–" if r not in roles else names[roles[r]] for r in both), _doubt(rig, *both)])
    if rows:
        print_table(["role", "joint, left", "right", "certainty"], rows, indent=4)
    if fingers:
        print(f"    and {len(fingers)} finger joints")


def _doubt(rig: Rig, *roles: str) -> str:
    """How sure roles are, and why; nothing where they are certain by their names."""
    found = [rig.evidence[r] for r in roles if r in rig.evidence]
    if not found:
        return ""
    least = min(found, key=lambda evidence: evidence.confidence)
    if least.confidence > _CERTAIN:
        return "" if least.why in ("by name", "on the way from hips to head") else least.why
    return f"{least.confidence:.0%}, {least.why}"


def _sureness(confidence: float) -> str:
    if math.isclose(confidence, 1.0):
        return "found"
    return "not recognised" if confidence == 0 else f"partly found ({confidence:.0%})"


def _size(count: int) -> str:
    size = float(count)
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError("unreachable: the last unit always returns")
