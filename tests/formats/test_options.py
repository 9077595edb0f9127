"""Options of formats: told once, known in Python and on every command, refused where they mean nothing."""

from __future__ import annotations

import inspect as python_inspect

import pytest

from marotte import formats
from marotte.edits import EDITS
from marotte.errors import FileError, InputError
from tests.figure.figures import wander

ALWAYS = {"path", "motion", "unit", "up", "strict", "progress"}


@pytest.mark.parametrize("form", formats.FORMATS, ids=lambda f: f.name)
def test_a_format_declares_exactly_the_options_that_its_functions_take(form):
    """A declared option that a function does not take would be a traceback, the other way a secret."""
    for kind, declared in (("reader", form.reading), ("inspector", form.reading), ("writer", form.writing)):
        if not getattr(form, kind):
            continue
        taken = set(python_inspect.signature(form.function(kind)).parameters) - ALWAYS
        assert taken == {option.name for option in declared}, kind


def test_options_of_one_name_are_one_option():
    """A flag has one meaning, whatever the file."""
    for kind in ("reading", "writing"):
        seen: dict[str, formats.Asked] = {}
        for form in formats.FORMATS:
            for option in getattr(form, kind):
                assert seen.setdefault(option.name, option) is option


def test_no_edit_takes_the_name_of_a_file_option():
    """Both are flags of `marotte edit`."""
    taken = {"unit", "up", "strict", "output"} | set(formats.options_of("reading"))
    for name, model in EDITS.items():
        assert not taken & set(model.model_fields), name


def test_an_unknown_option_is_named_with_those_there_are(tmp_path):
    file = tmp_path / "walk.bvh"
    with pytest.raises(InputError, match=r"unknown option of bvh files 'decimal'; did you mean 'decimals'"):
        formats.save(wander(4), file, decimal=3)
    formats.save(wander(4), file, decimals=3)
    with pytest.raises(InputError, match="bvh files have no options of their own, but 'skeleton' was given"):
        formats.load(file, skeleton="x.asf")
    assert len(formats.load(file, skeleton=None)) == 4  # None is not given


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"HIERARCHY\nROOT", "is a BVH; name it .bvh"),
        (b"PathFileType\t4\t(X/Y/Z)", "marker positions"),
        (b"\x02P$\0", "solve the markers onto a figure"),
        (b"\x80\x04\x95", "pickle"),
        (b'{\n"Loop": "wrap",\n"Frames":\n[', "DeepMimic"),
        (b'{"asset":{"version":"2.0"}}', "is a glTF; name it .gltf"),
        (b"glTF\2\0\0\0", "name it .glb"),
        (b"", "extension must be one of"),
        (b"some words", "extension must be one of"),
    ],
)
def test_a_file_of_no_known_extension_is_told_what_it_is(tmp_path, content, words):
    file = tmp_path / "thing.dat"
    file.write_bytes(content)
    for do in (formats.load, formats.inspect):
        with pytest.raises(FileError, match=words) as caught:
            do(file)
        assert caught.value.path == str(file)
