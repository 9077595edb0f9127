"""Forward kinematics: local rotations to world positions and orientations, parents first."""

from __future__ import annotations

from .compiling import IN1, IN2, IN3, INT, INTS1, OUT2, OUT3, inline, kernel
from .quaternions import multiply, rotate


@inline
def _place_frame(parents, offsets, root, rotations, positions, orientations):
    """One frame: positions (J, 3), orientations (J, 4) of rotations (J, 4) under root (3,).

    The joint just placed stays in registers: most joints hang on the one before them.
    """
    pw, px, py, pz = rotations[0, 0], rotations[0, 1], rotations[0, 2], rotations[0, 3]
    x, y, z = root[0], root[1], root[2]
    positions[0, 0], positions[0, 1], positions[0, 2] = x, y, z
    orientations[0, 0], orientations[0, 1] = pw, px
    orientations[0, 2], orientations[0, 3] = py, pz
    for j in range(1, parents.shape[0]):
        p = parents[j]
        if p != j - 1:
            pw, px = orientations[p, 0], orientations[p, 1]
            py, pz = orientations[p, 2], orientations[p, 3]
            x, y, z = positions[p, 0], positions[p, 1], positions[p, 2]
        vx, vy, vz = rotate(pw, px, py, pz, offsets[j, 0], offsets[j, 1], offsets[j, 2])
        x += vx
        y += vy
        z += vz
        pw, px, py, pz = multiply(
            pw, px, py, pz, rotations[j, 0], rotations[j, 1], rotations[j, 2], rotations[j, 3]
        )
        positions[j, 0], positions[j, 1], positions[j, 2] = x, y, z
        orientations[j, 0], orientations[j, 1] = pw, px
        orientations[j, 2], orientations[j, 3] = py, pz


@kernel(INTS1, IN2, IN1, IN2, OUT2, OUT2)
def place_frame(parents, offsets, root, rotations, positions, orientations):
    """One frame: positions (J, 3), orientations (J, 4) of rotations (J, 4) under root (3,)."""
    _place_frame(parents, offsets, root, rotations, positions, orientations)


@kernel(INTS1, IN2, IN2, IN3, OUT3, OUT3, INT, INT)
def place_frames(parents, offsets, root, rotations, positions, orientations, first, stop):
    """Frames first to stop: positions (F, J, 3), orientations (F, J, 4) from root (F, 3)."""
    for f in range(first, stop):
        _place_frame(parents, offsets, root[f], rotations[f], positions[f], orientations[f])


@kernel(INTS1, IN2, IN3, IN2, IN3, OUT3, OUT3, INT, INT)
def place_frames_stretched(
    parents, offsets, translations, root, rotations, positions, orientations, first, stop
):
    """As place_frames, with translations (F, J, 3) added to the offsets (J, 3) frame by frame."""
    for f in range(first, stop):
        for j in range(parents.shape[0]):
            rw, rx = rotations[f, j, 0], rotations[f, j, 1]
            ry, rz = rotations[f, j, 2], rotations[f, j, 3]
            p = parents[j]
            if p < 0:
                for k in range(3):
                    positions[f, j, k] = root[f, k]
                w, x, y, z = rw, rx, ry, rz
            else:
                pw, px = orientations[f, p, 0], orientations[f, p, 1]
                py, pz = orientations[f, p, 2], orientations[f, p, 3]
                vx, vy, vz = rotate(
                    pw, px, py, pz,
                    offsets[j, 0] + translations[f, j, 0],
                    offsets[j, 1] + translations[f, j, 1],
                    offsets[j, 2] + translations[f, j, 2],
                )  # fmt: skip
                positions[f, j, 0] = positions[f, p, 0] + vx
                positions[f, j, 1] = positions[f, p, 1] + vy
                positions[f, j, 2] = positions[f, p, 2] + vz
                w, x, y, z = multiply(pw, px, py, pz, rw, rx, ry, rz)
            orientations[f, j, 0], orientations[f, j, 1] = w, x
            orientations[f, j, 2], orientations[f, j, 3] = y, z


@kernel(INTS1, IN3, OUT3)
def local_from_world(parents, orientations, rotations):
    """rotations (F, J, 4) relative to the parents = inverse of forward kinematics."""
    for f in range(orientations.shape[0]):
        for j in range(parents.shape[0]):
            w, x = orientations[f, j, 0], orientations[f, j, 1]
            y, z = orientations[f, j, 2], orientations[f, j, 3]
            p = parents[j]
            if p >= 0:
                w, x, y, z = multiply(
                    orientations[f, p, 0], -orientations[f, p, 1],
                    -orientations[f, p, 2], -orientations[f, p, 3], w, x, y, z,
                )  # fmt: skip
            rotations[f, j, 0], rotations[f, j, 1] = w, x
            rotations[f, j, 2], rotations[f, j, 3] = y, z
