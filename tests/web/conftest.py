"""A real browser on the real pages. Whatever a page complains of, or asks the network for, fails its test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright

from tools.browser import ARGUMENTS

# The software renderer says this of any page that is looked at while it draws.
HARMLESS = ("GPU stall due to ReadPixels",)


@pytest.fixture(scope="session")
def browser(chromium: Path) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


class Watched:
    """What a page said and asked for."""

    def __init__(self, page: Page, allowed: str) -> None:
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self._allowed = allowed
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._asked)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(text in message.text for text in HARMLESS):
            self.complaints.append(f"{message.type}: {message.text}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self._allowed, "data:", "blob:")):
            self.requests.append(request.url)


Opener = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Opener]:
    """Opens an address; at the end of the test the page must have been quiet and kept to its own place.

    With MAROTTE_SCREENSHOTS set to a folder, a picture of each page as its test left it is kept there.
    """
    opened: list[tuple[Page, Watched]] = []

    def open_(
        address: str,
        *,
        size: tuple[int, int] = (1280, 720),
        theme: str = "dark",
        reduced_motion: bool = False,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="light" if theme == "light" else "dark",
            reduced_motion="reduce" if reduced_motion else "no-preference",
        )
        context.set_default_timeout(10_000)
        page = context.new_page()
        opened.append((page, Watched(page, address.split("?")[0].split("#")[0])))
        page.goto(address)
        return page

    yield open_
    folder = os.environ.get("MAROTTE_SCREENSHOTS")
    for i, (page, _) in enumerate(opened):
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=Path(folder) / f"{request.node.name}-{i}.png")
        page.context.close()
    for page, watched in opened:
        assert not watched.complaints, watched.complaints
        assert not watched.requests, f"{page.url} asked the network for {watched.requests}"
