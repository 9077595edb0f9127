"""The ASF that belongs to an AMC: motion says nothing without its skeleton."""

from __future__ import annotations

import re
from pathlib import Path

from ...errors import FileError


def skeleton_of(path: Path) -> tuple[Path, str]:
    """Where the ASF of an AMC stands, and how it was found, in words.

    `07_05.amc` goes with `07_05.asf`; else with `07.asf`, the subject's; else with the only ASF
    of its folder that begins with the subject's number; else with the only ASF there is.
    """
    folder = path.parent
    try:
        there = sorted(p for p in folder.iterdir() if p.suffix.lower() == ".asf" and p.is_file())
    except OSError as problem:
        raise FileError(f"the folder cannot be looked through: {problem.strerror}", path=folder) from None
    subject = re.split(r"[_\-. ]", path.stem, maxsplit=1)[0]
    looked = [f"{path.stem}.asf"]
    if subject and subject != path.stem:
        looked.append(f"{subject}.asf")
    by_name = {p.name.lower(): p for p in there}
    for name in looked:
        found = by_name.get(name.lower())
        if found is not None:
            how = "" if name == looked[0] else f"its skeleton is {found.name}, that of subject {subject}"
            return found, how
    related = [p for p in there if _same_subject(p, subject)]
    if len(related) == 1:
        return related[0], f"its skeleton is {related[0].name}, the only one of subject {subject}"
    if len(there) == 1 and not related:
        return there[0], f"its skeleton is {there[0].name}, the only one in the folder"
    names = ", ".join(p.name for p in there[:8])
    having = f"there are {len(there)} others ({names})" if there else "there is no ASF at all"
    raise FileError(
        f"an AMC needs the skeleton that it moves: {' or '.join(looked)} must stand beside it, "
        f"but {having}; put it there or name it with skeleton",
        path=path,
    )


def _same_subject(path: Path, subject: str) -> bool:
    rest = path.stem[len(subject) :]
    return bool(subject) and path.stem.lower().startswith(subject.lower()) and not rest[:1].isalnum()
