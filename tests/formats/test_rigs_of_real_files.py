"""Recognition judged on every real skeleton there is: by name, without names, in any order."""

from __future__ import annotations

import warnings
from pathlib import Path, PurePosixPath

import pytest

from marotte import formats
from marotte.errors import MarotteError
from marotte.figure import Rig, Skeleton, recognise

from ..figure.expected_rigs import Expected, expected_of, is_no_figure
from ..figure.test_recognise import anonymous, shuffled

LIMBS = ("hips", "upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot")


def _skeletons(folder: Path) -> dict[PurePosixPath, Skeleton]:
    """One file of every skeleton that can be read."""
    found: dict[PurePosixPath, Skeleton] = {}
    seen = set()
    known = [e for f in formats.FORMATS if f.inspector for e in f.extensions]
    for path in sorted(folder.rglob("*")):
        relative = PurePosixPath(path.relative_to(folder))
        if path.suffix.lower() not in known or not (expected_of(relative) or is_no_figure(relative)):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                skeleton = formats.inspect(path).skeleton
            except MarotteError:
                continue  # broken on purpose
        key = (skeleton.names, skeleton.parents.tobytes(), skeleton.offsets.tobytes())
        if key not in seen:
            seen.add(key)
            found[relative] = skeleton
    return found


@pytest.fixture(scope="module")
def skeletons(shared_data):
    return _skeletons(shared_data)


def _wrong(rig: Rig, expected: Expected, names: tuple[str, ...], *, blind: bool) -> list[str]:
    problems = []
    for role, known in expected.roles().items():
        if blind and not role.endswith(LIMBS):
            continue
        allowed = known if blind or role.endswith("shoulder") else known[:1]
        joint = rig.get(role)
        got = "-" if joint is None else names[joint]
        if got not in allowed:
            problems.append(f"{role} is {got}, not {' or '.join(allowed)}")
    got_spine = [names[j] for j in rig.spine]
    trunk = expected.trunk()
    if expected.head != "-":
        if len(got_spine) < len(trunk):
            trunk = tuple(t for t in trunk if "-" not in t)
        if len(got_spine) != len(trunk) or any(g not in t for g, t in zip(got_spine, trunk, strict=True)):
            problems.append(f"the spine is {got_spine}")
    return problems


def test_every_real_figure_is_recognised_by_its_names(skeletons):
    problems, count = {}, 0
    for path, skeleton in skeletons.items():
        expected = expected_of(path)
        if expected is not None:
            count += 1
            found = _wrong(recognise(skeleton), expected, skeleton.names, blind=False)
            if found:
                problems[str(path)] = found
    print(f"\nby name: {count - len(problems)} of {count} skeletons")
    assert problems == {}
    assert count >= 40


def test_every_real_figure_is_recognised_without_its_names(skeletons):
    """Limbs, sides and spine from shape alone, the children of each joint in four orders."""
    problems, count = {}, 0
    for path, skeleton in skeletons.items():
        expected = expected_of(path)
        if expected is None:
            continue
        for seed in (None, 0, 1, 2):
            count += 1
            figure = skeleton if seed is None else shuffled(skeleton, seed)[0]
            rig = recognise(anonymous(figure))
            found = _wrong(rig, expected, figure.names, blind=True)
            if found:
                problems[f"{path}, order {seed}"] = found
            elif expected.head != "-":
                assert rig.confidence > 0.4, path
    print(f"\nby shape: {count - len(problems)} of {count} skeletons and orders")
    assert problems == {}


def test_nothing_that_is_no_person_gets_a_confident_rig(skeletons):
    sure = {}
    for path, skeleton in skeletons.items():
        if is_no_figure(path):
            for figure in (skeleton, anonymous(skeleton)):
                rig = recognise(figure)
                if rig.confidence >= 0.4:
                    sure[str(path)] = rig.confidence
    assert sure == {}


def test_frames_and_names_agree_on_the_sides_of_zero_poses(shared_data):
    """Rokoko's and DFKI's zero poses lay bones side by side; their motion tells left from right."""
    for name in ("rokoko_jesse_dance", "dfki_control_rig"):
        path = shared_data / "skeletons" / f"{name}.bvh"
        motion = formats.load(path)
        named = motion.rig
        assert "its zero pose is no pose of a body" in named.reasons
        blind = recognise(anonymous(motion.skeleton), poses=motion.poses)
        for role in ("left_hand", "right_hand", "left_foot", "right_foot"):
            assert blind[role] == named[role], (name, role)
        assert any("frames" in reason for reason in blind.reasons)
