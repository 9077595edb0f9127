"""glTF files as three.js shows them: every joint must be where Marotte has it."""

from __future__ import annotations

import base64
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route

import marotte as mt
from marotte import formats
from marotte.figure import FloatArray, Motion
from tests.figure.figures import wander
from tests.formats.gltf.files import quiet_load
from tests.naive.gltf import PlainGltf
from tools.steps import ROOT

pytestmark = pytest.mark.browser

THREE = ROOT / "web" / "node_modules" / "three"
ADDRESS = "http://three.test/"
CLOSE = 1e-4  # metres
PAGE = """<!doctype html><title>three</title>
<script type="importmap">{"imports": {"three": "/build/three.module.js", "three/addons/": "/examples/jsm/"}}
</script>
<script type="module">
import { AnimationMixer, LoopOnce, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

// Where nodes are at some times of an animation, in the order in which the file lists them.
window.places = async (data, clip, times) => {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const gltf = await new GLTFLoader().parseAsync(bytes.buffer, '');
  const nodes = await Promise.all(gltf.parser.json.nodes.map((_, i) => gltf.parser.getDependency('node', i)));
  const mixer = new AnimationMixer(gltf.scene);
  if (clip !== null) {
    const action = mixer.clipAction(gltf.animations[clip]);
    action.setLoop(LoopOnce);
    action.clampWhenFinished = true;
    action.play();
  }
  const found = [];
  for (const time of times) {
    mixer.setTime(time);
    gltf.scene.updateMatrixWorld(true);
    found.push(nodes.map((node) => node.getWorldPosition(new Vector3()).toArray()));
  }
  return found;
};
window.ready = true;
</script>"""


@pytest.fixture
def three(browser: Browser) -> Iterator[Page]:
    """A page with three.js in it, off the network."""
    page = browser.new_page()

    def serve(route: Route) -> None:
        name = route.request.url.removeprefix(ADDRESS)
        if not name:
            route.fulfill(body=PAGE, content_type="text/html")
        elif (THREE / name).is_file():
            route.fulfill(body=(THREE / name).read_text(encoding="utf-8"), content_type="text/javascript")
        else:
            route.abort()

    page.route("**/*", serve)
    page.goto(ADDRESS)
    page.wait_for_function("window.ready === true")
    yield page
    page.close()


def shown(page: Page, path: Path, clip: int | None, times: list[float], joints: tuple[str, ...]) -> FloatArray:
    """(F, J, 3) where three.js has the joints."""
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    found = page.evaluate("([data, clip, times]) => places(data, clip, times)", [data, clip, times])
    nodes = PlainGltf(path).nodes
    index = {node.get("name", f"node_{i}"): i for i, node in enumerate(nodes)}
    return np.array(found)[:, [index[name] for name in joints]]


def agree(page: Page, path: Path, motion: Motion, clip: int | None, *, turned: bool = False) -> None:
    """At ten moments, every joint is where three.js has it."""
    frames = sorted(set(np.linspace(0, len(motion) - 1, 10).astype(int).tolist()))
    start = 0.0
    if clip is not None:
        plain = PlainGltf(path)
        samplers = plain.json["animations"][clip]["samplers"]
        start = min(plain.numbers(s["input"])[0][0] for s in samplers)
    times = [start + frame / motion.frame_rate for frame in frames]
    theirs = shown(page, path, clip, times, motion.skeleton.names) * (motion.source.metres_per_unit or 1.0)
    if turned:
        theirs = theirs * [-1.0, 1.0, -1.0]
    assert np.abs(theirs - motion.positions()[frames]).max() < CLOSE


@pytest.mark.parametrize(
    ("name", "clip"),
    [
        ("formats/gltf/CesiumMan.glb", 0),
        ("formats/gltf/Fox.glb", 0),
        ("formats/gltf/Fox.glb", 2),
        ("formats/gltf/InterpolationTest.glb", 4),
        ("formats/gltf/InterpolationTest.glb", 7),
        ("formats/gltf/RiggedSimple.glb", 0),
        ("formats/gltf/SimpleSkin.gltf", 0),
        ("formats/gltf/mixamo_default_anims.glb", 0),
        ("formats/gltf/mixamo_default_anims.glb", 2),
        ("formats/same_clip_blender/16_05.glb", 0),
        ("formats/vrm/test.vrma", 0),
    ],
)
def test_a_real_file_is_read_as_three_js_shows_it(three: Page, shared_data: Path, name: str, clip: int) -> None:
    path = shared_data / name
    agree(three, path, quiet_load(path, clip=clip), clip)


@pytest.mark.parametrize(
    "name", ["EmissionMigration_v0.106.0.vrm", "sphere_vrm0.vrm", "mtoon_UV_Animation_Test_vrm1.vrm"]
)
def test_a_character_stands_as_three_js_shows_it(three: Page, shared_data: Path, name: str) -> None:
    path = shared_data / "formats/vrm" / name
    agree(three, path, quiet_load(path), None, turned="VRM" in PlainGltf(path).json["extensions"])


@pytest.mark.parametrize("extension", ["glb", "gltf"])
def test_what_we_write_is_shown_as_we_have_it(three: Page, tmp_path: Path, extension: str) -> None:
    motion = mt.samples.walk(seconds=2)
    path = tmp_path / f"walk.{extension}"
    mt.save(motion, path)
    agree(three, path, motion, 0)


def test_joints_that_move_on_their_bones_are_shown(three: Page, tmp_path: Path) -> None:
    motion = wander(40)
    moved = np.zeros((40, len(motion.skeleton), 3))
    moved[:, 3] = 0.1 * np.sin(np.arange(40))[:, None]
    motion = motion.with_(translations=moved)
    mt.save(motion, tmp_path / "moved.glb")
    agree(three, tmp_path / "moved.glb", motion, 0)


def test_a_vrm_animation_is_shown_as_we_have_it(three: Page, tmp_path: Path) -> None:
    mt.save(mt.samples.walk(seconds=1), tmp_path / "walk.vrma")
    agree(three, tmp_path / "walk.vrma", mt.load(tmp_path / "walk.vrma"), 0)


@pytest.mark.parametrize("name", ["formats/gltf/CesiumMan.glb", "formats/gltf/Fox.glb"])
def test_a_body_moves_as_it_was_told(three: Page, shared_data: Path, tmp_path: Path, name: str) -> None:
    motion = quiet_load(shared_data / name)
    motion = motion.with_(root=motion.root + [0.5, 0.0, 1.0])
    mt.save(motion, tmp_path / "told.glb")
    agree(three, tmp_path / "told.glb", motion, 0)


def test_the_page_would_notice_a_joint_that_is_elsewhere(three: Page, tmp_path: Path) -> None:
    motion = mt.samples.walk(seconds=1)
    mt.save(motion, tmp_path / "walk.gltf")
    text = json.loads((tmp_path / "walk.gltf").read_text(encoding="utf-8"))
    text["nodes"][5]["translation"][0] += 2e-4
    (tmp_path / "walk.gltf").write_text(json.dumps(text), encoding="utf-8")
    with pytest.raises(AssertionError):
        agree(three, tmp_path / "walk.gltf", motion.with_(source=mt.figure.Source()), 0)
