"""Every built-in take by its name."""

from __future__ import annotations

from typing import Any

from ..errors import UnknownNameError
from ..figure import Motion
from ._take import Take, TakeOptions
from .crawl import crawl
from .dance import dance
from .drink import drink
from .drum import drum
from .golf_swing import golf_swing
from .handstand import handstand
from .jump import jump
from .knock import knock
from .pick_up import pick_up
from .reach import reach
from .rope_climb import rope_climb
from .run import run
from .shot_put import shot_put
from .sway import sway
from .throw import throw
from .walk import walk
from .walking_jump import walking_jump
from .wave import wave

_TAKES: dict[str, Take[Any]] = {
    take.name: take
    for take in (
        walk,
        run,
        jump,
        walking_jump,
        throw,
        shot_put,
        knock,
        wave,
        drum,
        sway,
        drink,
        reach,
        golf_swing,
        rope_climb,
        handstand,
        crawl,
        pick_up,
        dance,
    )
}


def names() -> tuple[str, ...]:
    """The names of the built-in takes."""
    return tuple(_TAKES)


def _take(name: str) -> Take[Any]:
    try:
        return _TAKES[name]
    except KeyError:
        raise UnknownNameError("take", name, _TAKES) from None


def make(name: str, **options: object) -> Motion:
    """A built-in take by its name, with the options of its model."""
    return _take(name).make(options)


def options(name: str) -> type[TakeOptions]:
    """The option model of a take: what its signature, command, form and page are made from."""
    return _take(name).options


def summary(name: str) -> str:
    """What a take shows, in one line without a full stop."""
    return _take(name).summary
