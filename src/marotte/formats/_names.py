"""Names of joints as files have them, and as a skeleton wants them."""

from __future__ import annotations

from collections.abc import Sequence


def unique_names(names: Sequence[str]) -> list[str]:
    """The names, each once: one that comes again is numbered, `Bone`, `Bone_2`, `Bone_3`."""
    taken = set(names)
    seen: set[str] = set()
    next_number: dict[str, int] = {}
    out = []
    for name in names:
        new = name
        if name in seen:
            number = next_number.get(name, 2)
            while f"{name}_{number}" in taken:
                number += 1
            next_number[name] = number + 1
            new = f"{name}_{number}"
            taken.add(new)
        seen.add(new)
        out.append(new)
    return out
