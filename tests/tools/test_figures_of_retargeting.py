"""The pictures of docs/retargeting.md: drawn by code that still runs, small, and shown."""

from __future__ import annotations

from tools.figures import retarget
from tools.figures.sticks import FOLDER

LARGEST = 150_000  # bytes


def test_every_picture_can_be_drawn_and_is_shown(tmp_path):
    """A picture that no code draws any more would show what Marotte once did."""
    retarget.draw_all(tmp_path)
    page = (FOLDER.parent / "retargeting.md").read_text(encoding="utf-8")
    for name in retarget.PICTURES:
        assert (tmp_path / f"{name}.png").stat().st_size > 5_000
        kept = FOLDER / f"{name}.png"
        assert kept.stat().st_size < LARGEST
        assert f"(pictures/{name}.png)" in page
