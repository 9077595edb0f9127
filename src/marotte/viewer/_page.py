"""The self-contained page: the built template with takes put into it."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path

from .._files import atomic_write_text
from ..errors import InputError, MissingPartError
from ..figure import Motion
from ._payload import PagePayload
from ._take import take_payload

TEMPLATE = Path(__file__).parent / "static" / "player.html"
_PAYLOAD = '<script type="application/json" id="marotte-payload">'
_EMPTY = f"{_PAYLOAD}null</script>"
_TITLE = "<title>Marotte</title>"


def page(motions: Motion | Sequence[Motion], *, title: str | None = None) -> str:
    """One HTML text that plays a motion; those after the first are its ghosts.

    The page loads nothing and sends nothing: scripts, styles and takes are inside, and its own
    policy forbids the rest. It is some 0.9 MB larger than the takes, which need 21 bytes for every
    joint and frame.
    """
    takes = [motions] if isinstance(motions, Motion) else list(motions)
    if not takes:
        raise InputError("a page needs at least one motion to play, but was given none")
    heading = title or takes[0].name or "Marotte"
    payload = PagePayload(title=heading, takes=[take_payload(take) for take in takes])
    template = _template()
    for part in (_EMPTY, _TITLE):
        if template.count(part) != 1:
            raise MissingPartError(
                f"{TEMPLATE} is not a player page of this version; build the front end again "
                "(make web, or install Marotte again)"
            )
    before, _, after = template.partition(_EMPTY)
    before = before.replace(_TITLE, f"<title>{html.escape(heading)} – Marotte</title>")
    after = after.replace(_TITLE, f"<title>{html.escape(heading)} – Marotte</title>")
    return f"{before}{_PAYLOAD}{script_json(payload.model_dump_json())}</script>{after}"


def write_page(path: str | Path, motions: Motion | Sequence[Motion], *, title: str | None = None) -> None:
    """Write that page to a file, all at once."""
    atomic_write_text(path, page(motions, title=title))


def script_json(text: str) -> str:
    """JSON that may stand inside a script element: nothing in it can end the element."""
    return (
        text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
        .replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    )  # fmt: skip


def _template() -> str:
    try:
        return TEMPLATE.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise missing_front_end("the page that plays takes") from None


def missing_front_end(what: str) -> MissingPartError:
    """The error for a page that was never built, and what to do about it."""
    return MissingPartError(
        f"the front end is not built: {what} is missing. In a checkout run `make web` (it needs "
        "Node 20.19 or newer); an installed Marotte without it was built where there was no Node, "
        "so install Node and then Marotte again"
    )
