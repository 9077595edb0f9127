"""From the tree of a text to rules: what each part means where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lark import Token, Tree

from ..errors import InputError
from ._claims import AnyQuantity, Claim, Coordinate, Number, Sum, claims, settled
from ._paper import PaperUnits
from ._words import LONG
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
    Position,
)

Node = Tree[Token]
AnyRule = LinearRule | NonlinearRule | LockRule


class Reader(PaperUnits):
    """Makes rules of a text's tree; `path` is what mistakes name as their place."""

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

    def frames(self, node: Node) -> tuple[int, int]:
        first = self.whole(node.children[1], "a frame")
        last = node.children[2]
        return first, first if last is None else self.whole(last, "a frame")

    def fits(self, node: Node, within: dict[str, float], unit: str) -> float:
        for given, value in within.items():
            if given not in ("", unit):
                self.fail(node, f"within must be in {LONG[unit]} here, but is in {LONG[given]}")
            return value
        return 0.0

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
