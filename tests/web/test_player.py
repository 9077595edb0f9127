"""The player page as a person uses it: opened from a file, in a browser, with keys and mouse."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from marotte import viewer
from marotte.figure import Motion
from tests.figure.figures import quadruped, wander
from tests.web.conftest import Opener

pytestmark = pytest.mark.browser


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    walk = wander(90, size=0.25)
    viewer.write_page(folder / "one.html", walk, title="one")
    viewer.write_page(folder / "two.html", [walk, wander(60, seed=3, rate=20.0, size=0.3)], title="two")
    viewer.write_page(folder / "still.html", wander(1), title="still")
    viewer.write_page(folder / "animal.html", Motion.at_rest(quadruped(), frames=10), title="animal")
    return folder


def frame(page: Page) -> int:
    value = page.get_by_role("slider", name="Frame").get_attribute("aria-valuenow")
    assert value is not None
    return int(value)


def until_frame(page: Page, least: int) -> None:
    page.evaluate(  # the page's policy forbids what Playwright's own waiting would do
        """(least) => new Promise((done) => {
            const look = () => Number(document.querySelector('[role=slider]').ariaValueNow) >= least
                ? done() : requestAnimationFrame(look);
            look();
        })""",
        least,
    )


def settle(page: Page) -> None:
    """Wait until the picture rests: the last one is drawn with all its pixels."""
    page.wait_for_timeout(320)


def picture(page: Page) -> np.ndarray[Any, Any]:
    """(height, width, 3) what is seen, 0 to 255, without the bars around it."""
    settle(page)
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return np.asarray(shot, dtype=np.int16)[110:560, 150:1150]


def difference(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> float:
    """The share of pixels that changed, percent."""
    return float(100 * np.mean(np.abs(a - b).max(axis=-1) > 24))


@pytest.fixture
def paused(open_page: Opener, pages: Path) -> Page:
    page = open_page((pages / "two.html").as_uri(), reduced_motion=True)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    return page


def test_it_plays_by_itself_and_pauses_on_a_whole_frame(open_page: Opener, pages: Path) -> None:
    page = open_page((pages / "one.html").as_uri())
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="one")).to_be_visible()
    until_frame(page, 5)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    at = frame(page)
    settle(page)
    assert frame(page) == at


def test_playing_keeps_the_take_s_own_time(open_page: Opener, pages: Path) -> None:
    page = open_page((pages / "one.html").as_uri())
    until_frame(page, 3)
    took = page.evaluate(
        """async () => {
            const at = () => Number(document.querySelector('[role=slider]').ariaValueNow);
            const until = (frame) => new Promise((done) => {
                const look = () => (at() >= frame ? done(performance.now()) : requestAnimationFrame(look));
                look();
            });
            const first = at();
            const began = performance.now();
            return (await until(first + 45) - began) / 1000;
        }"""
    )
    assert took == pytest.approx(1.5, abs=0.35)  # 45 frames at 30 a second


def test_the_figure_moves_with_the_frame_and_comes_back(paused: Page) -> None:
    first = picture(paused)
    paused.keyboard.press("End")
    assert frame(paused) == 89
    last = picture(paused)
    assert difference(first, last) > 1
    paused.keyboard.press("Home")
    assert difference(first, picture(paused)) < 0.1


def test_every_key_does_what_the_sheet_says(paused: Page) -> None:
    press = paused.keyboard.press
    press("ArrowRight")
    press("Shift+ArrowRight")
    press("Shift+ArrowRight")
    press("ArrowLeft")
    assert frame(paused) == 20
    press("[")
    press("Shift+ArrowRight")
    press("]")
    press("Home")
    assert frame(paused) == 20
    press("End")
    assert frame(paused) == 30
    press("\\")
    press("End")
    assert frame(paused) == 89
    for key, button in (("n", "Joint names"), ("t", "Trails"), ("o", "Ghosts beside the figure")):
        press(key)
        expect(paused.get_by_role("button", name=button)).to_have_attribute("aria-pressed", "true")
    for key, button in (("g", "Ghosts"), ("c", "Contacts"), ("l", "Loop: off")):
        press(key)
        expect(paused.get_by_role("button", name=button, exact=True)).to_have_attribute(
            "aria-pressed", "false"
        )
    press("b")
    expect(paused.get_by_role("button", name="Shown: bones")).to_be_visible()
    press("d")
    expect(paused.locator("html")).to_have_attribute("data-theme", "light")
    press("?")
    expect(paused.get_by_role("dialog", name="Keys")).to_be_visible()
    press("Escape")
    expect(paused.get_by_role("dialog", name="Keys")).to_be_hidden()
    press(".")
    expect(paused.get_by_label("Speed")).to_have_value("2")


def test_what_is_drawn_changes_with_the_layers(paused: Page) -> None:
    paused.keyboard.press("Shift+ArrowRight")
    seen = [picture(paused)]
    for key in ("b", "b", "t", "g", "2", "3"):
        paused.keyboard.press(key)
        seen.append(picture(paused))
        assert difference(seen[-2], seen[-1]) > 0.15, f"{key} changed nothing"


def test_scrubbing_sets_the_frame_under_the_pointer(paused: Page) -> None:
    box = paused.get_by_role("slider", name="Frame").bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    paused.mouse.move(box["x"] + box["width"] * 0.25, middle)
    paused.mouse.down()
    assert frame(paused) == 22
    paused.mouse.move(box["x"] + box["width"] * 0.75, middle, steps=4)
    assert frame(paused) == 67
    paused.mouse.move(box["x"] + box["width"] + 300, middle)
    paused.mouse.up()
    assert frame(paused) == 89


def test_a_range_is_dragged_and_taken_away(paused: Page) -> None:
    track = paused.get_by_role("slider", name="Frame")
    box = track.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    paused.keyboard.down("Shift")
    paused.mouse.move(box["x"] + box["width"] * 0.5, middle)
    paused.mouse.down()
    paused.mouse.move(box["x"] + box["width"] * 0.25, middle, steps=3)
    paused.mouse.up()
    paused.keyboard.up("Shift")
    paused.keyboard.press("Home")
    assert frame(paused) == 22
    paused.keyboard.press("End")
    assert frame(paused) == 45  # 0.5 of 89 is 44.5
    paused.mouse.dblclick(box["x"] + box["width"] * 0.9, middle)
    paused.keyboard.press("Home")
    assert frame(paused) == 0


def test_a_number_in_the_readout_is_where_to_go(paused: Page) -> None:
    field = paused.get_by_label("Frame", exact=True).and_(paused.locator("input"))
    field.fill("33")
    field.press("Enter")
    assert frame(paused) == 33
    paused.get_by_role("button", name="Count seconds").click()
    second = paused.get_by_label("Second", exact=True)
    expect(second).to_have_value("1.100 s")
    second.fill("2")
    second.press("Enter")
    assert frame(paused) == 60


def test_pointing_at_a_joint_lights_and_a_click_selects_it(paused: Page) -> None:
    plain = picture(paused)
    paused.mouse.move(640, 320)
    lit = None
    for y in range(180, 480, 12):  # down the middle of the figure there is a joint somewhere
        paused.mouse.move(640, y)
        if "picking" in (paused.locator(".viewport").get_attribute("class") or ""):
            lit = y
            break
    assert lit is not None
    paused.mouse.click(640, lit)
    paused.mouse.move(200, 200)
    selected = picture(paused)
    assert difference(plain, selected) > 0.1
    paused.keyboard.press("Escape")
    assert difference(plain, picture(paused)) < 0.1


def test_dragging_orbits_and_the_wheel_zooms(paused: Page) -> None:
    before = picture(paused)
    paused.mouse.move(900, 300)
    paused.mouse.down()
    paused.mouse.move(700, 330, steps=5)
    paused.mouse.up()
    paused.wait_for_timeout(500)
    turned = picture(paused)
    assert difference(before, turned) > 2
    paused.mouse.wheel(0, -600)
    paused.wait_for_timeout(700)
    assert difference(turned, picture(paused)) > 2


def test_buttons_can_be_reached_and_pressed_from_the_keyboard(paused: Page) -> None:
    button = paused.get_by_role("button", name="Trails")
    button.focus()
    paused.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    paused.keyboard.press("Space")  # belongs to the button that has the focus, not to play
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(paused.get_by_role("button", name="Play", exact=True)).to_be_visible()
    for control in paused.get_by_role("button").all():
        assert control.get_attribute("aria-label") or control.inner_text().strip()


@pytest.mark.parametrize(("name", "theme"), [("still", "dark"), ("animal", "light")])
def test_odd_takes_are_shown(open_page: Opener, pages: Path, name: str, theme: str) -> None:
    page = open_page((pages / f"{name}.html").as_uri(), theme=theme)
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    page.keyboard.press("2")
    empty, shown = picture(page)[:40], picture(page)
    assert shown.std() > empty.std() + 2  # a figure stands out from the plain background
    if name == "still":
        expect(page.get_by_role("button", name="Play", exact=True)).to_be_disabled()


@pytest.mark.parametrize("size", [(1280, 720), (3840, 2160)])
def test_nothing_overlaps_on_small_and_large_screens(
    open_page: Opener, pages: Path, size: tuple[int, int]
) -> None:
    page = open_page((pages / "two.html").as_uri(), size=size, reduced_motion=True)
    expect(page.get_by_role("heading", name="two")).to_be_visible()
    boxes = [(part, page.locator(part).bounding_box()) for part in (".caption", ".corner", ".edge", ".dock")]
    for i, (one, a) in enumerate(boxes):
        for other, b in boxes[i + 1 :]:
            assert a is not None
            assert b is not None
            apart = (
                a["x"] + a["width"] <= b["x"]
                or b["x"] + b["width"] <= a["x"]
                or a["y"] + a["height"] <= b["y"]
                or b["y"] + b["height"] <= a["y"]
            )
            assert apart, f"{one} and {other} overlap"
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_the_bare_template_says_what_to_do(open_page: Opener) -> None:
    from marotte.viewer._page import TEMPLATE

    page = open_page(TEMPLATE.as_uri())
    expect(page.get_by_role("alert")).to_contain_text("This page holds no take")
    expect(page.get_by_role("alert")).to_contain_text("marotte view")


def test_a_payload_of_another_version_is_refused_in_words(
    open_page: Opener, pages: Path, tmp_path: Path
) -> None:
    text = (pages / "still.html").read_text(encoding="utf-8")
    (tmp_path / "old.html").write_text(text.replace('"version":1', '"version":99', 1), encoding="utf-8")
    page = open_page((tmp_path / "old.html").as_uri())
    expect(page.get_by_role("alert")).to_contain_text("version 99")
