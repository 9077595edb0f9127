"""Retargeting: what a figure of other build must keep of a take."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from marotte import samples
from marotte.errors import InputError, UnknownNameError
from marotte.figure import Contact, EndSite, Motion, Point, Scene, Skeleton, mirror
from marotte.figure.contacts import contact_mask, sole_points
from marotte.figure.rotations import about, angle_between, multiply, rotate
from marotte.figure.scene import Plane
from marotte.fitting import retarget
from marotte.quality import foot_skate, jerk, penetration

FIGURES = ("performer", "sally", "blubby")


@pytest.fixture(scope="module")
def walk() -> Motion:
    return samples.walk(seconds=3)


def palms(motion: Motion) -> NDArray[np.float64]:
    """(F, 2, 3) the middles of the hands."""
    positions, orientations = motion.world()
    out = []
    for side in ("left", "right"):
        joint = motion.rig[f"{side}_hand"]
        tip = next(np.array(e.offset) for e in motion.skeleton.ends if e.joint == joint)
        out.append(positions[:, joint] + rotate(orientations[:, joint], 0.5 * tip))
    return np.stack(out, axis=1)


@pytest.mark.parametrize("take", ["walk", "run", "jump", "crawl", "handstand", "rope_climb", "dance"])
def test_onto_itself_a_take_stays_as_it_is(take: str) -> None:
    motion = samples.make(take)
    made = retarget(motion, motion.skeleton).motion
    assert np.linalg.norm(made.positions() - motion.positions(), axis=-1).mean() < 0.002
    assert np.degrees(angle_between(made.rotations, motion.rotations)).mean() < 0.5
    assert made.contacts == motion.contacts
    assert made.points == motion.points


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("take", ["walk", "run", "jump"])
def test_feet_stay_where_they_come_down_and_above_the_ground(take: str, figure: str) -> None:
    made = retarget(samples.make(take), samples.character(figure)).motion
    assert foot_skate(made).mean_speed < 0.01
    assert penetration(made, scene=Scene.level()).deepest < 0.003


def test_feet_that_slide_in_the_take_do_not_on_the_figure(walk: Motion) -> None:
    slid = walk.with_(root=walk.root + np.outer(walk.times, [0.06, 0.0, 0.0]), contacts=walk.contacts)
    assert foot_skate(slid).mean_speed > 0.05
    assert foot_skate(retarget(slid, samples.character("sally")).motion).mean_speed < 0.01


def test_bones_keep_their_lengths(walk: Motion) -> None:
    made = retarget(walk, samples.character("sally")).motion
    positions, parents = made.positions(), made.skeleton.parents
    lengths = np.linalg.norm(positions[:, 1:] - positions[:, parents[1:]], axis=-1)
    assert np.allclose(lengths, np.linalg.norm(made.skeleton.offsets[1:], axis=-1), atol=1e-9)


def test_what_is_made_can_be_said_by_the_figures_own_channels(walk: Motion) -> None:
    made = retarget(walk, samples.character("sally")).motion
    from marotte.figure import channels, with_channels

    again = with_channels(made, channels(made))
    assert np.abs(again.positions() - made.positions()).max() < 1e-6


@pytest.mark.parametrize("take", ["walk", "run", "wave"])
def test_the_mirror_of_a_result_is_the_result_of_the_mirror(take: str) -> None:
    motion, sally = samples.make(take), samples.character("sally")
    a = mirror(retarget(motion, sally).motion)
    b = retarget(mirror(motion), sally).motion
    assert np.abs(a.positions() - b.positions()).max() < 0.005


def test_turning_and_shifting_the_take_turns_and_shifts_the_result(walk: Motion) -> None:
    sally, turn = samples.character("sally"), about(np.array([0.0, 1.0, 0.0]), np.array(0.7))
    rotations = np.array(walk.rotations)
    rotations[:, 0] = multiply(turn, rotations[:, 0])
    moved = walk.with_(root=rotate(turn, walk.root) + np.array([3.0, 0.0, -2.0]), rotations=rotations)
    straight = retarget(walk, sally).motion.positions()
    turned = retarget(moved.with_(contacts=walk.contacts), sally).motion.positions()
    first = straight[:1, :1] * [1.0, 0.0, 1.0]
    ways = rotate(turn, straight - first), turned - turned[:1, :1] * [1.0, 0.0, 1.0]
    assert np.abs(ways[0] - ways[1]).max() < 0.005


def test_the_path_is_scaled_by_the_legs_or_as_asked(walk: Motion) -> None:
    sally = samples.character("sally")
    way = np.linalg.norm((walk.root[-1] - walk.root[0])[[0, 2]])
    legs = (0.575 + 0.585) / (0.4244 + 0.4363)
    for scale, want in (("legs", legs), ("none", 1.0), (1.2, 1.2)):
        made = retarget(walk, sally, scale=scale).motion  # type: ignore[arg-type]
        assert np.linalg.norm((made.root[-1] - made.root[0])[[0, 2]]) == pytest.approx(want * way, rel=0.05)


def test_hands_that_meet_still_meet_on_longer_arms() -> None:
    motion = samples.golf_swing()
    source, made = palms(motion), palms(retarget(motion, samples.character("sally")).motion)
    without = palms(retarget(motion, samples.character("sally"), interactions=False).motion)
    apart = np.linalg.norm(source[:, 0] - source[:, 1], axis=1)
    held = apart < 0.11
    assert held.sum() > 20
    kept = np.linalg.norm(made[:, 0] - made[:, 1], axis=1)
    assert np.abs(kept - apart)[held].max() < 0.04
    assert np.abs(np.linalg.norm(without[:, 0] - without[:, 1], axis=1) - apart)[held].max() > 0.05


def test_a_climber_of_other_build_holds_the_rope() -> None:
    motion = samples.rope_climb()
    done = retarget(motion, samples.character("sally"))
    for contact in motion.contacts or ():
        if contact.on != "rope":
            continue
        joint = done.motion.rig[contact.role]
        path = done.motion.positions()[contact.first : contact.last + 1, joint]
        assert np.abs(path - path.mean(axis=0)).max() < 0.01  # what holds does not slip
        assert abs(np.hypot(path[0, 0], path[0, 2] - 0.22)) < 0.3  # and is at the rope


def test_a_hand_that_rests_keeps_its_place() -> None:
    motion = samples.handstand()
    made = retarget(motion, samples.character("sally")).motion
    for side in ("left", "right"):
        mask = contact_mask(motion.contacts, f"{side}_hand", len(motion))
        path = made.positions()[mask, made.rig[f"{side}_hand"]]
        assert np.abs(path - np.median(path, axis=0)).max() < 0.02
        assert np.median(path[:, 1]) < 0.15  # on the floor, not in it


def test_feet_come_to_stand_on_the_ground_of_a_scene(walk: Motion) -> None:
    tilt = np.radians(8.0)
    scene = Scene({"hill": Plane((0.0, float(np.cos(tilt)), float(-np.sin(tilt))), 0.1)})
    made = retarget(walk, samples.character("performer"), scene=scene).motion
    assert foot_skate(made, scene=scene).mean_speed < 0.01
    for sole in made.rig.soles:
        points = sole_points(made, sole)
        above = (points[..., 1] - scene.ground_height(points)).min(axis=1)
        assert np.abs(above[contact_mask(made.contacts, sole.foot, len(made))]).max() < 0.006


def test_jerk_is_hardly_more_than_that_of_the_carried_poses(walk: Motion) -> None:
    done = retarget(walk, samples.character("sally"))
    assert jerk(done.motion).rms < 1.3 * jerk(done.carried).rms


def test_points_come_along_on_the_same_parts() -> None:
    motion = samples.drink()
    made = retarget(motion, samples.character("sally")).motion
    names = {point.name for point in motion.points}
    assert {point.name for point in made.points} == names
    for point in motion.points:
        other = next(p for p in made.points if p.name == point.name)
        assert made.rig.role_of(other.joint) == motion.rig.role_of(point.joint)


def test_a_figure_with_names_that_say_nothing_is_named_and_can_be_told(walk: Motion) -> None:
    sally = samples.character("sally")
    nameless = Skeleton(
        names=tuple(f"n{i}" for i in range(3)),
        parents=np.array([-1, 0, 1]),
        offsets=np.array([[0, 1.0, 0], [0, 0.3, 0], [0, 0.3, 0]]),
        channels=("xyzZYX", "ZYX", "ZYX"),
        ends=(EndSite(2, (0.0, 0.2, 0.0)),),
    )
    with pytest.raises(InputError, match=r"no .*left_upper_leg.*map"):
        retarget(walk, nameless)
    told = {"left_toes": "ball_l"}
    assert retarget(walk, sally, map=told).motion.rig["left_toes"] == sally.index("ball_l")
    with pytest.raises(UnknownNameError, match="ball_q"):
        retarget(walk, sally, map={"left_toes": "ball_q"})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": -1.0}, "above 0"),
        ({"scale": "arms"}, "scale"),
        ({"solver": "magic"}, "solver"),
        ({"contacts": "some"}, "contacts"),
        ({"contacts": [Contact("left_foot", 0, 10_000)]}, "frames 0 to"),
    ],
)
def test_options_that_cannot_be_are_named(walk: Motion, options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        retarget(walk, samples.character("sally"), **options)  # type: ignore[arg-type]


def test_a_take_without_frames_is_refused(walk: Motion) -> None:
    with pytest.raises(InputError, match="must have frames"):
        retarget(walk[:0], samples.character("sally"))


def test_one_frame_is_enough(walk: Motion) -> None:
    assert len(retarget(walk[40:41], samples.character("sally")).motion) == 1


def test_no_contacts_leaves_the_carried_pose(walk: Motion) -> None:
    done = retarget(walk, walk.skeleton, contacts="none", interactions=False)
    assert np.abs(done.motion.positions() - walk.positions()).max() < 1e-9
    assert done.report.contacts == 0


def test_a_point_on_a_joint_without_a_role_is_left_out(walk: Motion) -> None:
    motion = walk.with_(points=(Point("cup", walk.rig["left_hand"]),))
    assert [p.name for p in retarget(motion, samples.character("blubby")).motion.points] == ["cup"]


@pytest.mark.parametrize("solver", ["limbs", "hierarchy", "spacetime"])
def test_every_solver_keeps_the_contacts(walk: Motion, solver: str) -> None:
    done = retarget(walk, samples.character("sally"), solver=solver)  # type: ignore[arg-type]
    assert done.report.solver == solver
    assert foot_skate(done.motion).mean_speed < 0.01


def test_a_climb_is_shared_by_the_trunk() -> None:
    done = retarget(samples.rope_climb(), samples.character("sally"))
    assert done.report.solver == "hierarchy"
    assert done.report.worst < 0.1  # percent of the height
    assert jerk(done.motion).rms < 1.3 * jerk(done.carried).rms


def test_progress_goes_forward_and_names_what_is_done(walk: Motion) -> None:
    told: list[tuple[float, str]] = []
    retarget(walk, samples.character("sally"), progress=lambda share, what: told.append((share, what)))
    assert [share for share, _ in told] == sorted(share for share, _ in told)
    assert [what for _, what in told][:2] == ["poses", "contacts"]
