"""Editing contacts by hand: add, remove, move ends, cut, merge. Contacts are values; each of these
gives new ones.

    contacts = detect_contacts(motion)
    strike = contact_at(contacts, "left_foot", 42)
    contacts = moved_contact(contacts, strike, first=39)
    motion = motion.with_(contacts=contacts)

Contacts of one part of the body with one thing never overlap: what overlaps or touches is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..errors import InputError
from .contacts import Contact


def contact_at(
    contacts: Iterable[Contact] | None, role: str, frame: int, *, on: str | None = None
) -> Contact | None:
    """The contact of a role at a frame, with anything or only with `on`; None where there is none."""
    for contact in contacts or ():
        if contact.role == role and contact.first <= frame <= contact.last and on in (None, contact.on):
            return contact
    return None


def with_contact(contacts: Iterable[Contact] | None, contact: Contact) -> tuple[Contact, ...]:
    """With one more contact, which is joined to those of its role with the same thing that it meets."""
    return merged_contacts([*(contacts or ()), contact])


def without_contact(contacts: Iterable[Contact] | None, contact: Contact) -> tuple[Contact, ...]:
    """Without one of them. Removing what is not there is an error."""
    kept = list(contacts or ())
    if contact not in kept:
        raise InputError(f"the contact to remove must be one of them, but {_words(contact)} is not")
    kept.remove(contact)
    return tuple(kept)


def moved_contact(
    contacts: Iterable[Contact] | None,
    contact: Contact,
    *,
    first: int | None = None,
    last: int | None = None,
) -> tuple[Contact, ...]:
    """With the first or the last frame of one of them moved; it is joined to those that it then meets."""
    moved = replace(
        contact, first=contact.first if first is None else first, last=contact.last if last is None else last
    )
    return with_contact(without_contact(contacts, contact), moved)


def cut_contact(contacts: Iterable[Contact] | None, contact: Contact, frame: int) -> tuple[Contact, ...]:
    """With a gap of one frame in one of them: the part that rests is lifted there."""
    kept = without_contact(contacts, contact)
    if not contact.first < frame < contact.last:
        raise InputError(
            f"a contact is cut at a frame inside it, but {_words(contact)} does not go on on both sides of "
            f"frame {frame}"
        )
    halves = (replace(contact, last=frame - 1), replace(contact, first=frame + 1))
    return _sorted([*kept, *halves])


def merged_contacts(contacts: Iterable[Contact] | None, *, gap: int = 0) -> tuple[Contact, ...]:
    """Contacts of one role with one thing become one where they overlap, touch, or leave at most `gap`
    frames between them."""
    if gap < 0:
        raise InputError(f"gap must be a number of frames, at least 0, but is {gap}")
    out: list[Contact] = []
    for contact in sorted(contacts or (), key=lambda c: (c.role, c.on, c.first)):
        before = out[-1] if out and (out[-1].role, out[-1].on) == (contact.role, contact.on) else None
        if before is not None and contact.first <= before.last + 1 + gap:
            out[-1] = replace(before, last=max(before.last, contact.last))
        else:
            out.append(contact)
    return _sorted(out)


def _sorted(contacts: Sequence[Contact]) -> tuple[Contact, ...]:
    return tuple(sorted(contacts, key=lambda c: (c.first, c.role)))


def _words(contact: Contact) -> str:
    thing = f" on {contact.on}" if contact.on else ""
    return f"{contact.role} from {contact.first} to {contact.last}{thing}"
