"""What reading and inspecting a USD share: all that is settled before any frame is read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from ...errors import InputError
from ...figure import EndSite, FloatArray, Skeleton
from .._clips import Clip, Sampling, sample_clip
from .._notes import Notes
from .._posed import Rest, check_places
from .._space import Space, doubt_unit
from .._world import World, nearest_rotations
from ..axes import axes_of
from ..units import unit_factor, unit_name
from ._figure import Figure, choose_figure, even_step
from ._library import Library
from ._stage import Stage, read_stage

MOST_PLACES = 20_000_000
"""Joints times frames that are read: 90 joints for half an hour at 120 frames a second."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A stage's figure and what is to be read of it."""

    library: Library
    stage: Stage
    figure: Figure
    space: Space
    rest: Rest
    local: FloatArray
    """(J, 10) what counts where the animation says nothing: translation, rotation (w first), scale."""
    sampling: Sampling

    def codes(self) -> list[float]:
        """The time codes of the frames."""
        sampling = self.sampling
        times = sampling.begin + np.arange(sampling.frames) / sampling.rate
        return [float(code) for code in times * self.stage.codes]

    def skeleton(self, moved: set[int]) -> Skeleton:
        """The skeleton, with the channels and end sites that Marotte has noted down in the file."""
        figure, kept = self.figure, self.figure.skeleton.kept
        found = self.rest.skeleton(figure.names(), list(figure.parents), ["ZXY"] * len(figure.joints), moved)
        return _with_kept(found, kept, self.space)


@contextmanager
def settled(
    notes: Notes, unit: str | float | None, up: str | None, clip: str | int | None, frame_rate: float | None
) -> Iterator[Settled]:
    """Open a file and settle what it means; the library's process ends with the context."""
    with Library(notes.path) as library:
        stage = read_stage(library.description, notes.path)
        figure = choose_figure(stage, clip, notes)
        space = _space(stage, notes, unit, up)
        sampling = _sampling(stage, figure, frame_rate, notes)
        rest, local = _rest(figure, space, notes)
        check_places(rest.positions, rest.orientations, notes.path, "at rest")
        if unit is None:
            doubt_unit(float(np.ptp(rest.positions, axis=0).max()), space, notes)
        yield Settled(library, stage, figure, space, rest, local, sampling)


def _space(stage: Stage, notes: Notes, unit: str | float | None, up: str | None) -> Space:
    if unit is not None:
        metres = unit_factor(unit)
        notes.guess(
            f"lengths are taken as {unit_name(metres)}, as asked; the file says {unit_name(stage.metres)}"
        )
    else:
        metres = stage.metres
        said = "as the file says" if stage.metres_said else "as the format has it for files that do not say"
        notes.guess(f"lengths are in {unit_name(metres)}, {said}")
    axes = axes_of(stage.up if up is None else up)
    if up is not None:
        notes.guess(f"{axes.up.upper()} is taken as up, as asked")
    elif axes.up != "y":
        notes.guess(f"the stage is {axes.up.upper()} up; the figure is turned so that Y is up")
    return Space(metres, axes)


