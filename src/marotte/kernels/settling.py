"""Limbs at their goals: the pose that the closed form gives, and the solver that moves nothing else."""

from __future__ import annotations

import math

import numpy as np

from .compiling import FLOAT, IN1, IN2, IN3, INT, INTS1, INTS2, OUT2, OUT3, inline, kernel
from .cost import REACHED, SLACK, objective, row_weights
from .goals import GOALS, TREE, displacement, evaluate, place, point_of
from .limb import LIMBS, reach, turn_end
from .limits import LIMITS, hold
from .quaternions import rotate

ON_DEMAND = True  # see compiling.all_kernels
# Of its length a limb is stretched no further than this in the first guess.
_EASY, _ROUNDS = 0.985, 12


@inline
def _settle(
    tree,
    goals,
    f,
    limbs,
    served,
    i,
    root,
    rotations,
    positions,
    orientations,
    swivel,
    e0,
    o1,
    o2,
    goal,
    facts,
):
    """Bring limb i of `served` to its goals; positions and orientations are those of the trunk."""
    limb, g, t = served[i, 0], served[i, 1], served[i, 2]
    r = limbs.root[limb]
    p = tree.parents[r]
    px, py, pz = rotate(
        orientations[p, 0], orientations[p, 1], orientations[p, 2], orientations[p, 3],
        tree.offsets[r, 0], tree.offsets[r, 1], tree.offsets[r, 2],
    )  # fmt: skip
    at = (positions[p, 0] + px, positions[p, 1] + py, positions[p, 2] + pz)
    ox, oy, oz = goals.offset[g, 0], goals.offset[g, 1], goals.offset[g, 2]
    goal[0], goal[1], goal[2] = goals.target[f, g, 0], goals.target[f, g, 1], goals.target[f, g, 2]
    turned = t >= 0 and goals.weight[f, t] > 0.0
    if turned:
        vx, vy, vz = rotate(
            goals.target[f, t, 0], goals.target[f, t, 1], goals.target[f, t, 2], goals.target[f, t, 3],
            ox, oy, oz,
        )  # fmt: skip
        goal[0] -= vx
        goal[1] -= vy
        goal[2] -= vz
        ox, oy, oz = 0.0, 0.0, 0.0
    reach(tree, limbs, limb, rotations, orientations[p], at, goal, ox, oy, oz, swivel, e0, o1, o2, facts)
    if turned:
        turn_end(
            tree, limbs, limb, rotations, orientations[p],
            goals.target[f, t, 0], goals.target[f, t, 1], goals.target[f, t, 2], goals.target[f, t, 3],
        )  # fmt: skip


@inline
def settled_pose(
    tree,
    goals,
    f,
    limbs,
    served,
    root,
    rotations,
    positions,
    orientations,
    step,
    scale,
    swivels,
    e0,
    o1,
    o2,
    goal,
    facts,
):
    """Limbs to their goals and everything to its place in the world."""
    place(tree, root, rotations, positions, orientations)
    for i in range(served.shape[0]):
        if goals.weight[f, served[i, 1]] > 0.0:
            swivel = scale * step[swivels + i]
            _settle(
                tree, goals, f, limbs, served, i, root, rotations, positions, orientations, swivel,
                e0, o1, o2, goal, facts[i],
            )  # fmt: skip
    place(tree, root, rotations, positions, orientations)


