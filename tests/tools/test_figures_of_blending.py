"""The pictures of docs/equalizer.md and docs/blending.md: drawn by code that still runs, small, shown."""

from __future__ import annotations

import pytest

from tools.figures import blend
from tools.figures.sticks import FOLDER, save

LARGEST = 150_000  # bytes


@pytest.mark.parametrize("name", blend.PICTURES)
def test_every_picture_can_be_drawn_and_is_shown(name, tmp_path):
    """A picture that no code draws any more would show what Marotte once did."""
    save(blend.PICTURES[name](), name, tmp_path)
    assert (tmp_path / f"{name}.png").stat().st_size > 5_000
    assert (FOLDER / f"{name}.png").stat().st_size < LARGEST
    pages = [(FOLDER.parent / f"{page}.md").read_text(encoding="utf-8") for page in ("equalizer", "blending")]
    assert any(f"(pictures/{name}.png)" in page for page in pages)
