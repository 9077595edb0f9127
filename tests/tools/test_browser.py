"""A browser is found where it is, and the one found can draw what the player draws."""

from __future__ import annotations

import pytest
from playwright.sync_api import sync_playwright

from tools import browser


def program(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_a_name_that_only_hints_at_an_installation_is_passed_over(tmp_path, monkeypatch):
    monkeypatch.delenv("MAROTTE_CHROMIUM", raising=False)
    monkeypatch.setattr(browser, "MAC_APPLICATIONS", ())
    monkeypatch.setenv("PATH", str(tmp_path))
    assert browser.find_browser() is None
    program(tmp_path / "chromium", "echo please install the snap; exit 1")
    assert browser.find_browser() is None
    chrome = program(tmp_path / "google-chrome", "echo Chrome 140")
    assert browser.find_browser() == chrome


def test_the_variable_overrides_and_is_not_replaced_by_another(tmp_path, monkeypatch):
    program(tmp_path / "chromium", "echo Chromium 140")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("MAROTTE_CHROMIUM", str(tmp_path / "missing"))
    assert browser.find_browser() is None


@pytest.mark.browser
def test_the_browser_of_the_tests_draws_webgl(chromium):
    with sync_playwright() as playwright:
        driven = playwright.chromium.launch(
            executable_path=chromium, args=["--use-gl=angle", "--use-angle=swiftshader"]
        )
        page = driven.new_page()
        pixel = page.evaluate(
            """() => {
                const gl = document.createElement("canvas").getContext("webgl2");
                gl.clearColor(0, 1, 0, 1);
                gl.clear(gl.COLOR_BUFFER_BIT);
                const out = new Uint8Array(4);
                gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, out);
                return Array.from(out);
            }"""
        )
        driven.close()
    assert pixel == [0, 255, 0, 255]