def _sampling(stage: Stage, figure: Figure, asked: float | None, notes: Notes) -> Sampling:
    """Frames where the animation has its own, where they are evenly spaced; else every time code."""
    times = sorted({*figure.skeleton.times, *(figure.animation.times if figure.animation else ())})
    clip = figure.clip
    if times:
        name = clip.name if clip else figure.skeleton.path
        begin, end = times[0] / stage.codes, times[-1] / stage.codes
        clip = replace(clip, begin=begin, end=end) if clip else Clip(0, name, begin, end, True)
    else:
        clip = None
        notes.guess("nothing is animated; the figure stands as it rests, for one frame")
    step = even_step(tuple(times))
    rate = stage.codes if step is None else stage.codes / step
    count = len(figure.joints)
    return sample_clip(clip, rate, asked, notes, most=MOST_PLACES // count, each=f"{count:,} joints")


def _rest(figure: Figure, space: Space, notes: Notes) -> tuple[Rest, FloatArray]:
    """Where the joints rest in our world, and their transforms in their parents' frames there."""
    skeleton, count = figure.skeleton, len(figure.joints)
    joints = np.array(figure.joints)
    local = np.zeros((count, 10))
    local[:, 3] = local[:, 7:] = 1.0
    at_rest = skeleton.rest
    if at_rest is not None:
        local[joints >= 0] = _parts(at_rest[joints[joints >= 0]])
    bind = skeleton.bind
    if bind is not None and at_rest is not None and _is_nothing(bind) and not _is_nothing(at_rest):
        bind = None
    world = World([-1, *(parent + 1 for parent in figure.parents)])
    world.fix(0, skeleton.place[None])
    nodes = range(1, count + 1)
    if bind is None:
        if at_rest is None:
            notes.warn("the skeleton has neither bindTransforms nor restTransforms for its joints")
        else:
            notes.guess("the rest pose is that of restTransforms; nothing is bound to the skeleton")
        for node, values in zip(nodes, local, strict=True):
            world.add(node, values[None, :3], values[None, 3:7], values[None, 7:])
    else:
        notes.guess("the rest pose is that of bindTransforms")
        whole = np.tile(np.eye(3, 4), (count, 1, 1))
        whole[joints >= 0] = bind[joints[joints >= 0]]
        for node, matrix in zip(nodes, whole, strict=True):
            world.fix(node, _after(skeleton.place, matrix)[None])
        if at_rest is None:
            local = _locals(whole, figure.parents)
    positions, turns = world.placed(nodes)
    ours = Rest(space.axes.vectors(positions[0]) * space.metres, space.axes.rotations(turns[0]))
    return ours, local


def _is_nothing(matrices: FloatArray) -> bool:
    """Whether all joints stand in one place: what some programs write where they know nothing."""
    return len(matrices) > 1 and bool(np.ptp(matrices[:, :, 3], axis=0).max() == 0)


def _after(a: FloatArray, b: FloatArray) -> FloatArray:
    """The map (3, 4) that does b, then a."""
    linear = a[:, :3]
    return np.column_stack([linear @ b[:, :3], linear @ b[:, 3] + a[:, 3]])


def _locals(whole: FloatArray, parents: tuple[int, ...]) -> FloatArray:
    """(J, 10) transforms in the parents' frames of joints that stand in the skeleton's space (J, 3, 4)."""
    rows = []
    for j, parent in enumerate(parents):
        if parent < 0:
            rows.append(whole[j])
        else:
            back = np.linalg.inv(whole[parent][:, :3])
            rows.append(
                np.column_stack([back @ whole[j][:, :3], back @ (whole[j][:, 3] - whole[parent][:, 3])])
            )
    return _parts(np.array(rows))


def _parts(matrices: FloatArray) -> FloatArray:
    """(J, 10) translations, rotations and scales of matrices (J, 3, 4); a mirror image is one along x."""
    linear = matrices[:, :, :3].copy()
    scales = np.linalg.norm(linear, axis=1)
    scales[np.linalg.det(linear) < 0, 0] *= -1.0
    return np.concatenate([matrices[:, :, 3], nearest_rotations(linear / scales[:, None, :]), scales], axis=1)


def _with_kept(skeleton: Skeleton, kept: dict[str, str], space: Space) -> Skeleton:
    """The skeleton with its own channels and end sites, where a file of ours has noted them down.

    They are believed as far as they fit: somebody else may have changed the file since.
    """
    try:
        noted = json.loads(kept.get("skeleton", "{}"))
        by_name = dict(zip(noted["names"], noted["channels"], strict=True))
        channels = [by_name.get(n, c) for n, c in zip(skeleton.names, skeleton.channels, strict=True)]
        ends = []
        for name, (x, y, z), label in noted["ends"]:
            if name in skeleton:
                offset = space.axes.vectors(np.array([x, y, z], dtype=np.float64)) * space.metres
                ends.append(EndSite(skeleton.index(name), tuple(offset.tolist()), str(label)))
        return skeleton.with_(channels=channels, ends=ends)
    except (ValueError, KeyError, TypeError, InputError):
        return skeleton
