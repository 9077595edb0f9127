"""Two hands on one club: how hands lie on a shaft, and where the shaft is in them.

A hand holds the shaft at one angle between the shaft and its own length, and lies on one side of
it; so the directions of shaft and side say how the hand lies, and the club rides on the leading hand
like one of its bones.
"""

from __future__ import annotations

import numpy as np

from ..figure import FloatArray
from ..figure.rotations import from_matrix
from ._body import sign

# Radians between a hand's length and the shaft that it holds: the right one lies more along it.
ACROSS = {"left": np.radians(55.0), "right": np.radians(52.5)}
PALM = 0.078  # metres from the wrist to where the shaft lies
LENGTH = 0.86  # metres from the leading hand down to the middle of the head: a seven iron
APART = 0.074  # metres along the shaft between the hands


def shaft_in_hand(side: str, along: float) -> FloatArray:
    """(3,) a place `along` the shaft, metres from where the hand holds it, in the hand's frame."""
    s, across = sign(side), ACROSS[side]
    return np.array([s * (PALM + along * np.cos(across)), 0.0, along * np.sin(across)])


def on_shaft(side: str, shaft: FloatArray, aside: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(F, 4) how a hand lies on a shaft, and (F, 3) from its wrist to where it holds it.

    `shaft` is a unit direction (F, 3), to the club's head; `aside` about where the arm comes from.
    """
    square = unit(aside - (aside * shaft).sum(-1, keepdims=True) * shaft)
    c, s = np.cos(ACROSS[side]), np.sin(ACROSS[side])
    length, thumb = c * shaft + s * square, s * shaft - c * square
    x = sign(side) * length
    return from_matrix(np.stack([x, np.cross(thumb, x), thumb], axis=-1)), PALM * length


def between_links(shoulder: FloatArray, head: FloatArray, arm: FloatArray, pole: FloatArray) -> FloatArray:
    """(F, 3) where the wrist is, `arm` (F,) from the shoulder, for the club's head to be where it is:
    on the side of `pole`."""
    club = float(np.linalg.norm(shaft_in_hand("left", LENGTH)))
    way = head - shoulder
    far = np.linalg.norm(way, axis=-1)
    toward = way / far[:, None]
    at_shoulder = np.arccos(np.clip((arm**2 + far**2 - club**2) / (2.0 * arm * far), -1.0, 1.0))[:, None]
    side = unit(pole - (pole * toward).sum(-1, keepdims=True) * toward)
    return np.asarray(shoulder + arm[:, None] * (np.cos(at_shoulder) * toward + np.sin(at_shoulder) * side))


def towards(way: FloatArray, aside: FloatArray) -> FloatArray:
    """(F, 3) unit direction of the shaft that brings the club's head to where `way` leads from the
    wrist, `aside` being about where the arm comes from."""
    way = unit(way)
    square = unit(aside - (aside * way).sum(-1, keepdims=True) * way)
    apart = np.arctan2(PALM * np.sin(ACROSS["left"]), LENGTH + PALM * np.cos(ACROSS["left"]))
    return np.asarray(np.cos(apart) * way - np.sin(apart) * square)


def unit(v: FloatArray) -> FloatArray:
    return np.asarray(v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-9))
