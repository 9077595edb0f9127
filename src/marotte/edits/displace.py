"""Change a few frames, and let the others follow."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator, model_validator

from .._options import Options, option
from ..figure import Motion
from ._base import Edit

_DOES = ("rotate", "to", "move", "set", "change", "like")
_HINT = (
    "must be keys, such as {frame: 40, joint: LeftArm, rotate: [0, 0, 20]}, or text, such as "
    "'40 LeftArm rotate 0 0 20; 60 RightHand to 0.3 1.4 0.5'"
)


def _three(value: Any) -> Any:
    fine = isinstance(value, (list, tuple)) and len(value) == 3
    if value is not None and not (fine and all(_is_number(n) for n in value)):
        raise ValueError("must be three numbers, such as [0, 0, 20]")
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


Three = Annotated[tuple[float, float, float] | None, BeforeValidator(_three)]


class DisplaceKey(Options):
    """What is wanted at one frame: exactly one of rotate, to, move, set, change and like."""

    frame: int = option(..., "the frame; negative counts from the end", unit="frames")
    joint: str | None = option(None, "joint or role, for rotate and to; to also takes named points")
    rotate: Three = option(None, "turn the joint on about its own axes x, y, z", unit="degrees")
    to: Three = option(None, "bring the joint to this place in the world, by the limb it is on", unit="m")
    move: Three = option(None, "move the whole figure this way", unit="m")
    set: dict[str, float] | None = option(None, "values of channels, such as {LeftArm.z: 30}")
    change: dict[str, float] | None = option(None, "changes of channels, such as {LeftArm.z: 20}")
    like: int | None = option(None, "another frame of the take, whose pose is taken", unit="frames")
    parts: str | list[str] | None = option(
        None, "for like, the joints that take the pose (body); for to, the joints that may turn"
    )
    tension: float | None = option(None, "1 tight to -1 slack, here alone", least=-1, most=1)
    continuity: float | None = option(None, "-1 makes a corner, here alone", least=-1, most=1)
    bias: float | None = option(None, "1 overshoots the key, -1 undershoots it", least=-1, most=1)

    @model_validator(mode="after")
    def _one_thing(self) -> DisplaceKey:
        given = [name for name in _DOES if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"must say one of {', '.join(_DOES)}, but says {' and '.join(given) or 'none'}")
        named = given[0] in ("rotate", "to")
        if named != (self.joint is not None):
            raise ValueError(f"{given[0]} {'needs a' if named else 'has no'} joint")
        if self.parts is not None and given[0] not in ("to", "like"):
            raise ValueError(f"{given[0]} has no parts")
        return self


def _keys(value: Any) -> Any:
    """Keys as a list, from one key or from text."""
    if isinstance(value, dict):
        return value["keys"] if set(value) == {"keys"} else [value]
    if isinstance(value, list) and value and all(isinstance(k, (str, int, float)) for k in value):
        value = " ".join(str(k) for k in value)  # commas between numbers
    if isinstance(value, str):
        return [_read(text) for text in value.replace(",", " ").split(";") if text.strip()]
    if not isinstance(value, list) or not all(isinstance(k, (dict, DisplaceKey)) for k in value):
        raise ValueError(_HINT)
    return value


def _read(text: str) -> dict[str, Any]:
    """One key from words: `40 LeftArm rotate 0 0 20`, `90 LeftArm.z set 30`, `80 move 0 0.1 0`."""
    words = text.split()
    at = next((i for i, word in enumerate(words) if word in _DOES), None)
    try:
        if at not in (1, 2):
            raise ValueError
        frame, does, rest = int(words[0]), words[at], words[at + 1 :]
        subject = words[1] if at == 2 else None
        if (subject is None) != (does in ("move", "like")):
            raise ValueError
        if does == "like":
            return {"frame": frame, "like": int(rest[0]), **({"parts": rest[1:]} if rest[1:] else {})}
        numbers = [float(word) for word in rest]
        if does in ("set", "change"):
            (number,) = numbers
            return {"frame": frame, does: {subject: number}}
        return {"frame": frame, does: numbers, **({"joint": subject} if subject else {})}
    except (ValueError, IndexError):
        raise ValueError(f"{_HINT} ({text.strip()!r} is none)") from None


class Displace(Edit):
    """Change the pose at a few frames; a smooth curve carries the change to the frames between."""

    op: ClassVar[str] = "displace"
    summary: ClassVar[str] = "change a few frames and let the others follow"

    keys: Annotated[list[DisplaceKey], BeforeValidator(_keys)] = option(
        ...,
        "what is wanted where: rotate a joint (degrees), bring it to a place (metres), move the figure "
        "(metres), set or change channels, or take the pose like that of another frame; on the command "
        "line also as text, '40 LeftArm rotate 0 0 20; 60 RightHand to 0.3 1.4 0.5', or as @file",
        example=[{"frame": 40, "joint": "LeftArm", "rotate": [0, 0, 20]}],
        harm="large changes between close keys make motion hasty",
    )
    tension: float = option(0.0, "1 is tight and slow through keys, -1 slack", least=-1, most=1, example=0.5)
    continuity: float = option(
        0.0,
        "-1 turns keys into corners, 1 turns the corners inside out",
        least=-1,
        most=1,
        example=-0.5,
        harm="what is not 0 makes a jump of speed at every key",
    )
    bias: float = option(0.0, "1 overshoots keys, -1 turns before them", least=-1, most=1, example=0.5)
    ends: Literal["pin", "hold", "free"] = option(
        "pin",
        "where no key is at an end of the take: the motion is as it was there, keeps the nearest key's "
        "change, or the change goes on as it goes",
        example="hold",
        harm="free runs far where keys are far from the ends",
    )  # fmt: skip
    spread: int | None = option(
        None,
        "how far before and after its keys a joint changes, with ends pin; left out, as far as the next "
        "keys or the ends of the take",
        unit="frames",
        least=1,
        example=30,
    )

    def apply(self, motion: Motion) -> Motion:
        """The displaced motion."""
        from ..signals import DisplacementKey, displace

        keys: list[DisplacementKey] = [made for key in self.keys for made in _made(key, motion)]
        return displace(
            motion,
            keys,
            tension=self.tension,
            continuity=self.continuity,
            bias=self.bias,
            ends=self.ends,
            spread=self.spread,
        )


def _made(key: DisplaceKey, motion: Motion) -> list[Any]:
    """A key of the option model as keys of the signals."""
    from ..signals import ChannelKey, MoveKey, PoseKey, ReachKey, TurnKey

    common: dict[str, Any] = {
        "frame": key.frame, "tension": key.tension, "continuity": key.continuity, "bias": key.bias
    }  # fmt: skip
    if key.rotate is not None:
        return [TurnKey(str(key.joint), np.radians(key.rotate), **common)]
    if key.to is not None:
        return [ReachKey(str(key.joint), np.array(key.to), key.parts, **common)]
    if key.move is not None:
        return [MoveKey(np.array(key.move), **common)]
    if key.like is not None:
        return [PoseKey(motion.pose(key.like), key.parts or "body", **common)]
    made = [ChannelKey(name, set=value, **common) for name, value in (key.set or {}).items()]
    return made + [ChannelKey(name, change=value, **common) for name, value in (key.change or {}).items()]
