"""Put a take onto another figure."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator

from .._options import option
from ..figure import Motion, Scene
from ._base import Edit
from ._figures import OtherFigure
from ._others import OtherFile


def _scale(value: Any) -> Any:
    """A scale as it is, or one sentence on what it must be."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if value is not None and value not in ("legs", "none") and not (number and value > 0):
        raise ValueError("must be legs, none or a number above 0")
    return "none" if value is None else value


class Retarget(Edit):
    """The take on another figure: poses by what joints mean, feet and hands where they rest."""

    op: ClassVar[str] = "retarget"
    summary: ClassVar[str] = "put a take onto another figure"

    to: OtherFigure = option(
        ...,
        "the figure: performer, sally, blubby, or any file with a skeleton; the result has its joints, and "
        "its body where the format keeps one",
        example="sally",
    )
    map: dict[str, str] = option(
        {},
        "what joints of the figure mean, where that is not found: roles and joints",
        example={"left_foot": "Bone_07"},
    )
    scale: Annotated[float | Literal["legs", "none"], BeforeValidator(_scale)] = option(
        "legs",
        "how far the figure goes for each metre of the performer: as much as its legs are longer, as far "
        "(none), or a factor; heights always follow the legs",
        example="none",
        harm="steps that do not suit the legs stretch or bend them",
    )
    contacts: Literal["auto", "none"] = option(
        "auto",
        "keep feet, hands and knees in place where they rest: the take's own contacts, or found ones",
        example="none",
    )
    interactions: bool = option(
        True, "keep hands near what they are near, and out of the trunk and the ground", example=False
    )
    solver: Literal["auto", "limbs", "hierarchy", "spacetime"] = option(
        "auto",
        "what reaches for contacts: limbs alone, which is quickest, or the whole figure; auto takes limbs, "
        "and the whole figure where a hand holds a thing or limbs do not reach",
        example="hierarchy",
    )
    scene: OtherFile | None = option(
        None, "a scene whose ground the figure comes to stand on", example="hills.yaml"
    )

    def apply(self, motion: Motion) -> Motion:
        """The take on the figure; its notes say what could not be kept."""
        from ..fitting import retarget

        scene = None if self.scene is None or self.scene.path is None else Scene.load(self.scene.path)
        done = retarget(
            motion,
            self.to.figure(),
            map=self.map,
            scale=self.scale,
            contacts=self.contacts,
            scene=scene,
            interactions=self.interactions,
            solver=self.solver,
        )
        report, source = done.report, done.motion.source
        said = [*report.unmet]
        if report.lost:
            said.append(f"contacts of {', '.join(report.lost)} are left out: {self.to} has no such part")
        return done.motion.with_(source=replace(source, notes=(*source.notes, *said)))
