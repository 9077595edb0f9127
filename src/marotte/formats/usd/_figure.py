"""Which skeleton and which animation of a stage are read, and how the joints of one follow the other."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from ...errors import FileError
from .._clips import Clip, choose_clip
from .._notes import Notes
from .._tree import listed, main_tree, tree_order
from ._stage import FileAnimation, FileSkeleton, Stage


@dataclass(frozen=True, slots=True)
class Figure:
    """Joints of a skeleton, parents first."""

    skeleton: FileSkeleton
    animation: FileAnimation | None
    clip: Clip | None
    joints: tuple[int, ...]
    """Index in the file's skeleton; -1 for the skeleton itself, as the root of several trees."""
    parents: tuple[int, ...]
    """Index into `joints`; -1 for the root."""
    tracks: tuple[int, ...]
    """Index in the animation; -1 for joints that it does not move."""

    def names(self) -> list[str]:
        own = self.skeleton.path.rpartition("/")[2]
        return [self.skeleton.names[j] if j >= 0 else own for j in self.joints]


def choose_figure(stage: Stage, clip: int | str | None, notes: Notes) -> Figure:
    """The skeleton that is moved most, or that the wanted clip moves."""
    if not stage.skeletons:
        more = ", only animations of one" if stage.animations else ""
        raise FileError(f"must hold a skeleton (UsdSkel) with joints, but has none{more}", path=notes.path)
    clips = stage.clips()
    wanted = choose_clip(clips, clip, notes) if clip is not None else None
    if wanted is not None:
        animation = stage.animations[wanted.index]
        skeleton = max(
            stage.skeletons, key=lambda s: (s.follows == animation.path, _shared(s, animation), len(s.joints))
        )
        return _figure(skeleton, animation, wanted, notes)
    by_path = {animation.path: animation for animation in stage.animations}

    def moved(skeleton: FileSkeleton) -> tuple[bool, int]:
        animation = by_path.get(skeleton.follows)
        return animation is not None and len(animation.times) > 1, len(skeleton.joints)

    skeleton = max(stage.skeletons, key=moved)
    if len(stage.skeletons) > 1:
        others = listed([s.path for s in stage.skeletons if s is not skeleton])
        notes.guess(f"skeleton {skeleton.path!r} is read; there are also {others} (choose with clip)")
    found = by_path.get(skeleton.follows)
    if found is None and stage.animations:
        found = max(stage.animations, key=lambda a: (_shared(skeleton, a), len(a.times)))
        if _shared(skeleton, found):
            notes.guess(
                f"no animation is bound to the skeleton; {found.path!r}, which moves its joints, is taken"
            )
        else:
            found = None
    if found is None:
        return _figure(skeleton, None, None, notes)
    chosen = clips[stage.animations.index(found)]
    unread = [c.name for c in clips if c is not chosen]
    if unread:
        notes.guess(f"clip {chosen.name!r} is read; there are also {listed(unread, 12)} (choose with clip)")
    return _figure(skeleton, found, chosen, notes)


def _shared(skeleton: FileSkeleton, animation: FileAnimation) -> int:
    return len(set(skeleton.joints) & set(animation.joints))


def _figure(
    skeleton: FileSkeleton, animation: FileAnimation | None, clip: Clip | None, notes: Notes
) -> Figure:
    above = skeleton.parents()
    chosen = _joints(skeleton, above, notes)
    place = {joint: j for j, joint in enumerate(chosen)}
    parents = tuple(
        -1 if j == 0 else place.get(above[joint] if joint >= 0 else -1, 0) for j, joint in enumerate(chosen)
    )
    moving = {path: k for k, path in enumerate(animation.joints)} if animation is not None else {}
    tracks = tuple(moving.get(skeleton.joints[joint], -1) if joint >= 0 else -1 for joint in chosen)
    if animation is not None:
        _check(skeleton, animation, notes)
    return Figure(skeleton, animation, clip, tuple(chosen), parents, tracks)


def _joints(skeleton: FileSkeleton, above: list[int], notes: Notes) -> list[int]:
    """The joints of the figure: all, in the file's order where parents come first in it."""
    count = len(above)
    top: list[int] = [0] * count
    order = tree_order(above)
    for joint in order:
        top[joint] = joint if above[joint] < 0 else top[above[joint]]
    if all(parent < joint for joint, parent in enumerate(above)):
        order = list(range(count))
    trees = Counter(top)
    root, enough = main_tree(trees)
    if len(trees) > 1 and not enough:
        notes.guess(f"joints stand in {len(trees)} trees; the skeleton itself becomes their root")
        return [-1, *order]
    if len(trees) > 1:
        others = listed([skeleton.joints[t] for t in trees if t != root])
        notes.guess(
            f"joints stand in {len(trees)} trees; that of {skeleton.joints[root]!r} is read, not {others}"
        )
    return [joint for joint in order if top[joint] == root]


def _check(skeleton: FileSkeleton, animation: FileAnimation, notes: Notes) -> None:
    """Say what an animation lacks, or has too much of."""
    count = len(animation.joints)
    for size, what, instead in zip(
        animation.sizes,
        ("translations", "rotations", "scales"),
        ("those at rest", "those at rest", "1"),
        strict=True,
    ):
        if size not in (0, count):
            notes.warn(
                f"{animation.path}: has {size:,} {what} for {count:,} joints; {instead} are taken instead"
            )
        elif size == 0 and count:
            notes.guess(f"the animation has no {what}; {instead} are taken instead")
    lost = [joint for joint in animation.joints if joint not in skeleton.joints]
    if lost:
        notes.guess(f"the animation moves joints that the skeleton has not: {listed(lost)}")


def even_step(times: tuple[float, ...]) -> float | None:
    """The distance of time codes that are evenly spaced, at least three of them; None where they are not."""
    if len(times) < 3:
        return None
    steps = np.diff(np.array(times))
    step = float((times[-1] - times[0]) / (len(times) - 1))
    # time codes are often written with few digits, or computed by adding up
    return step if step > 0 and float(np.abs(steps - step).max()) <= 1e-3 * step else None
