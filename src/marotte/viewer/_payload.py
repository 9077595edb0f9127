"""What a browser is told about a take: one definition, from which the TypeScript types are generated.

Everything is metres, Y up, right-handed. Arrays travel as base64 of little-endian float32,
quaternions as (x, y, z, w), which is the order of three.js: the conversion lives here, at the edge.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

PAYLOAD_VERSION = 1

Vec3 = tuple[float, float, float]


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class JointInfo(_Message):
    """One joint of a take's skeleton, parents first."""

    name: str
    parent: int = Field(description="Index of the parent joint; -1 for the root.")
    offset: Vec3 = Field(description="Rest offset from the parent, metres, in the parent's frame.")
    role: str | None = Field(description="Rig role such as left_hand, where the rig gives one.")
    ends: list[Vec3] = Field(description="End sites: tips of the leaf bones, metres, in the joint's frame.")


class BodyShape(_Message):
    """A round cone fixed to a joint: what is drawn (and later collided) as flesh.

    The cross-section is a circle unless `wide` stretches it along one axis of the joint's frame.
    """

    joint: int
    kind: Literal["torso", "limb", "head", "hand", "foot", "prop"]
    start: Vec3 = Field(description="Centre of the first cap, metres, in the joint's frame.")
    end: Vec3 = Field(description="Centre of the second cap, metres, in the joint's frame.")
    radius_start: float
    radius_end: float
    wide: Vec3 | None = Field(
        description="Unit axis (joint's frame) along which the cross-section is stretched, or none."
    )
    stretch: float = Field(description="Factor of that stretch; 1 is round.")


class NamedPoint(_Message):
    """A point that rides on a joint and has a meaning: a cup, a mouth, a club head."""

    name: str
    joint: int
    offset: Vec3 = Field(description="Metres, in the joint's frame.")


class ContactInterval(_Message):
    """An end-effector rests on something from the first to the last frame, both included."""

    role: str
    first: int
    last: int


class TakePayload(_Message):
    """One motion on one figure."""

    name: str
    frame_rate: float
    frames: int
    every: int = Field(
        description="Every how many of the take's own frames one is told; 1 unless it is too long for a page."
    )
    height: float = Field(description="Of the figure at rest, metres.")
    ground: float = Field(description="World height of the ground that the figure stands on, metres.")
    facing: Vec3 = Field(description="Level world direction the figure faces at its first frame, unit.")
    face: Vec3 | None = Field(
        description="Direction the face looks in, unit, in the frame of the joint with the role head."
    )
    joints: list[JointInfo]
    shapes: list[BodyShape]
    points: list[NamedPoint]
    contacts: list[ContactInterval]
    root: str = Field(description="float32 (frames, 3): world position of the root joint, metres.")
    rotations: str = Field(description="float32 (frames, joints, 4): local rotation x, y, z, w.")
    translations: str | None = Field(
        description="float32 (frames, joints, 3): added to the joints' offsets, metres; none if rigid."
    )


class PagePayload(_Message):
    """What the self-contained page plays: the takes, of which the second and later are ghosts."""

    version: int = PAYLOAD_VERSION
    title: str
    takes: list[TakePayload]


class TakeSummary(_Message):
    """A line of the Studio's list of takes."""

    id: str
    name: str
    source: Literal["sample", "file"]
    description: str = Field(description="What a built-in take shows; where a file lies.")
    has_options: bool = Field(description="Whether it is made by options that can be changed.")


class TakeList(_Message):
    """GET /api/takes."""

    takes: list[TakeSummary]


class DropAnswer(_Message):
    """POST /api/takes: what came of files that were dropped together."""

    takes: list[TakeSummary]
    problems: list[str] = Field(description="Why a file is not among them, for a person.")


class RigFacts(_Message):
    """What was recognised of a figure."""

    roles: int = Field(description="How many joints have a meaning.")
    limbs: list[str] = Field(description="Arms and legs found: left_arm, ….")
    confidence: float = Field(description="0 to 1: how sure the recognition is.")


class OpenedTake(_Message):
    """GET /api/takes/{id}: a take, ready to be played, and what is known about it."""

    id: str
    take: TakePayload
    rig: RigFacts
    notes: list[str] = Field(description="What the reader had to guess or mend, for a person.")


class KernelState(_Message):
    """GET /api/status: how far the kernels are compiled."""

    version: str
    compiled: int
    kernels: int = Field(description="How many there are; 0 until that is known.")
    compiling: str | None = Field(
        description="The one being compiled, empty before the first; none when all are done, or on failure."
    )


class Problem(_Message):
    """The body of every error answer."""

    message: str = Field(description="What went wrong and what to try, for a person.")
