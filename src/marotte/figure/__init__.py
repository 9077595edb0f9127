"""Figures and their motion: what every other room speaks about.

Belongs here: Skeleton, Rig, Motion, Scene, channels, masks, edits of time, rotations on arrays.
Does not belong here: files, solvers, techniques of the papers, anything that prints.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._arrays import FloatArray, IntArray
from .body import BodyShape, body_shapes
from .channels import Channels, channels, with_channels
from .contact_edits import (
    contact_at,
    cut_contact,
    merged_contacts,
    moved_contact,
    with_contact,
    without_contact,
)
from .contacts import SOMETHING, Contact
from .detection import ContactThresholds, Phase, contact_phases, detect_contacts
from .human_limits import HUMAN_LIMITS, Hinge, HumanLimit, Range, SwingCone, human_limits
from .masks import PARTS, select_joints
from .motion import Motion, Point, Pose, Source
from .recognise import Poses, corrected, recognise
from .rig import ROLES, Evidence, Limb, Rig, Sole
from .scene import Ground, Scene, Touch
from .signals import distance, orientation, path, resolve_point
from .skeleton import EndSite, Skeleton
from .time import loop, mirror, resample, reverse
from .vectors import from_rotation_vectors, rotation_vectors

if TYPE_CHECKING:
    from .carrying import Carrier, carry
    from .moving import Moving
    from .rest import RestAlignment, align_rest
    from .terrain import doorways_along, rough_terrain

__all__ = [
    "HUMAN_LIMITS",
    "PARTS",
    "ROLES",
    "SOMETHING",
    "BodyShape",
    "Carrier",
    "Channels",
    "Contact",
    "ContactThresholds",
    "EndSite",
    "Evidence",
    "FloatArray",
    "Ground",
    "Hinge",
    "HumanLimit",
    "IntArray",
    "Limb",
    "Motion",
    "Moving",
    "Phase",
    "Point",
    "Pose",
    "Poses",
    "Range",
    "RestAlignment",
    "Rig",
    "Scene",
    "Skeleton",
    "Sole",
    "Source",
    "SwingCone",
    "Touch",
    "align_rest",
    "body_shapes",
    "carry",
    "channels",
    "contact_at",
    "contact_phases",
    "corrected",
    "cut_contact",
    "detect_contacts",
    "distance",
    "doorways_along",
    "from_rotation_vectors",
    "human_limits",
    "loop",
    "merged_contacts",
    "mirror",
    "moved_contact",
    "orientation",
    "path",
    "recognise",
    "resample",
    "resolve_point",
    "reverse",
    "rotation_vectors",
    "rough_terrain",
    "select_joints",
    "with_channels",
    "with_contact",
    "without_contact",
]

_LATER = {
    "Moving": "moving",
    "Carrier": "carrying",
    "carry": "carrying",
    "RestAlignment": "rest",
    "align_rest": "rest",
    "doorways_along": "terrain",
    "rough_terrain": "terrain",
}


def __getattr__(name: str) -> Any:
    """What `marotte info` never needs is loaded when it is first asked for."""
    if name in _LATER:
        return getattr(import_module(f".{_LATER[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
