"""What a browser is told about a take, and the self-contained page that plays it.

Belongs here: the payload (the contract with web/), motion to payload, the page of `marotte view`.
Does not belong here: servers, files of motion, anything that the browser itself does (web/).
"""

from ._page import missing_front_end, page, write_page
from ._payload import (
    PAYLOAD_VERSION,
    BodyShape,
    ContactInterval,
    DropAnswer,
    JointInfo,
    KernelState,
    NamedPoint,
    OpenedTake,
    PagePayload,
    Problem,
    RigFacts,
    TakeList,
    TakePayload,
    TakeSummary,
)
from ._take import take_payload

__all__ = [
    "PAYLOAD_VERSION",
    "BodyShape",
    "ContactInterval",
    "DropAnswer",
    "JointInfo",
    "KernelState",
    "NamedPoint",
    "OpenedTake",
    "PagePayload",
    "Problem",
    "RigFacts",
    "TakeList",
    "TakePayload",
    "TakeSummary",
    "missing_front_end",
    "page",
    "take_payload",
    "write_page",
]
