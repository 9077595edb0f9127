"""The pictures of mending in docs/constraints.md: drawn by code that still runs, small, and shown."""

from __future__ import annotations

from tools.figures import constraints

LARGEST = 210_000  # bytes


def test_every_picture_can_be_drawn_and_is_shown(tmp_path):
    """A picture that no code draws any more would show what Marotte once did."""
    constraints.draw_all(tmp_path)
    page = (constraints.FOLDER.parent / "constraints.md").read_text(encoding="utf-8")
    for name in constraints.PICTURES:
        assert (tmp_path / f"{name}.png").stat().st_size > 5_000
        kept = constraints.FOLDER / f"{name}.png"
        assert kept.stat().st_size < LARGEST
        assert f"(pictures/{name}.png)" in page
