"""Contacts beside takes whose formats have no place for them."""

from __future__ import annotations

import pytest

from marotte import formats, samples
from marotte.errors import FileError, InputError
from marotte.figure import Contact
from marotte.formats import FileWarning, contacts_file_of, load_contacts, save_contacts

GOOD = """\
marotte_contacts: 1
frames: 30
frame_rate: 60
contacts:
  - {role: left_foot, first: 0, last: 4}
  - {role: right_hand, first: 2, last: 9, thing: rope}
"""


@pytest.fixture
def climb():
    return samples.rope_climb(pulls=1)


def test_contacts_come_back_with_the_take(tmp_path, climb):
    file = tmp_path / "climb.bvh"
    formats.save(climb, file)
    assert formats.load(file).contacts is None
    assert save_contacts(climb, file) == tmp_path / "climb.contacts.yaml" == contacts_file_of(file)
    back = formats.load(file)
    assert back.contacts == climb.contacts
    assert load_contacts(contacts_file_of(file), climb) == climb.contacts


def test_names_of_things_survive(tmp_path, climb):
    odd = tuple(
        Contact("left_hand", 3 * k, 3 * k + 1, on) for k, on in enumerate(("no", "a: b", "Seil 1", '"', "—"))
    )
    save_contacts(climb, tmp_path / "odd.contacts.yaml", contacts=odd)
    assert load_contacts(tmp_path / "odd.contacts.yaml") == odd
    save_contacts(climb, tmp_path / "none.contacts.yaml", contacts=())
    assert load_contacts(tmp_path / "none.contacts.yaml") == ()


def test_contacts_of_another_version_of_the_take_are_left_aside(tmp_path, climb):
    """Feet that are pinned at frames of another take would be worse than none."""
    file = tmp_path / "climb.bvh"
    formats.save(climb[:100], file)
    save_contacts(climb, file)
    with pytest.warns(FileWarning, match=r"left aside: .*:2: .* but this one has 100"):
        motion = formats.load(file)
    assert motion.contacts is None
    assert any("left aside" in note for note in motion.source.notes)
    with pytest.raises(FileError, match="but this one has 100"):
        formats.load(file, strict=True)
    with pytest.raises(FileError, match="but this one has 100"):
        load_contacts(contacts_file_of(file), climb[:100])


def test_nothing_known_is_not_written(tmp_path, climb):
    with pytest.raises(InputError, match="detect_contacts"):
        save_contacts(climb.with_(contacts=None), tmp_path / "a.contacts.yaml")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("marotte_contacts: 1", "marotte_contacts: 2", ":1: must be a map that begins"),
        ("frames: 30", "frames: thirty", ":2: frames must be a whole number"),
        ("frames: 30", "frames: true", ":2: frames must be a whole number"),
        ("frame_rate: 60", "frame_rate: .inf", ":3: frame_rate must be a positive number"),
        ("frame_rate: 60", "frame_rate: 0", ":3: frame_rate must be a positive number"),
        ("frame_rate", "framerate", ":3: .*did you mean 'frame_rate'"),
        ("left_foot", "left_fot", ":5: .*did you mean 'left_foot'"),
        ("last: 4", "last: 30", ":5: last must be a frame from 0 to 29"),
        ("first: 0, ", "", ":5: first must be a frame"),
        ("first: 2", "first: 10", ":6: .*not before it"),
        ("thing: rope", "thing: 3", ":6: thing must be the name"),
        ("thing: rope", "thng: rope", ":6: .*'thing'"),
        ("  - {role: left_foot, first: 0, last: 4}", "  - left_foot", ":5: a contact must be a map"),
    ],
)
def test_mistakes_name_their_line(tmp_path, old, new, words):
    assert old in GOOD
    file = tmp_path / "walk.contacts.yaml"
    file.write_text(GOOD)
    assert len(load_contacts(file)) == 2
    file.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(FileError, match=words):
        load_contacts(file)
