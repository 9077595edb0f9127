"""The grammar of ASF: units, root, bones and hierarchy, as the file has them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ...errors import FileError, UnknownNameError
from .._decimals import LARGEST_NUMBER
from .._notes import Notes
from .._open import read_whole, refuse_others, text_of

LARGEST_FILE = 1 << 26
MOST_BONES = 10_000
ROOT = "root"

ROOT_ORDER = ("tx", "ty", "tz", "rx", "ry", "rz")
MOVES = ("tx", "ty", "tz")
TURNS = ("rx", "ry", "rz")

_PAIRS = re.compile(r"[(),]")
_REMARK = re.compile(r"^\s*#\s*marotte\s+(\w+)\s*:\s*(.*?)\s*$")


@dataclass(slots=True)
class Bone:
    """A segment from the tail of its parent to its own."""

    name: str
    line: int
    direction: tuple[float, float, float] = (0.0, 0.0, 0.0)
    length: float = 0.0
    axis: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Angles of the frame that the bone turns in, about `axis_order`, in the file's unit."""
    axis_order: str = "XYZ"
    dof: tuple[str, ...] = ()
    """What an AMC says of the bone, in order: tx, ty, tz, rx, ry, rz, l."""
    limits: list[tuple[float, float]] = field(default_factory=list)
    """Pairs for each of `dof`, or none, in the file's unit."""
    parent: str = ""

    @property
    def tail(self) -> tuple[float, float, float]:
        """From the bone's head to its end, at rest."""
        x, y, z = self.direction
        return x * self.length, y * self.length, z * self.length


@dataclass(slots=True)
class Asf:
    """A whole file. The root comes first among the bones, then parents before children."""

    path: Path
    encoding: str = "utf-8"
    name: str = ""
    length: float = 1.0
    """Of `:units`."""
    degrees: bool = True
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    bones: list[Bone] = field(default_factory=list)
    remarks: dict[str, str] = field(default_factory=dict)
    """What Marotte said in comments when it wrote the file."""

    def radians(self, angle: float) -> float:
        """An angle of the file."""
        return math.radians(angle) if self.degrees else angle


def read_asf_file(path: Path, notes: Notes) -> Asf:
    """Parse a file."""
    data = read_whole(path, LARGEST_FILE, "an ASF")
    refuse_others(data, path, "an Acclaim skeleton (ASF)", b":version")
    text, encoding = text_of(data)
    asf = parse_asf(text, path, notes)
    asf.encoding = encoding
    return asf


def parse_asf(text: str, path: Path, notes: Notes) -> Asf:
    """Parse the text of a file."""
    return _Parser(path, notes, text).parse()


