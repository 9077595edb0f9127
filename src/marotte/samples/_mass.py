"""The centre of mass of a body that is being posed."""

from __future__ import annotations

from functools import cache

from ..figure import FloatArray, Motion, Skeleton, recognise
from ..figure.mass import BodyMass, body_mass
from ..figure.mass import centre_of_mass as of_motion
from ._body import Body


@cache
def _mass(skeleton: Skeleton) -> BodyMass:
    return body_mass(skeleton, recognise(skeleton))


def centre_of_mass(figure: Motion | Body) -> FloatArray:
    """(F, 3) the centre of mass, world, metres."""
    motion = figure if isinstance(figure, Motion) else figure.motion("", 1.0)
    return of_motion(motion, _mass(figure.skeleton))
