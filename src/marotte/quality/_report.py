"""Reports: all measures of a motion, or of two side by side."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..errors import InputError
from ..figure import Motion, Scene
from . import measures


@dataclass(frozen=True, slots=True)
class Measure:
    """A number in a report: what it is called, its unit and what it means."""

    name: str
    unit: str
    meaning: str


MEASURES: tuple[Measure, ...] = (
    Measure("skate_mean", "m/s", "mean speed of planted feet"),
    Measure("skate_fraction", "%", "planted steps faster than 1 cm/s"),
    Measure("penetration_deepest", "m", "deepest point below ground"),
    Measure("penetration_fraction", "%", "frames with something more than 1 cm below ground"),
    Measure("jerk_rms", "m/s³", "abruptness: root mean square of third differences"),
    Measure("jerk_greatest", "m/s³", "greatest jerk of any joint"),
    Measure("bone_change", "%", "greatest change of a bone's length"),
    Measure("limit_fraction", "%", "frames with a joint past its limits"),
    Measure("limit_greatest", "deg", "greatest angle past a limit"),
    Measure("pose_rotation", "deg", "mean turn of joints against before"),
    Measure("pose_position", "m", "mean distance of joints from before"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One measure before and after; NaN where it has no meaning for a take."""

    measure: Measure
    before: float | None
    after: float


@dataclass(frozen=True, slots=True)
class Report:
    """All measures, ready to be printed or read by a script."""

    before: str | None
    after: str
    rows: tuple[Row, ...]

    def __getitem__(self, name: str) -> Row:
        for row in self.rows:
            if row.measure.name == name:
                return row
        raise KeyError(name)

    def to_dict(self) -> dict[str, object]:
        """Plain values; measures without meaning are None, shares are percent."""

        def value(x: float | None) -> float | None:
            return None if x is None or math.isnan(x) else x

        return {
            "before": self.before,
            "after": self.after,
            "measures": [
                {
                    "name": row.measure.name,
                    "unit": row.measure.unit,
                    "before": value(row.before),
                    "after": value(row.after),
                }
                for row in self.rows
            ],
        }

    def __str__(self) -> str:
        lines = []
        for row in self.rows:
            cells = [row.after] if row.before is None else [row.before, row.after]
            numbers = " → ".join("–" if math.isnan(x) else f"{x:.4g}" for x in cells)
            lines.append(f"{row.measure.meaning:55s} {numbers} {row.measure.unit}")
        return "\n".join(lines)


def report(*, after: Motion, before: Motion | None = None, scene: Scene | None = None) -> Report:
    """Measure a motion, or the same take before and after an edit.

    Pose change is left out (NaN) where the two have different joints or lengths.
    """
    second = _values(after, scene)
    first = None if before is None else _values(before, scene)
    if before is not None:
        try:
            change = measures.pose_change(before, after)
            second["pose_rotation"], second["pose_position"] = change.rotation, change.position
        except InputError:
            pass  # different figures or lengths: there is no such change to speak of
    return Report(
        None if before is None else before.name or "before",
        after.name or "after",
        tuple(
            Row(
                m,
                None if first is None else first.get(m.name, math.nan),
                second.get(m.name, math.nan),
            )
            for m in MEASURES
        ),
    )


def _values(motion: Motion, scene: Scene | None) -> dict[str, float]:
    skate = measures.foot_skate(motion, scene=scene)
    sunk = measures.penetration(motion, scene=scene)
    shaken = measures.jerk(motion)
    limits = measures.limit_violations(motion)
    return {
        "skate_mean": skate.mean_speed,
        "skate_fraction": 100 * skate.fraction,
        "penetration_deepest": sunk.deepest,
        "penetration_fraction": 100 * sunk.fraction,
        "jerk_rms": shaken.rms,
        "jerk_greatest": shaken.greatest,
        "bone_change": 100 * measures.bone_change(motion).greatest,
        "limit_fraction": 100 * limits.fraction,
        "limit_greatest": limits.greatest,
    }
