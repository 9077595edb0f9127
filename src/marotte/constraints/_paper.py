"""The thesis's constraint units (L97 5.3.1): (ABOVE_GIVEN, CMP_POS, (joint, (0, 0, 0), y), 0.005, 0)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lark import Token, Tree

from ._words import Words
from .rules import Angle, Comparison, Distance, Extremum, Orientation, Place, Position

Node = Tree[Token]
_KINDS = {"angle": "angle", "pos": "position", "dist": "distance", "ornt": "orientation"}


class PaperUnits(Words):
    """Makes comparisons and extrema of the thesis's units."""

    def paper_unit(self, node: Node) -> Any:
        kind, data_type, *items = (c for c in node.children if c is not None)
        word = self.unit_type(kind)
        kind_of = self.data_type(data_type)
        data = [i for i in items if isinstance(i, Tree) and i.data == "data"]
        others = [i for i in items if isinstance(i, Token) or i.data != "data"]
        numbers = [i if isinstance(i, Token) else i.children[0] for i in others]
        extremum = word.startswith(("GLOBAL", "LOCAL"))
        wanted = (2 if kind_of == "distance" else 1) * (2 if word.endswith("ANOTHER") else 1)
        if len(data) != wanted or items[: len(data)] != data:
            self.fail(
                node,
                f"{word} of {data_type} has {wanted} data and then its numbers, but has {len(data)} data",
            )
        if not 1 <= len(numbers) <= 2:
            more = "noise_width" if extremum else "given_value"
            self.fail(
                node, f"{word} ends with ignored_error and, if wanted, {more}, but has {len(numbers)} numbers"
            )
        goal = self.paper_data(node, kind_of, data[: len(data) // 2] if word.endswith("ANOTHER") else data)
        unit = "deg" if kind_of in ("angle", "orientation") else "m"
        values: dict[str, Any] = {"type": word, "data": goal}
        values["ignored_error"] = self.measured(numbers[0], unit)
        if word.endswith("ANOTHER"):
            values["reference"] = self.paper_data(node, kind_of, data[len(data) // 2 :])
        if extremum:
            if len(numbers) == 2:
                width = self.whole(numbers[1], "noise_width")
                values["noise_width"] = width if word.startswith("LOCAL") else 0  # printed, without effect
            return self.model(node, Extremum, **values)
        if len(numbers) == 2:
            values["given_value"] = self.measured(numbers[1], unit)
        return self.model(node, Comparison, **values)

    def paper_data(self, node: Node, kind: str, data: Sequence[Any]) -> Any:
        parts = [self.paper_parts(d) for d in data]
        for d, (_, offset, axis) in zip(data, parts, strict=True):
            if kind == "distance" and axis is not None:
                self.fail(d, "data of a distance has no axis")
            if kind != "distance" and axis is None:
                self.fail(d, f"data of a{'n' if kind[0] in 'ao' else ''} {kind} needs an axis, x, y or z")
            if kind in ("angle", "orientation") and offset is not None:
                self.fail(d, f"data of an {kind} has no offset")
        spots = [
            self.model(d, Place, joint=j, offset=o or (0.0, 0.0, 0.0))
            for d, (j, o, _) in zip(data, parts, strict=True)
        ]
        joint, _, axis = parts[0]
        if kind == "distance":
            return self.model(node, Distance, point=spots[0], to=spots[1])
        if kind == "position":
            return self.model(node, Position, point=spots[0], axis=axis)
        return self.model(node, Angle if kind == "angle" else Orientation, joint=joint, axis=axis)

    def paper_parts(self, node: Any) -> tuple[Any, Any, str | None]:
        """A datum's joint, offset and axis."""
        parts = list(node.children)
        spot = parts.pop(0)
        joint = None if isinstance(spot, Tree) else self.joint(spot)
        vector = spot if isinstance(spot, Tree) else parts.pop(0)
        offset = None if vector is None else self.vector(vector)
        return joint, offset, None if parts[0] is None else self.axis(parts[0])

    def unit_type(self, token: Any) -> str:
        word = re.sub("IMUM$", "", re.sub("[ -]", "_", self.name(token).upper()))
        known = re.fullmatch("(ABOVE|BELOW|EQUAL)_(GIVEN|ANOTHER)|(GLOBAL|LOCAL)_(MIN|MAX)", word)
        if not known:
            self.fail(
                token,
                f"there is no unit type {self.name(token)!r}; there are ABOVE_, BELOW_ and EQUAL_GIVEN and "
                "_ANOTHER, GLOBAL_MIN, GLOBAL_MAX, LOCAL_MIN and LOCAL_MAX",
            )
        return word

    def extremum_type(self, token: Any) -> str:
        word = self.unit_type(token)
        if not word.startswith(("GLOBAL", "LOCAL")):
            self.fail(
                token, f"{word} stands in brackets: ({word}, CMP_POS, …); or say what must hold with >="
            )
        return word

    def data_type(self, token: Any) -> str:
        word = self.name(token).lower().removeprefix("cmp_")
        for stem, kind in _KINDS.items():
            if word in (stem, kind):
                return kind
        self.fail(token, f"there is no data type {self.name(token)!r}; there are CMP_ANGLE, CMP_POS, "
                         "CMP_DISTANCE and CMP_ORNT")  # fmt: skip
