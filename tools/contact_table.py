"""Write how well contacts are found in the built-in takes into docs/contacts.md.

python -m tools.contact_table [--print]

Every take with true contacts of its own, as it is and with capture noise, frame by frame.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from marotte import samples
from marotte.figure import Motion, detect_contacts
from marotte.figure.contacts import contact_mask
from tests.samples.noise import captured

PAGE = Path(__file__).resolve().parent.parent / "docs" / "contacts.md"
BEGIN, END = "<!-- table: python -m tools.contact_table -->", "<!-- end of table -->"
NOISE = 0.005  # metres
FEET, HANDS, KNEES = (
    tuple(f"{side}_{part}" for side in ("left", "right")) for part in ("foot", "hand", "lower_leg")
)
ON_HANDS = ("crawl", "handstand", "rope_climb")  # takes whose hands carry the body


def agreement(motion: Motion, found: Motion, roles: tuple[str, ...]) -> float:
    """F1 of frames in contact, over these roles; 1 where neither has any."""
    both = either = 0
    for role in roles:
        true = contact_mask(motion.contacts, role, len(motion))
        seen = contact_mask(detect_contacts(found), role, len(motion))
        both += int((true & seen).sum())
        either += int(true.sum()) + int(seen.sum())
    return 2.0 * both / either if either else 1.0


def rows() -> Iterator[tuple[str, str, float, float]]:
    for name in samples.names():
        motion = samples.make(name, frame_rate=60.0)
        plain = motion.with_(contacts=None)
        noisy = [captured(motion, NOISE, seed) for seed in range(3)]
        groups = [("feet", FEET)]
        if name in ON_HANDS:
            groups.append(("hands", HANDS))
        if name == "crawl":
            groups.append(("knees", KNEES))
        for word, roles in groups:
            yield (
                name,
                word,
                agreement(motion, plain, roles),
                float(np.mean([agreement(motion, n, roles) for n in noisy])),
            )


def table() -> str:
    lines = ["| take | of | F1 | with noise |", "|---|---|---:|---:|"]
    lines += [f"| {name} | {word} | {clean:.3f} | {noisy:.3f} |" for name, word, clean, noisy in rows()]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--print", action="store_true", help="print the table, write nothing")
    found = table()
    if parser.parse_args().print:
        print(found)
        return
    page = PAGE.read_text(encoding="utf-8")
    page = re.sub(f"(?s){BEGIN}.*{END}", f"{BEGIN}\n{found}\n{END}", page)
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
