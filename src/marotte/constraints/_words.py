"""Words of a rule's text: names, places, numbers with their units; and how mistakes are told."""

from __future__ import annotations

import re
from typing import Any, NoReturn, TypeVar

from lark import Token, Tree

from .._options import Options
from ..errors import InputError, RuleError
from ._claims import Number
from .rules import Place

_Model = TypeVar("_Model", bound=Options)
_PER_METRE = {"mm": 1000.0, "cm": 100.0, "m": 1.0, "in": 1.0 / 0.0254}
_MEASURE = re.compile(r"(.*?)[ \t]*(mm|cm|m|in|deg|rad|°)?$")
LONG = {"m": "metres", "deg": "degrees"}


class Words:
    """Reads the small parts of a text's tree; `path` is what mistakes name as their place."""

    def __init__(self, path: str) -> None:
        self.path = path

    def place(self, node: Any) -> Place:
        while len(node.children) == 1:  # brackets around a place
            node = node.children[0]
        spot, sign, offset = node.children
        if isinstance(spot, Tree) and spot.data == "vector":
            if offset is not None:
                self.fail(offset, "a place of the world is one vector; add the two")
            return Place(offset=self.vector(spot))
        x, y, z = (0.0, 0.0, 0.0) if offset is None else self.vector(offset)
        if sign is not None and str(sign) == "-":
            x, y, z = -x, -y, -z
        return self.model(node, Place, joint=self.joint(spot), offset=(x, y, z))

    def joint(self, node: Any) -> Any:
        if isinstance(node, Tree):  # joint(28)
            node = node.children[1]
        if node.type == "NUMBER":
            return self.whole(node, "a joint's index")
        return self.name(node)

    def name(self, token: Any) -> str:
        text = str(token)
        return re.sub(r"\\(.)", r"\1", text[1:-1]) if token.type == "STRING" else text

    def axis(self, token: Any) -> str:
        word = self.name(token).lower()
        if word not in ("x", "y", "z"):
            self.fail(token, f"an axis must be x, y or z, but is {self.name(token)!r}")
        return word

    def vector(self, node: Any) -> tuple[float, float, float]:
        x, y, z = (self.metres(token) for token in node.children)
        return (x, y, z)

    # ---- numbers

    def number(self, token: Any) -> Number:
        """A number with its unit: metres, degrees, or none that was said."""
        found = _MEASURE.fullmatch(str(token))
        assert found is not None
        value, unit = float(found[1]), found[2]
        if not abs(value) < 1e12:
            self.fail(token, f"{found[1]} is too large a number")
        if unit is None:
            return Number(value, "")
        if unit == "rad":
            return Number(value * 57.29577951308232, "deg")
        return Number(value, "deg") if unit in ("deg", "°") else Number(value / _PER_METRE[unit], "m")

    def measured(self, token: Any, unit: str) -> float:
        number = self.number(token)
        if number.unit not in ("", unit):
            self.fail(token, f"must be in {LONG[unit]}, but is {str(token)!r}")
        return number.value

    def metres(self, token: Any) -> float:
        return self.measured(token, "m")

    def whole(self, token: Any, what: str) -> int:
        if not re.fullmatch(r"[-+]?\d{1,9}", str(token)):
            self.fail(token, f"{what} must be a whole number, but is {str(token)!r}")
        return int(token)

    # ---- mistakes

    def model(self, node: Any, kind: type[_Model], **values: Any) -> _Model:
        try:
            return kind(**values)
        except InputError as problem:
            self.fail(node, str(problem))

    def fail(self, node: Any, message: str) -> NoReturn:
        at = node if isinstance(node, Token) else node.meta
        raise RuleError(
            message, path=self.path, line=getattr(at, "line", None), column=getattr(at, "column", None)
        )
