"""Poses from one figure to another: world orientations blended, turned into the other rest pose."""

from __future__ import annotations

from .compiling import IN1, IN2, IN3, INTS1, OUT3, kernel
from .quaternions import multiply, slerp


@kernel(INTS1, INTS1, INTS1, IN1, IN2, IN2, IN3, IN3, OUT3)
def carry_frames(parents, first, second, share, before, after, orientations, rotations, out):
    """World orientations out (F, T, 4) of T joints, from a figure's world orientations (F, S, 4).

    Joints T have parents, first and second (T,) in S or -1, share (T,), before and after (T, 4).
    Where second >= 0, a joint is orientations[first] · after, blended by `share` with
    orientations[second] · before. Where second is -1, it keeps before · rotations[first] · after
    against its parent, and with first -1 it keeps to its parent. `rotations` (F, S, 4) are local.
    """
    for f in range(out.shape[0]):
        for j in range(parents.shape[0]):
            p = parents[j]
            a, b = first[j], second[j]
            if b >= 0:
                w, x, y, z = multiply(
                    orientations[f, a, 0], orientations[f, a, 1],
                    orientations[f, a, 2], orientations[f, a, 3],
                    after[j, 0], after[j, 1], after[j, 2], after[j, 3],
                )  # fmt: skip
                if share[j] > 0.0:
                    bw, bx, by, bz = multiply(
                        orientations[f, b, 0], orientations[f, b, 1],
                        orientations[f, b, 2], orientations[f, b, 3],
                        before[j, 0], before[j, 1], before[j, 2], before[j, 3],
                    )  # fmt: skip
                    w, x, y, z = slerp(w, x, y, z, bw, bx, by, bz, share[j])
            else:
                w, x, y, z = 1.0, 0.0, 0.0, 0.0
                if a >= 0:
                    w, x, y, z = multiply(
                        before[j, 0], before[j, 1], before[j, 2], before[j, 3],
                        rotations[f, a, 0], rotations[f, a, 1], rotations[f, a, 2], rotations[f, a, 3],
                    )  # fmt: skip
                    w, x, y, z = multiply(w, x, y, z, after[j, 0], after[j, 1], after[j, 2], after[j, 3])
                if p >= 0:
                    w, x, y, z = multiply(out[f, p, 0], out[f, p, 1], out[f, p, 2], out[f, p, 3], w, x, y, z)
            out[f, j, 0], out[f, j, 1] = w, x
            out[f, j, 2], out[f, j, 3] = y, z
