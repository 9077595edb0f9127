"""Hold planted feet in their places."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator

from .._options import option
from ..figure import Contact, Motion
from ._base import Edit
from ._scenes import SceneFile

_HINT = (
    "must be 'own', 'detect', or contacts by role, such as {left_foot: [[10, 42], [71, 103]], "
    "right_foot: [[40, 75]]}"
)


def _contacts(value: Any) -> Any:
    if value in ("own", "detect"):
        return value
    if not isinstance(value, dict):
        raise ValueError(_HINT)
    for spans in value.values():
        fine = isinstance(spans, (list, tuple)) and all(
            isinstance(s, (list, tuple)) and len(s) == 2 and all(isinstance(n, int) for n in s) for s in spans
        )
        if not fine:
            raise ValueError(_HINT)
    return value


class LockFeet(Edit):
    """Hold every planted foot in one place on the ground; legs and hips follow smoothly."""

    op: ClassVar[str] = "lock_feet"
    summary: ClassVar[str] = "take skate and sinking out of planted feet"

    contacts: Annotated[
        Literal["own", "detect"] | dict[str, list[tuple[int, int]]], BeforeValidator(_contacts)
    ] = option(
        "own",
        "when feet are planted: as the take says, and found where it does not; found anew; or given by "
        "role as first and last frames",
        example="detect",
        harm="feet that slide fast are not found to be planted: give their contacts",
    )
    scene: SceneFile | None = option(
        None, "the ground that the take was made on; left out, it is level", example="hall.yaml"
    )
    stay: Literal["given", "free"] = option(
        "given",
        "a foot stays where it was most of the time, or wherever that changes the motion least",
        example="free",
        harm="free lets steps drift away from where they were",
    )
    pivot: float = option(
        20.0,
        "a planted foot that turns on the spot by more goes on turning; what is less is held",
        unit="degrees",
        least=0,
        most=360,
        example=45,
    )

    def apply(self, motion: Motion) -> Motion:
        """The motion with its feet held; its notes say what was changed."""
        from ..figure import detect_contacts
        from ..fitting import lock_feet

        scene = None if self.scene is None else self.scene.scene()
        contacts = None
        if self.contacts == "detect":
            contacts = detect_contacts(motion, scene=scene)
        elif isinstance(self.contacts, dict):
            contacts = tuple(
                Contact(role, first, last) for role, spans in self.contacts.items() for first, last in spans
            )
            kept = [c for c in motion.contacts or () if c.role not in self.contacts]
            contacts = tuple(sorted((*contacts, *kept), key=lambda c: (c.first, c.role)))
        done = lock_feet(
            motion, contacts=contacts, scene=scene, stay=self.stay, pivot=math.radians(self.pivot)
        )
        return noted(done.motion, str(done), *done.unmet)


def noted(motion: Motion, *texts: str) -> Motion:
    """The motion with what there is to say about how it was made."""
    source = motion.source
    return motion.with_(source=replace(source, notes=(*source.notes, *texts)))


def with_feet(motion: Motion, feet: str) -> Motion:
    """The motion with its feet held, where `feet` is "keep"."""
    if feet != "keep":
        return motion
    from ..fitting import lock_feet

    done = lock_feet(motion)
    return noted(done.motion, str(done), *done.unmet)
