"""The unit and the axes of an FBX."""

from __future__ import annotations

from .._notes import Notes
from .._space import Space
from ..axes import Axes, axes_of
from ..units import unit_factor, unit_name
from ._scene import Scene


def space_of(scene: Scene, notes: Notes, unit: str | float | None, up: str | None) -> Space:
    """The file's own unit and axes, or those that were asked for."""
    if unit is None:
        metres = scene.metres
        notes.guess(f"lengths are in {unit_name(metres)}, as the file says")
    else:
        metres = unit_factor(unit)
        notes.guess(
            f"lengths are taken as {unit_name(metres)}, as asked; the file says {unit_name(scene.metres)}"
        )
    if up is not None:
        axes = axes_of(up)
        notes.guess(f"{axes.up.upper()} is taken as up, as asked")
        return Space(metres, axes)
    found = _own_axes(scene.axes)
    if found is None:
        notes.warn("its axes do not say which way is right, up and front; Y is taken as up")
        return Space(metres, axes_of("y"))
    if found.up != "y" or found.mirrored:
        hand = "left-handed with " if found.mirrored else ""
        mirror = " and mirrored" if found.mirrored else ""
        notes.guess(
            f"the file's world is {hand}{found.up.upper()} up; the figure is turned{mirror} so that Y is up"
        )
    return Space(metres, found)


def _own_axes(axes: tuple[int, int, int]) -> Axes | None:
    """Ours are right, up and front of the file; None where these are not three different ones."""
    if sorted(a // 2 for a in axes) != [0, 1, 2]:
        return None
    source = (axes[0] // 2, axes[1] // 2, axes[2] // 2)
    sign = (1.0 - 2.0 * (axes[0] % 2), 1.0 - 2.0 * (axes[1] % 2), 1.0 - 2.0 * (axes[2] % 2))
    up = ("-" if sign[1] < 0 else "") + "xyz"[source[1]]
    return Axes(up, source, sign)
