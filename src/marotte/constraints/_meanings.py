"""From the tree of a text to rules: what each part means where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn, TypeVar

from lark import Token, Tree

from .._options import Options
from ..errors import InputError, RuleError
from ._claims import AnyQuantity, Claim, Coordinate, Number, Sum, claims, settled
from .rules import (
    Angle,
    Comparison,
    Distance,
    Extremum,
    LinearRule,
    LockRule,
    NonlinearRule,
    Orientation,
    Path,
    PathKey,
    Place,
    Position,
)

Node = Tree[Token]
_Model = TypeVar("_Model", bound=Options)
AnyRule = LinearRule | NonlinearRule | LockRule
_PER_METRE = {"mm": 1000.0, "cm": 100.0, "m": 1.0, "in": 1.0 / 0.0254}
_MEASURE = re.compile(r"(.*?)[ \t]*(mm|cm|m|in|deg|rad|°)?$")
_KINDS = {"angle": "angle", "pos": "position", "dist": "distance", "ornt": "orientation"}


class Reader:
    """Makes rules of a text's tree; `path` is what mistakes name as their place."""

    def __init__(self, path: str) -> None:
        self.path = path

    def rules(self, tree: Node) -> Iterator[AnyRule]:
        for statement in tree.children:
            if isinstance(statement, Tree):
                label, body, frames = statement.children
                common: dict[str, Any] = {}
                if isinstance(label, Tree):
                    common["name"] = self.name(label.children[1])
                if isinstance(frames, Tree):
                    common["frames"] = self.frames(frames)
                yield from self.statement(body, common)

    # ---- statements

    def statement(self, node: Any, common: dict[str, Any]) -> Iterator[AnyRule]:
        if node.data == "use":
            yield from self.used(node, common)
        elif node.data == "arrow":
            condition, body, *joined = node.children
            yield from self.made((), self.conditions(condition), [body], common)
            for more in joined:
                condition, body = more.children
                yield from self.made((), self.conditions(condition), [body], common)
        elif node.data == "when":
            _, condition, bodies = node.children
            yield from self.made((), self.conditions(condition), bodies.children, common)
        elif node.data == "always":
            yield from self.made((), (), node.children[1].children, common)
        else:
            yield from self.plain(node.children[0].children, common)

    def used(self, node: Node, common: dict[str, Any]) -> Iterator[AnyRule]:
        from .bases import base

        word = node.children[1]
        if "name" in common:
            self.fail(word, "use brings rules that have names of their own; take the name away")
        try:
            rules = base(self.name(word))
        except InputError as problem:
            self.fail(word, str(problem))
        for rule in rules:
            yield rule if rule.frames or not common else rule.model_copy(update=common)

    def plain(self, clauses: Sequence[Any], common: dict[str, Any]) -> Iterator[AnyRule]:
        """Without a condition, rules about angles are linear."""
        for clause in clauses:
            for said in self.clause(clause):
                if isinstance(said, Claim) and isinstance(said.goal, Angle):
                    yield self.model(
                        clause, LinearRule,
                        angle=said.goal, compare=said.compare, coefficient=said.coefficient,
                        other=said.reference, constant=said.constant,
                        ignored_error=said.ignored_error, **common,
                    )  # fmt: skip
                else:
                    yield from self.made((said,), (), [clause], common)

    def made(
        self, said: tuple[Any, ...], when: tuple[Any, ...], clauses: Sequence[Any], common: dict[str, Any]
    ) -> Iterator[AnyRule]:
        """Rules of bodies that hold where the conditions do."""
        for clause in clauses:
            for one in said or self.clause(clause):
                if isinstance(one, LockRule):
                    yield one.model_copy(update={"when": when, **common})
                elif isinstance(one, Extremum):
                    self.fail(
                        clause,
                        f"{one.type} can only be a condition; say when {one.type.lower()} …: what must hold",
                    )
                else:
                    yield self.model(clause, NonlinearRule, body=self.unit(clause, one), when=when, **common)

    def conditions(self, node: Any) -> tuple[Any, ...]:
        if isinstance(node, Token):
            return ()
        found: list[Any] = []
        for clause in node.children:
            for said in self.clause(clause):
                if isinstance(said, LockRule):
                    self.fail(clause, "lock is what must hold, and cannot be a condition")
                found.append(self.unit(clause, said))
        return tuple(found)

    def unit(self, clause: Node, said: Any) -> Any:
        if not isinstance(said, Claim):
            return said
        if said.coefficient != 1.0:
            self.fail(clause, "a coefficient can stand only in a rule about angles without a condition")
        return self.model(clause, Comparison, **said.unit())

    # ---- clauses

    def clause(self, node: Node) -> list[Any]:
        """What a clause says: claims, extrema, units and locks."""
        first, *modifiers = node.children
        within: dict[str, float] = {}
        noise = 0
        if isinstance(first, Tree) and first.data == "unit":
            return [self.paper_unit(first)]
        assert isinstance(first, Tree)
        for modifier in modifiers:
            assert isinstance(modifier, Tree)
            word, token = modifier.children
            assert isinstance(word, Token)
            assert isinstance(token, Token)
            if word.type == "NOISE":
                noise = self.whole(token, "noise counts frames and")
                if first.data != "extremum":
                    self.fail(word, "noise belongs to local_min and local_max")
            else:
                number = self.number(token)
                if number.value < 0:
                    self.fail(token, "an error that does not count must be 0 or more")
                within[number.unit] = number.value
        if first.data == "comparison":
            made = self.comparison(first)
            return [c.within(self.fits(node, within, c.unit_of)) for c in made]
        if first.data == "extremum":
            data = settled(self.quantity(first.children[1]))
            unit = "deg" if isinstance(data, (Angle, Orientation)) else "m"
            kind = self.extremum_type(first.children[0])
            return [
                self.model(
                    first, Extremum, type=kind, data=data, noise_width=noise,
                    ignored_error=self.fits(node, within, unit),
                )
            ]  # fmt: skip
        if first.data == "at":
            data = self.model(
                first, Distance, point=self.place(first.children[0]), to=self.place(first.children[1])
            )
            error = self.fits(node, within, "m")
            return [self.model(first, Comparison, type="EQUAL_GIVEN", data=data, ignored_error=error)]
        return [self.lock(first, within)]

    def lock(self, node: Node, within: dict[str, float]) -> LockRule:
        _, place, axes, to, turn = node.children
        values: dict[str, Any] = {"point": self.place(place), "turn": turn is not None}
        if axes is not None:
            values["axes"] = "".join(sorted(set(str(axes)[1:].lower())))
        if isinstance(to, Tree):
            values["to"] = self.path_of(to) if to.data == "path" else self.place(to)
        if "deg" in within:
            values["ignored_turn"] = within["deg"]
        values["ignored_error"] = within.get("m", within.get("", 0.0))
        return self.model(node, LockRule, **values)

    def path_of(self, node: Node) -> Path:
        keys = []
        for key in node.children[1:]:
            assert isinstance(key, Tree)
            frame, at = key.children
            keys.append(PathKey(frame=self.whole(frame, "a key's frame"), at=self.vector(at)))
        return self.model(node, Path, keys=tuple(keys))

    def comparison(self, node: Node) -> list[Claim]:
        sums = [self.sum(c) for c in node.children[::2] if c is not None]
        signs = [str(c) for c in node.children[1::2] if c is not None]
        try:
            return claims(sums, signs)
        except InputError as problem:
            self.fail(node, str(problem))

    def sum(self, node: Any) -> Sum:
        """quantity, number · quantity, and a number added."""
        term, *added = (c for c in node.children if c is not None)
        made = self.term(term)
        if added:
            number = self.number(added[-1])
            if len(added) == 1 and str(added[0])[0] not in "+-":
                self.fail(added[0], "expected + or - before a number that is added")
            if len(added) == 2 and str(added[0]) == "-":
                number = Number(-number.value, number.unit)
            try:
                made = made.plus(number)
            except InputError as problem:
                self.fail(added[-1], str(problem))
        return made

    def term(self, node: Any) -> Sum:
        if isinstance(node, Token):
            return Sum(None, 1.0, (self.number(node),))
        if node.data == "sum":
            return self.sum(node)
        if node.data == "product":
            factor = self.number(node.children[0])
            if factor.unit:
                self.fail(node.children[0], "a coefficient has no unit")
            return Sum(self.quantity(node.children[1]), factor.value, (), True)
        return Sum(self.quantity(node), 1.0, ())

    # ---- quantities

    def quantity(self, node: Any) -> AnyQuantity | Coordinate:
        parts = node.children
        if node.data == "coordinate":
            if len(parts[1]) != 2:
                self.fail(parts[1], f"a comparison needs one axis, but {str(parts[1])!r} names several")
            return Coordinate(self.place(parts[0]), str(parts[1])[1:].lower())
        if node.data == "joint_angle":
            return self.model(node, Angle, joint=self.joint(parts[0]), axis=self.axis(parts[1]))
        if node.data == "distance":
            return self.model(node, Distance, point=self.place(parts[1]), to=self.place(parts[2]))
        axis = self.axis(parts[2])
        if node.data == "position":
            return self.model(node, Position, point=self.place(parts[1]), axis=axis)
        if node.data == "angle":
            return self.model(node, Angle, joint=self.joint(parts[1]), axis=axis)
        return self.model(node, Orientation, joint=self.joint(parts[1]), axis=axis)

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

    # ---- the thesis's units

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
            self.fail(token, f"must be in {_LONG[unit]}, but is {str(token)!r}")
        return number.value

    def metres(self, token: Any) -> float:
        return self.measured(token, "m")

    def whole(self, token: Any, what: str) -> int:
        if not re.fullmatch(r"[-+]?\d{1,9}", str(token)):
            self.fail(token, f"{what} must be a whole number, but is {str(token)!r}")
        return int(token)

    def frames(self, node: Node) -> tuple[int, int]:
        first = self.whole(node.children[1], "a frame")
        last = node.children[2]
        return first, first if last is None else self.whole(last, "a frame")

    def fits(self, node: Node, within: dict[str, float], unit: str) -> float:
        for given, value in within.items():
            if given not in ("", unit):
                self.fail(node, f"within must be in {_LONG[unit]} here, but is in {_LONG[given]}")
            return value
        return 0.0

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


_LONG = {"m": "metres", "deg": "degrees"}
