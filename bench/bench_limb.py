"""One limb in closed form: a hand to another place, frame after frame of a walk, one thread.

The rival is the same law of cosines and shortest arc, written for all frames at once in NumPy.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from bench._measure import Row, compare, samples
from marotte import samples as takes
from marotte.figure import Motion
from marotte.figure.rotations import between, exp, inverse, multiply, rotate
from marotte.kernels import limb as kernels
from marotte.kinematics.limb import limb_table
from marotte.kinematics.problem import freedoms

NAME = "One limb in closed form, one thread"
LIMB = 2  # of the rig's

Floats = NDArray[np.float64]
_reach: Any = kernels.reach


@numba.njit(nogil=True, error_model="numpy")
def _all_frames(  # type: ignore[no-untyped-def]  # a kernel: its types are those it is called with
    tree, limbs, i, rotations, parents, roots, places, e0, o1, o2, facts
):
    for f in range(len(rotations)):
        _reach(
            tree, limbs, i, rotations[f], parents[f], roots[f], places[f], 0.0, 0.0, 0.0, 0.0, e0, o1,
            o2, facts,
        )  # fmt: skip


def _in_numpy(motion: Motion, rotations: Floats, parents: Floats, roots: Floats, places: Floats) -> Floats:
    limb, offsets = motion.rig.limbs[LIMB], motion.skeleton.offsets
    upper, lower, axis = offsets[limb.hinge], offsets[limb.end], np.array(limb.hinge_axis)
    out = np.array(rotations)
    way = places - roots
    length = np.linalg.norm(way, axis=1)
    # the bones without their parts along the hinge's axis (LS99 eq. 7)
    back = rotate(inverse(out[:, limb.hinge]), -upper)
    back_along, ahead_along = back @ axis, lower @ axis
    u, v = back - back_along[:, None] * axis, lower - ahead_along * axis
    r1, r2 = np.linalg.norm(u, axis=1), np.linalg.norm(v)
    cosine = ((back_along - ahead_along) ** 2 + r1**2 + r2**2 - length**2) / (2.0 * r1 * r2)
    bend = np.arccos(np.clip(cosine, -1.0, np.cos(np.radians(20.0))))
    now = np.arctan2(np.cross(u, v) @ axis, u @ v)
    out[:, limb.hinge] = multiply(out[:, limb.hinge], exp((-bend - now)[:, None] * axis))
    world = multiply(parents, out[:, limb.root])
    end = rotate(world, upper + rotate(out[:, limb.hinge], lower))
    world = multiply(between(end, way), world)
    out[:, limb.root] = multiply(inverse(parents), world)
    return out


def run(rounds: int) -> list[Row]:
    motion = takes.walk(seconds=60.0, frame_rate=60)
    limb = motion.rig.limbs[LIMB]
    at, turned = motion.world()
    parents = np.ascontiguousarray(turned[:, motion.skeleton.parents[limb.root]])
    roots = np.ascontiguousarray(at[:, limb.root])
    places = at[:, limb.end] + np.array([0.02, 0.03, 0.01])
    tree, table = freedoms(motion.skeleton, motion.rig), limb_table(motion.skeleton, motion.rig)
    rotations = np.array(motion.rotations)
    e0, o1, o2, facts = np.empty(4), np.empty(3), np.empty(3), np.empty(6)

    def ours() -> None:
        rotations[:, [limb.root, limb.hinge]] = motion.rotations[:, [limb.root, limb.hinge]]
        _all_frames(tree, table, LIMB, rotations, parents, roots, places, e0, o1, o2, facts)

    ours()
    theirs = _in_numpy(motion, motion.rotations, parents, roots, places)
    if (
        np.abs(
            motion.with_(rotations=rotations).positions() - motion.with_(rotations=theirs).positions()
        ).max()
        > 1e-9
    ):
        raise SystemExit("the two closed forms put the limb to different places")
    found = samples(
        {"ours": ours, "numpy": lambda: _in_numpy(motion, motion.rotations, parents, roots, places)},
        rounds=rounds,
        units=len(motion),
    )
    return [
        compare(
            "limb to a place", unit="limb", rival="the same in NumPy, all frames at once",
            ours=found["ours"], theirs=found["numpy"],
        )
    ]  # fmt: skip
