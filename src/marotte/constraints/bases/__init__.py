"""Rules that come with the system, and those that stand beside a take (L97 chapter 7).

Belongs here: files of rules in terms of roles, so that they fit every figure, and where they are
looked for. Does not belong here: how rules are read.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ...errors import UnknownNameError
from ..rules import LinearRule, LockRule, NonlinearRule

AnyRule = LinearRule | NonlinearRule | LockRule
BASES = ("walking", "standing", "sitting")
"""Names of the built-in bases."""
EXTENSION = ".rules"
FOR_THE_FOLDER = "skeleton.rules"
"""Rules of every take in a folder, for takes that have no file of rules of their own."""
_EXTENSIONS = (EXTENSION, ".rules.yaml", ".rules.json")


@cache
def base(name: str) -> tuple[AnyRule, ...]:
    """The rules of a built-in base, which speak of roles and so fit every figure that has them."""
    from ..data import load_rules

    if name not in BASES:
        raise UnknownNameError("base of rules", name, BASES)
    return load_rules(Path(__file__).with_name(f"{name}{EXTENSION}"))


def rules_file_of(path: str | Path) -> Path | None:
    """The file of rules beside a take: `walk.rules` for `walk.bvh`, else the folder's, or None."""
    if not str(path):
        return None
    take = Path(path)
    names = [take.stem + extension for extension in _EXTENSIONS] + [FOR_THE_FOLDER]
    return next((take.with_name(name) for name in names if take.with_name(name).is_file()), None)


def rules_beside(path: str | Path) -> tuple[AnyRule, ...]:
    """The rules beside a take; none where there is no such file."""
    from ..data import load_rules

    found = rules_file_of(path)
    return () if found is None else load_rules(found)