@inline
def first_guess(tree, trunk, goals, f, limbs, served, root, rotations, positions, orientations, ends, goal):
    """The first guess: the root by the mean of what the ends must move (SLSG01 eq. 16), then, limb
    by limb, to where none is stretched. From beyond reach nothing tells how far a hinge should bend.
    """
    if trunk.place == 0:
        return
    place(tree, root, rotations, positions, orientations)
    x, y, z, total = 0.0, 0.0, 0.0, 0.0
    for i in range(served.shape[0]):
        g, t, r = served[i, 1], served[i, 2], limbs.root[served[i, 0]]
        weight = goals.weight[f, g]
        if weight == 0.0:
            continue
        px, py, pz = point_of(positions, orientations, goals.joint[g], goals.offset[g])
        for k in range(3):
            goal[k] = goals.target[f, g, k]
        x += weight * (goal[0] - px)
        y += weight * (goal[1] - py)
        z += weight * (goal[2] - pz)
        total += weight
        ox, oy, oz = goals.offset[g, 0], goals.offset[g, 1], goals.offset[g, 2]
        if t >= 0 and goals.weight[f, t] > 0.0:
            ox, oy, oz = rotate(
                goals.target[f, t, 0], goals.target[f, t, 1], goals.target[f, t, 2],
                goals.target[f, t, 3], ox, oy, oz,
            )  # fmt: skip
        else:
            e = goals.joint[g]
            ox, oy, oz = px - positions[e, 0], py - positions[e, 1], pz - positions[e, 2]
        # where the root joint of the limb may be: in a ball about this
        ends[i, 0] = goal[0] - ox - positions[r, 0]
        ends[i, 1] = goal[1] - oy - positions[r, 1]
        ends[i, 2] = goal[2] - oz - positions[r, 2]
    if total == 0.0:
        return
    x, y, z = x / total, y / total, z / total
    for _ in range(_ROUNDS):
        inside = True
        for i in range(served.shape[0]):
            if goals.weight[f, served[i, 1]] == 0.0:
                continue
            dx, dy, dz = ends[i, 0] - x, ends[i, 1] - y, ends[i, 2] - z
            away = math.sqrt(dx * dx + dy * dy + dz * dz)
            over = away - _EASY * limbs.most[served[i, 0]]
            if over > 0.0:
                inside = False
                s = over / away
                x += s * dx
                y += s * dy
                z += s * dz
        if inside:
            break
    root[0] += x
    root[1] += y
    root[2] += z


@kernel(
    TREE, LIMITS, GOALS, LIMBS, INTS2, IN1, FLOAT, FLOAT, IN2, IN3, OUT2, OUT3, OUT2, OUT2, INTS1, INT,
    INT,
)  # fmt: skip
def limbs_frames(
    tree, limits, goals, limbs, served, rigidity, place_unit, turn_unit, root0, rotations0, root,
    rotations, residuals, facts, frames, first, stop,
):  # fmt: skip
    """Only the limbs of frames[first:stop] go to their goals; see solve_frames for the arguments."""
    joints, rows = tree.parents.shape[0], goals.rows
    positions, orientations = np.empty((joints, 3)), np.empty((joints, 4))
    axes, m, jacobian = np.empty((1, 3)), np.empty((3, 3)), np.empty((1, 1))
    residual, weights, x = np.empty(rows), np.empty(rows), np.empty(tree.total)
    e0, o1, o2, goal = np.empty(4), np.empty(3), np.empty(3), np.empty(3)
    limb_facts, step = np.empty((max(1, served.shape[0]), 6)), np.zeros(max(1, served.shape[0]))
    for at in range(first, stop):
        f = frames[at]
        settled_pose(
            tree, goals, f, limbs, served, root[f], rotations[f], positions, orientations, step, 0.0, 0,
            e0, o1, o2, goal, limb_facts,
        )  # fmt: skip
        pressed = hold(limits, rotations[f], SLACK)
        if pressed > 0:
            place(tree, root[f], rotations[f], positions, orientations)
        evaluate(tree, goals, f, positions, orientations, rotations[f], axes, m, residual, jacobian, False)
        displacement(tree, root[f], rotations[f], root0[f], rotations0[f], x)
        row_weights(goals, f, place_unit, turn_unit, weights)
        facts[f, 0], facts[f, 1], facts[f, 2] = 1.0, objective(rigidity, x, weights, residual), REACHED
        facts[f, 3] = pressed
        for r in range(rows):
            residuals[f, r] = residual[r]
