"""Limbs whose bones change length over time, brought to their goals in closed form (LS99 eq. 7).

The kernels solve figures whose bones keep their lengths. Here every frame has lengths of its own: the
hinge is bent to the distance asked, about the axis it bends about already, and the whole limb is then
turned by as little as brings its end there. All frames at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..figure import FloatArray, Limb, Motion
from ..figure._arrays import IntArray, owned
from ..figure.rotations import between, exp, inverse, multiply, rotate
from ._paths import Led

_LEAST, _MOST = 0.05, 0.9999  # of the sum of a limb's bones: how short and how long it can be


def lead_stretched(motion: Motion, led: Sequence[Led]) -> Motion:
    """The motion with ends of limbs at their places, its bones as long as they are at each frame."""
    limbs = {limb.end: limb for limb in motion.rig.limbs}
    rotations = np.array(motion.rotations)
    for part in led:
        if part.joint in limbs:
            _lead(motion, limbs[part.joint], part, rotations)
    return motion.with_(rotations=owned(rotations))


def _lead(motion: Motion, limb: Limb, part: Led, rotations: FloatArray) -> None:
    """Write the limb's rotations."""
    positions, orientations = motion.world()
    parents = motion.skeleton.parents
    root, hinge, end = (positions[:, j] for j in (limb.root, limb.hinge, limb.end))
    goal = end + part.leads[:, None] * (part.place - end)
    upper, lower = hinge - root, end - hinge
    long, short = np.linalg.norm(upper, axis=1), np.linalg.norm(lower, axis=1)
    away = np.clip(np.linalg.norm(goal - root, axis=1), _LEAST * (long + short), _MOST * (long + short))
    now = _inside(long, short, np.linalg.norm(end - root, axis=1))
    then = _inside(long, short, away)
    hinge_axis = rotate(orientations[:, limb.hinge], np.array(limb.hinge_axis))
    # turning positively bends the limb, which makes the angle inside it smaller
    bend = exp(hinge_axis * (now - then)[:, None])
    reach = upper + rotate(bend, lower)
    swing = between(reach, goal - root)
    world = {j: orientations[:, j] for j in (limb.root, limb.hinge, limb.end)}
    world[limb.root] = multiply(swing, world[limb.root])
    world[limb.hinge] = multiply(swing, multiply(bend, world[limb.hinge]))
    if part.turned is not None:
        world[limb.end] = part.turned
    chain = _down(parents, limb.root, limb.end)
    above = orientations[:, int(parents[limb.root])]
    for j in chain:
        if j in world:
            rotations[:, j] = multiply(inverse(above), world[j])
            above = world[j]
        else:  # inside a limb, joints keep to what they hang on
            above = multiply(above, rotations[:, j])
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)


def _inside(a: FloatArray, b: FloatArray, c: FloatArray) -> FloatArray:
    """(F,) the angle at the hinge between bones a and b whose ends are c apart."""
    return np.asarray(np.arccos(np.clip((a * a + b * b - c * c) / np.maximum(2 * a * b, 1e-12), -1, 1)))


def _down(parents: IntArray, top: int, below: int) -> list[int]:
    chain = [below]
    while chain[-1] != top:
        chain.append(int(parents[chain[-1]]))
    return chain[::-1]
