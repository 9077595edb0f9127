"""What a person said about a rig is kept, found again, and told from what was guessed."""

from __future__ import annotations

import numpy as np
import pytest

from marotte import formats
from marotte.errors import FileError, InputError, UnknownNameError
from marotte.figure import Motion, Skeleton, corrected, recognise
from marotte.formats._presets import mark_of, preset_for

from ..figure.figures import person
from ..figure.test_recognise import shuffled


@pytest.fixture
def data(tmp_path, monkeypatch):
    folder = tmp_path / "data"
    monkeypatch.setenv("MAROTTE_DATA_DIR", str(folder))
    return folder


@pytest.fixture
def odd_names(tmp_path):
    """A take whose names say nothing."""
    skeleton = person().with_(names=[f"Bone.{j:03}" for j in range(21)])
    path = tmp_path / "take.bvh"
    formats.save(Motion.at_rest(skeleton, 3), path)
    return path


def test_a_preset_is_found_for_every_file_with_such_joints(data, odd_names, tmp_path):
    found = formats.inspect(odd_names)
    told = corrected(found.rig, found.skeleton, {"left_hand": "Bone.007", "left_toes": None})
    saved = formats.save_rig(found.skeleton, told, "odd dancer")
    assert saved == data / "rigs" / "odd dancer.rig.yaml"
    other = tmp_path / "other.bvh"
    formats.save(Motion.at_rest(found.skeleton.scaled(2.0), 3), other)
    for rig in (formats.load(other).rig, formats.inspect(other).rig):
        assert rig["left_hand"] == 7
        assert rig.confidence == pytest.approx(1.0, abs=0.1)
        assert any("'odd dancer'" in reason for reason in rig.reasons)
        assert rig.evidence["left_hand"].why == "those of the preset 'odd dancer'"


def test_other_joints_do_not_get_the_preset(data, odd_names, tmp_path):
    found = formats.inspect(odd_names)
    formats.save_rig(found.skeleton, found.rig, "odd")
    parents = np.array(found.skeleton.parents)
    parents[20] = 18
    assert preset_for(found.skeleton) is not None
    assert preset_for(Skeleton(found.skeleton.names, parents, found.skeleton.offsets)) is None
    renamed = found.skeleton.with_(names=[n + "x" for n in found.skeleton.names])
    assert preset_for(renamed) is None


def test_a_mark_knows_joints_in_any_order_and_namespace():
    skeleton = person()
    order, _ = shuffled(skeleton, 3)
    actor = skeleton.with_(names=["Actor3:" + n for n in skeleton.names])
    assert mark_of(skeleton) == mark_of(order) == mark_of(actor)
    clash = skeleton.with_(names=[f"{n}:joint" for n in skeleton.names])  # nothing left without them
    assert mark_of(clash) != mark_of(skeleton)


def test_a_preset_saved_from_one_namespace_fits_another(data, tmp_path):
    skeleton = person()
    one, other = (skeleton.with_(names=[f"{a}:{n}" for n in skeleton.names]) for a in ("A", "B"))
    formats.save_rig(one, corrected(recognise(one), one, {"head": "A:Neck", "neck": None}), "actor")
    path = tmp_path / "b.bvh"
    formats.save(Motion.at_rest(other, 2), path)
    assert formats.load(path).rig["head"] == other.index("B:Neck")


def test_what_is_given_wins_over_what_lies_beside_and_that_over_presets(data, odd_names, tmp_path):
    skeleton = formats.inspect(odd_names).skeleton
    rig = recognise(skeleton)
    formats.save_rig(skeleton, corrected(rig, skeleton, {"jaw": 1}), "preset")
    assert formats.load(odd_names).rig["jaw"] == 1
    beside = odd_names.with_name("take.rig.yaml")
    beside.write_text("marotte_rig: 1\nroles: {jaw: Bone.002}\n")
    assert formats.load(odd_names).rig["jaw"] == 2
    assert formats.inspect(odd_names).rig["jaw"] == 2
    given = tmp_path / "given.rig.yaml"
    given.write_text("marotte_rig: 1\nroles: {jaw: Bone.003, left_toes: null}\n")
    rig = formats.load(odd_names, rig=given).rig
    assert rig["jaw"] == 3
    assert "left_toes" not in rig
    assert formats.load(odd_names, rig="preset").rig["jaw"] == 1
    assert formats.inspect(odd_names, rig={"jaw": "Bone.004"}).rig["jaw"] == 4


def test_a_saved_file_is_read_back_as_it_was(tmp_path):
    skeleton = person().with_(names=["no", "1e3", "a: b", "left 'x'", *person().names[4:]])
    rig = corrected(recognise(skeleton), skeleton, {"hips": 0, "spine": 1, "chest": 2, "neck": 3})
    path = formats.save_rig(skeleton, rig, str(tmp_path / "x.rig.yaml"))
    from marotte.formats._rig_file import read_rig_file

    again = read_rig_file(path, skeleton)
    assert {r: skeleton.index(str(j)) for r, j in again.items()} == dict(rig.roles)


def test_mistakes_are_named_where_they_stand(data, odd_names, tmp_path):
    path = tmp_path / "wrong.rig.yaml"
    path.write_text("marotte_rig: 1\nroles:\n  left_hend: Bone.001\n")
    with pytest.raises(FileError, match=r"wrong.rig.yaml:3.*left_hand"):
        formats.load(odd_names, rig=path)
    path.write_text("marotte_rig: 1\nroles:\n  left_hand: Bone.999\n")
    with pytest.raises(FileError, match=r":3.*Bone"):
        formats.load(odd_names, rig=path)
    with pytest.raises(FileError, match="no preset of that name"):
        formats.load(odd_names, rig="nobody")
    with pytest.raises(UnknownNameError):
        formats.load(odd_names, rig={"left_hend": "Bone.001"})
    skeleton = person()
    for name in ("", ".hidden", "a|b"):
        with pytest.raises(InputError, match="name"):
            formats.save_rig(skeleton, recognise(skeleton), name)


def test_correcting_a_rig_keeps_the_rest_of_it():
    skeleton = person()
    rig = recognise(skeleton)
    again = corrected(rig, skeleton, {"left_toes": None})
    assert "left_toes" not in again
    assert {r: j for r, j in rig.roles.items() if r != "left_toes"} == dict(again.roles)
    assert again.limb("right_leg") == rig.limb("right_leg")
    assert again.confidence == rig.confidence
    shorter = corrected(rig, skeleton, {"hips": "Spine"})
    assert [skeleton.names[j] for j in shorter.spine] == ["Spine1"]
    assert skeleton.names[shorter["spine"]] == "Spine1"
