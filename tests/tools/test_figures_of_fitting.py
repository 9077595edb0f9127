"""The pictures of docs/fitting.md: drawn by examples that still run, small, shown."""

from __future__ import annotations

import pytest

from tools.figures import ground
from tools.figures.sticks import FOLDER, save

LARGEST = 180_000  # bytes


@pytest.mark.parametrize("name", ground.PICTURES)
def test_every_picture_can_be_drawn_and_is_shown(name, tmp_path):
    """A picture that no code draws any more would show what Marotte once did."""
    save(ground.PICTURES[name](), name, tmp_path)
    assert (tmp_path / f"{name}.png").stat().st_size > 5_000
    assert (FOLDER / f"{name}.png").stat().st_size < LARGEST
    page = (FOLDER.parent / "fitting.md").read_text(encoding="utf-8")
    assert f"(pictures/{name}.png)" in page