class _Parser:
    """Goes through the lines of a file, section by section."""

    def __init__(self, path: Path, notes: Notes, text: str) -> None:
        self.asf = Asf(path)
        self.notes = notes
        self.lines: Iterator[tuple[int, list[str]]] = self._words(text)
        self.root = Bone(ROOT, 0, dof=ROOT_ORDER)
        self.bones: dict[str, Bone] = {}
        self.hierarchy: list[tuple[int, list[str]]] = []
        self.last_line = 0

    def _words(self, text: str) -> Iterator[tuple[int, list[str]]]:
        """Lines with words in them, comments left out."""
        for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
            self.last_line = number
            remark = _REMARK.match(line)
            if remark:
                self.asf.remarks[remark[1]] = remark[2]
            words = line.split("#", 1)[0].split()
            if words:
                yield number, words

    def error(self, message: str, line: int) -> FileError:
        """To be raised."""
        return FileError(message, path=self.asf.path, line=line)

    def parse(self) -> Asf:
        sections = {
            ":units": self._units,
            ":root": self._root,
            ":bonedata": self._bonedata,
            ":hierarchy": self._hierarchy,
        }
        seen: dict[str, int] = {}
        pending = next(self.lines, None)
        if pending is None or not pending[1][0].startswith(":"):
            line = pending[0] if pending else 1
            raise self.error("an ASF must begin with a section such as :version, but this does not", line)
        while pending is not None:
            line, words = pending
            section = words[0].lower()
            if section in sections:
                if section in seen:
                    raise self.error(
                        f"{section} must stand once, but stood in line {seen[section]} already", line
                    )
                seen[section] = line
                pending = sections[section](line, words)
            else:
                if section == ":name" and len(words) > 1:
                    self.asf.name = " ".join(words[1:])
                pending = self._skip()
        for section in (":bonedata", ":hierarchy"):
            if section not in seen:
                raise self.error(f"an ASF must have {section}, but the file ends without it", self.last_line)
        if ":root" not in seen:
            self.notes.warn("there is no :root section; TX TY TZ RX RY RZ is taken for its order")
        self._connect()
        return self.asf

    def _skip(self) -> tuple[int, list[str]] | None:
        """The next line that begins a section."""
        return next(((n, w) for n, w in self.lines if w[0].startswith(":")), None)

    def _until_section(self) -> Iterator[tuple[int, list[str]]]:
        """Lines up to the next section, which is kept in `self.following`."""
        self.following: tuple[int, list[str]] | None = None
        for number, words in self.lines:
            if words[0].startswith(":"):
                self.following = (number, words)
                return
            yield number, words

    def _units(self, _line: int, _words: list[str]) -> tuple[int, list[str]] | None:
        for line, words in self._until_section():
            key = words[0].lower()
            if key == "length":
                self.asf.length = self._numbers(words, 1, line)[0]
                if self.asf.length <= 0:
                    raise self.error(f"the unit of length must be positive, but is {words[1]}", line)
            elif key == "angle":
                unit = words[1].lower() if len(words) > 1 else ""
                if not unit.startswith(("deg", "rad")):
                    raise self.error(f"angle must be deg or rad, but is {unit!r}", line)
                self.asf.degrees = unit.startswith("deg")
        return self.following

    def _root(self, line: int, _words: list[str]) -> tuple[int, list[str]] | None:
        root = self.root
        root.line = line
        for number, words in self._until_section():
            key = words[0].lower()
            if key == "order":
                root.dof = self._dof(words[1:], number)
            elif key == "axis":
                root.axis_order = self._order(words[1] if len(words) > 1 else "", number)
            elif key == "position":
                self.asf.position = self._vector(words, number)
            elif key == "orientation":
                root.axis = self._vector(words, number)
        return self.following

    def _bonedata(self, _line: int, _words: list[str]) -> tuple[int, list[str]] | None:
        bone: Bone | None = None
        in_limits = False
        begun = 0
        for line, words in self._until_section():
            key = words[0].lower()
            in_limits = in_limits and (key[0] in "(-+.0123456789" or key.startswith("inf"))
            if key == "begin":
                if bone is not None:
                    raise self.error(f"the bone that begins in line {begun} must end first", line)
                bone, begun = Bone("", line), line
            elif bone is None:
                raise self.error(
                    f"bones must stand between begin and end, but here stands {words[0]!r}", line
                )
            elif key == "end":
                self._add(bone)
                bone = None
            elif in_limits:
                bone.limits += self._pairs(words, line)
            elif key == "limits":
                in_limits = True
                bone.limits += self._pairs(words[1:], line)
            else:
                self._field(bone, key, words, line)
        if bone is not None:
            raise self.error("the file or section ends inside this bone; its end is missing", begun)
        return self.following

    def _field(self, bone: Bone, key: str, words: list[str], line: int) -> None:
        if key == "name":
            if len(words) < 2:
                raise self.error("a bone's name is missing", line)
            bone.name, bone.line = words[1], line
        elif key == "direction":
            bone.direction = self._vector(words, line)
        elif key == "length":
            bone.length = self._numbers(words, 1, line)[0]
        elif key == "axis":
            bone.axis = self._vector(words, line)
            bone.axis_order = self._order(words[4] if len(words) > 4 else "XYZ", line)
        elif key == "dof":
            bone.dof = self._dof(words[1:], line)
        elif key not in ("id", "bodymass", "cofmass"):
            self.notes.warn(
                f"the field {words[0]!r} of bone {bone.name!r} is not known; it is left out", line=line
            )

    def _add(self, bone: Bone) -> None:
        if not bone.name:
            raise self.error("a bone must have a name, but this one has none", bone.line)
        if bone.name == ROOT or bone.name in self.bones:
            raise self.error(f"names of bones must be unique, but {bone.name!r} stands twice", bone.line)
        if len(self.bones) >= MOST_BONES:
            raise self.error(f"a skeleton of more than {MOST_BONES:,} bones is refused", bone.line)
        if bone.limits and len(bone.limits) != len(bone.dof):
            self.notes.warn(
                f"bone {bone.name!r} has {len(bone.dof)} degrees of freedom, but {len(bone.limits)} limits; "
                "they are left out",
                line=bone.line,
            )
            bone.limits = []
        size = math.hypot(*bone.direction)
        if bone.length != 0 and abs(size - 1.0) > 1e-3:
            self.notes.warn(
                f"the direction of bone {bone.name!r} must have length 1, but has {size:.6g}; "
                "it is taken as it stands",
                line=bone.line,
            )
        self.bones[bone.name] = bone

    def _hierarchy(self, _line: int, _words: list[str]) -> tuple[int, list[str]] | None:
        for line, words in self._until_section():
            if [w.lower() for w in words] not in (["begin"], ["end"]):
                self.hierarchy.append((line, words))
        return self.following

    def _connect(self) -> None:
        """Put the bones in order, parents first."""
        children: dict[str, list[str]] = {}
        for line, (parent, *names) in self.hierarchy:
            for name in (parent, *names):
                if name != ROOT and name not in self.bones:
                    hint = UnknownNameError("bone", name, self.bones)
                    raise self.error(f"the hierarchy names a bone that :bonedata has not: {hint}", line)
            for name in names:
                if name == ROOT or self.bones[name].parent:
                    raise self.error(
                        f"a bone must have one parent, but {name!r} gets a second one here", line
                    )
                self.bones[name].parent = parent
                children.setdefault(parent, []).append(name)
        ordered = [self.root]
        stack = list(reversed(children.get(ROOT, ())))
        while stack:
            bone = self.bones[stack.pop()]
            ordered.append(bone)
            stack.extend(reversed(children.get(bone.name, ())))
        reached = {bone.name for bone in ordered}
        lost = [name for name in self.bones if name not in reached]
        looped = [name for name in lost if self.bones[name].parent]
        if looped:
            raise self.error(
                f"all bones must hang on the root, but {looped[0]!r} does not: the hierarchy has a loop",
                self.bones[looped[0]].line,
            )
        if lost:
            self.notes.warn(f"bones that the hierarchy does not name are left out: {', '.join(lost)}")
        self.asf.bones = ordered

    def _numbers(self, words: list[str], count: int, line: int) -> list[float]:
        """The numbers behind a keyword."""
        given = words[1 : count + 1]
        if len(given) < count:
            raise self.error(f"{words[0]} must have {count} numbers, but has {len(given)}", line)
        return [self._number(word, words[0], line) for word in given]

    def _number(self, word: str, what: str, line: int, *, endless: bool = False) -> float:
        try:
            value = float(word)
        except ValueError:
            raise self.error(f"{what} must be a number, but is {word!r}", line) from None
        if (
            "_" in word
            or (endless and math.isnan(value))
            or (not endless and not abs(value) <= LARGEST_NUMBER)
        ):
            raise self.error(f"{what} must be a number of at most {LARGEST_NUMBER:g}, but is {word!r}", line)
        return value

    def _vector(self, words: list[str], line: int) -> tuple[float, float, float]:
        x, y, z = self._numbers(words, 3, line)
        return x, y, z

    def _order(self, word: str, line: int) -> str:
        if sorted(word.upper()) != ["X", "Y", "Z"]:
            raise self.error(f"an order of axes must name X, Y and Z once each, but is {word!r}", line)
        return word.upper()

    def _dof(self, words: list[str], line: int) -> tuple[str, ...]:
        dof = tuple(word.lower() for word in words)
        for word in dof:
            if word not in (*ROOT_ORDER, "l"):
                raise self.error(
                    f"degrees of freedom are tx ty tz rx ry rz and l, but here stands {word!r}", line
                )
        if len(set(dof)) != len(dof):
            raise self.error("a degree of freedom must stand once, but one stands twice", line)
        return dof

    def _pairs(self, words: list[str], line: int) -> list[tuple[float, float]]:
        """Pairs of limits, with or without brackets and commas."""
        numbers = [
            self._number(word, "a limit", line, endless=True)
            for word in _PAIRS.sub(" ", " ".join(words)).split()
        ]
        if len(numbers) % 2:
            raise self.error("limits must be pairs of the least and the greatest, but one is alone", line)
        pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
        for least, greatest in pairs:
            if least > greatest:
                raise self.error(
                    f"the least limit must come first, but here are {least:g} and {greatest:g}", line
                )
        return pairs
