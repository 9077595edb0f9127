"""What all tests share: where real takes lie, a browser, and how long Hypothesis searches."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tools import blender as blender_tools
from tools.browser import find_browser

CHECKOUT = Path(__file__).resolve().parent.parent

# Tests never write to the home folder, and compiled kernels outlive a run.
os.environ.setdefault("MAROTTE_CACHE_DIR", str(CHECKOUT / ".make" / "kernels"))

# A first call may compile for seconds, so that no deadline means anything.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "plain", deadline=None, derandomize=True, max_examples=15, suppress_health_check=[HealthCheck.too_slow]
)
_plain = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
settings.load_profile("plain" if _plain else os.environ.get("HYPOTHESIS_PROFILE", "dev"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real takes: MAROTTE_SHARED_DATA, or shared/data beside the checkout."""
    named = os.environ.get("MAROTTE_SHARED_DATA")
    folder = Path(named) if named else CHECKOUT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no real takes at {folder} (MAROTTE_SHARED_DATA names another folder)")
    return folder


@pytest.fixture(scope="session")
def chromium() -> Path:
    """The path of the browser to drive."""
    path = find_browser()
    if path is None:
        pytest.fail("no Chromium: install one, or let MAROTTE_CHROMIUM name it")
    return path


@pytest.fixture(scope="session")
def blender() -> Callable[..., Any]:
    """Runs a program of tests/blender in Blender: `blender("positions.py", file, 30)` is its answer."""
    reason = blender_tools.refusal()
    if reason is not None:
        pytest.skip(reason)
    return blender_tools.run
