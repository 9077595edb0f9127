"""The three angles that a joint's limit bounds, as signals over time, and the way back (see limits.py)."""

from __future__ import annotations

from .compiling import IN1, IN2, INT, INTS1, OUT2, kernel
from .limits import BOX, from_box, from_cone, limit_angles
from .quaternions import multiply

ON_DEMAND = True  # see compiling.all_kernels


@kernel(INT, INTS1, IN1, IN1, IN2, OUT2)
def angles_each(kind, order, pre, post, rotations, out):
    """out (F, 3): the bounded angles of one joint's rotations (F, 4), radians."""
    for f in range(rotations.shape[0]):
        out[f, 0], out[f, 1], out[f, 2] = limit_angles(
            kind, order, pre, post, rotations[f, 0], rotations[f, 1], rotations[f, 2], rotations[f, 3]
        )


@kernel(INT, INTS1, IN1, IN1, IN2, OUT2)
def rotations_each(kind, order, pre, post, angles, out):
    """out (F, 4): one joint's rotations with these bounded angles (F, 3), radians."""
    for f in range(angles.shape[0]):
        a, b, c = angles[f, 0], angles[f, 1], angles[f, 2]
        if kind == BOX:
            w, x, y, z = from_box(order, a, b, c)
        else:
            w, x, y, z = from_cone(a, b, c)
        w, x, y, z = multiply(pre[0], -pre[1], -pre[2], -pre[3], w, x, y, z)
        w, x, y, z = multiply(w, x, y, z, post[0], -post[1], -post[2], -post[3])
        out[f, 0], out[f, 1], out[f, 2], out[f, 3] = w, x, y, z
