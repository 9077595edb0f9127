"""Draw the README's moving picture: built-in takes, played by the real page in a real browser.

    python -m tools.moving_picture docs/pictures/takes.webp

Needs a browser (see tools/browser.py), the built front end, and Pillow.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page, sync_playwright

import marotte as mt
from marotte import viewer
from tools.browser import ARGUMENTS, find_browser

SIZE = (300, 330)  # of one take, pixels
STEP = 3  # frames of the take between pictures
PICTURES = 22
# All but the picture itself: whatever is not an ancestor of the canvas.
HIDE_CONTROLS = """() => {
    const canvas = document.querySelector("canvas");
    for (const element of document.body.querySelectorAll("*"))
        if (element !== canvas && !element.contains(canvas)) element.style.visibility = "hidden";
}"""
TAKES: dict[str, dict[str, Any]] = {
    "walk": {"cycles": 2},
    "walk ": {"cycles": 2, "style": "sneak"},
    "run": {"cycles": 3},
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw the README's moving picture.")
    parser.add_argument("output", type=Path)
    output: Path = parser.parse_args().output
    browser_path = find_browser()
    if browser_path is None:
        parser.error("no browser was found")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=str(browser_path), args=list(ARGUMENTS))
        strips = []
        for i, (name, options) in enumerate(TAKES.items()):
            page_file = Path(folder) / f"{i}.html"
            viewer.write_page(page_file, [mt.samples.make(name.strip(), **options)], title=name)
            page = browser.new_page(viewport={"width": 760, "height": 640})
            page.goto(page_file.as_uri())
            page.wait_for_timeout(1500)
            strips.append(_strip(page))
        browser.close()
    _save(strips, output)


def _strip(page: Page) -> list[Image.Image]:
    """Pictures of a playing page, frame by frame."""
    page.evaluate(HIDE_CONTROLS)
    page.mouse.move(380, 300)
    page.mouse.wheel(0, 160)  # a little further away
    page.mouse.move(4, 400)  # and no joint under the pointer
    page.keyboard.press("Space")
    page.keyboard.press("Home")
    for _ in range(30):  # into the take, so that the camera has caught up
        page.keyboard.press("ArrowRight")
    pictures = []
    for _ in range(PICTURES):
        page.wait_for_timeout(120)
        shot = Image.open(io.BytesIO(page.screenshot(clip={"x": 130, "y": 0, "width": 500, "height": 550})))
        pictures.append(shot.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS))
        for _ in range(STEP):
            page.keyboard.press("ArrowRight")
    return pictures


def _save(strips: list[list[Image.Image]], output: Path) -> None:
    frames = []
    for pictures in zip(*strips, strict=True):
        row = Image.new("RGB", (SIZE[0] * len(pictures), SIZE[1]))
        for i, picture in enumerate(pictures):
            row.paste(picture, (i * SIZE[0], 0))
        frames.append(row)
    output.parent.mkdir(parents=True, exist_ok=True)
    frames[0].save(output, save_all=True, append_images=frames[1:], duration=50, loop=0, quality=60, method=6)
    print(f"wrote {output}: {output.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
