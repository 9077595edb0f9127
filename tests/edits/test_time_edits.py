"""The edits of time, through their models: what a recipe or a command would do."""

from __future__ import annotations

import numpy as np
import pytest

from marotte.edits import Crop, Loop, Mirror, Resample, Reverse
from marotte.errors import InputError
from marotte.figure import mirror
from tests.figure.figures import wander


@pytest.mark.parametrize(
    ("crop", "first", "count"),
    [
        (Crop(), 0, 40),
        (Crop(start=10, end=19), 10, 10),
        (Crop(start=5), 5, 35),
        (Crop(end=0), 0, 1),
        (Crop(start=-10), 30, 10),
        (Crop(start=2, end=-2), 2, 37),
    ],
)
def test_crop_includes_its_end(crop, first, count):
    motion = wander()
    out = crop.apply(motion)
    assert len(out) == count
    assert np.array_equal(out.root, motion.root[first : first + count])


@pytest.mark.parametrize(
    ("crop", "words"),
    [
        (Crop(start=40), "start must be a frame of the take, 0 to 39, but is 40"),
        (Crop(end=99), "end must be a frame of the take, 0 to 39, but is 99"),
        (Crop(start=-41), "0 to 39, but is -41"),
        (Crop(start=9, end=3), "3 comes before 9"),
    ],
)
def test_crop_outside_the_take_says_what_there_is(crop, words):
    with pytest.raises(InputError, match=words):
        crop.apply(wander())


def test_crop_of_an_empty_take():
    with pytest.raises(InputError, match="the take has none"):
        Crop().apply(wander()[3:3])


def test_edits_leave_the_given_motion_as_it_was():
    motion = wander()
    root, rotations = motion.root.copy(), motion.rotations.copy()
    for edit in (Crop(start=3), Resample(rate=60), Mirror(), Reverse(), Loop(times=2, root="return")):
        edit.apply(motion)
    assert np.array_equal(motion.root, root)
    assert np.array_equal(motion.rotations, rotations)


def test_options_reach_the_room_below():
    motion = wander()
    assert Resample(rate=60).apply(motion).frame_rate == 60
    assert len(Resample(rate=60, method="spline").apply(motion)) == 79
    assert np.array_equal(Mirror(plane="world").apply(motion).root, mirror(motion, plane="world").root)
    assert np.array_equal(Reverse().apply(motion).root[0], motion.root[-1])
    home = Loop(root="return").apply(motion)
    assert home.root[-1] == pytest.approx(home.root[0])
