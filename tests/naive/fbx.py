"""Nodes of an FBX and where they stand, by 4 × 4 matrices one after the other, as the format's maker writes
them down: T Roff Rp Rpre R Rpost⁻¹ Rp⁻¹ Soff Sp S Sp⁻¹, and three ways of handing scale on to children."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .rotations import matrix_about

ORDERS = ("XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX")
"""Axes in the order in which they are turned about, all of them fixed; the file numbers them so."""

Vector = tuple[float, float, float]
ZERO: Vector = (0.0, 0.0, 0.0)


@dataclass
class PlainNode:
    name: str
    parent: int = -1
    kind: str = "LimbNode"
    translation: Vector = ZERO
    rotation: Vector = ZERO  # degrees
    scale: Vector = (1.0, 1.0, 1.0)
    order: str = "XYZ"
    pre: Vector = ZERO
    post: Vector = ZERO
    rotation_offset: Vector = ZERO
    rotation_pivot: Vector = ZERO
    scaling_offset: Vector = ZERO
    scaling_pivot: Vector = ZERO
    inherit: int = 1  # 0 is RrSs, 1 RSrs, 2 Rrs
    keys: dict[str, list[Vector]] = field(default_factory=dict)
    """Values of T, R or S in every frame, in place of the node's own."""

    def value(self, letter: str, frame: int | None) -> Vector:
        own = {"T": self.translation, "R": self.rotation, "S": self.scale}[letter]
        return own if frame is None or letter not in self.keys else self.keys[letter][frame]


def worlds(nodes: list[PlainNode], frame: int | None) -> list[np.ndarray]:
    """(4, 4) where every node stands in a frame, in the file's unit and axes; None is without animation."""
    placed: list[np.ndarray] = []
    turns: list[np.ndarray] = []  # the global rotation
    scales: list[np.ndarray] = []  # what is global besides it
    for node in nodes:
        rotation = _turn(node.pre, "XYZ") @ _turn(node.value("R", frame), node.order)
        rotation = rotation @ np.linalg.inv(_turn(node.post, "XYZ"))
        scale = _scale(node.value("S", frame))
        turned = _about(node.rotation_pivot, rotation)
        scaled = _about(node.scaling_pivot, scale)
        local = _move(node.value("T", frame)) @ _move(node.rotation_offset) @ turned
        local = local @ _move(node.scaling_offset) @ scaled
        if node.parent < 0:
            above, turn, stretch, own = np.eye(4), np.eye(4), np.eye(4), np.eye(4)
        else:
            above, turn, stretch = placed[node.parent], turns[node.parent], scales[node.parent]
            own = _scale(nodes[node.parent].value("S", frame))
        whole = {
            0: turn @ rotation @ stretch @ scale,
            1: turn @ stretch @ rotation @ scale,
            2: turn @ rotation @ stretch @ np.linalg.inv(own) @ scale,
        }[node.inherit]
        turns.append(turn @ rotation)
        scales.append(np.linalg.inv(turns[-1]) @ whole)
        place = whole.copy()
        place[:3, 3] = (above @ local)[:3, 3]
        placed.append(place)
    return placed


def positions(nodes: list[PlainNode], frames: int) -> np.ndarray:
    """(F, N, 3) in the file's unit and axes."""
    return np.array([[world[:3, 3] for world in worlds(nodes, frame)] for frame in range(frames)])


def _turn(degrees: Vector, order: str) -> np.ndarray:
    out = np.eye(4)
    for letter in order:  # each about an axis that stays: from the left
        axis = "XYZ".index(letter)
        out[:3, :3] = matrix_about(axis, np.radians(degrees[axis])) @ out[:3, :3]
    return out


def _move(by: Vector) -> np.ndarray:
    out = np.eye(4)
    out[:3, 3] = by
    return out


def _about(pivot: Vector, what: np.ndarray) -> np.ndarray:
    return np.asarray(_move(pivot) @ what @ np.linalg.inv(_move(pivot)))


def _scale(by: Vector) -> np.ndarray:
    return np.diag([*by, 1.0])
