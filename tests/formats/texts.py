"""A small figure as BVH text, made whole so that each test can break it in one place."""

from __future__ import annotations

HEADER = """\
HIERARCHY
ROOT Hips
{
  OFFSET 0.0 92.5 0.0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0.0 12.1 -1.2
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT Head
    {
      OFFSET 0.0 45.0 2.0
      CHANNELS 3 Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET 0.0 18.0 0.0
      }
    }
  }
  JOINT LeftUpLeg
  {
    OFFSET 9.1 -4.2 0.0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT LeftLeg
    {
      OFFSET 0.0 -42.3 0.4
      CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT LeftFoot
      {
        OFFSET 0.0 -40.1 -1.1
        CHANNELS 3 Zrotation Xrotation Yrotation
        End Site
        {
          OFFSET 0.0 -3.0 14.0
        }
      }
    }
  }
}
"""
_ROW = [
    4.0,
    -2.5,
    7.0,
    -25.2,
    0.95,
    10.4,
    23.4,
    -32.5,
    -15.7,
    -32.7,
    24.8,
    15.5,
    -36.6,
    38.6,
    37.2,
    12.3,
    9.2,
    -27.4,
]
ROWS = [[0.0, 92.5, 0.1 * f, *_ROW[:-1], _ROW[-1] + f] for f in range(3)]
MOTION = "MOTION\nFrames: 3\nFrame Time: 0.0333333\n"
COLUMNS = len(ROWS[0])


def rows_text(rows=ROWS) -> str:
    return "".join(" ".join(f"{v:.6f}" for v in row) + "\n" for row in rows)


TEXT = HEADER + MOTION + rows_text()


def line_of(text: str, piece: str) -> int:
    """The line, from 1, where a piece of text first stands."""
    return text[: text.index(piece)].count("\n") + 1
