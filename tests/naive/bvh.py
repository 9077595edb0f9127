"""A BVH reader of thirty lines for well-formed files, and where its joints are, by 4 × 4 matrices."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .rotations import matrix_about


@dataclass
class PlainBvh:
    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    offsets: list[list[float]] = field(default_factory=list)
    channels: list[list[str]] = field(default_factory=list)
    ends: list[tuple[int, list[float]]] = field(default_factory=list)
    frame_time: float = 0.0
    rows: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))

    def positions(self) -> np.ndarray:
        """(F, J, 3) in the file's unit and axes; positions in a row replace the joint's offset."""
        out = np.zeros((len(self.rows), len(self.names), 3))
        for f, row in enumerate(self.rows):
            numbers = iter(row)
            world: list[np.ndarray] = []
            for j, parent in enumerate(self.parents):
                place, turn = np.array(self.offsets[j]), np.eye(3)
                for channel in self.channels[j]:
                    axis, value = "XYZ".index(channel[0].upper()), next(numbers)
                    if channel[1:].lower() == "position":
                        place[axis] = value
                    else:
                        turn = turn @ matrix_about(axis, np.radians(value))
                local = np.eye(4)
                local[:3, :3], local[:3, 3] = turn, place
                world.append(local if parent < 0 else world[parent] @ local)
                out[f, j] = world[j][:3, 3]
        return out


def read_plain(text: str) -> PlainBvh:
    """Names without blanks, one declaration a line, as many rows as are declared."""
    out = PlainBvh()
    stack: list[int] = []
    lines = iter(text.split("\n"))
    for line in lines:
        words = line.split()
        match words:
            case ["ROOT" | "JOINT", *name]:
                out.parents.append(stack[-1] if stack else -1)
                out.names.append(" ".join(name))
                out.channels.append([])
                stack.append(len(out.names) - 1)
            case ["End", *_]:
                stack.append(-2)
            case ["OFFSET", x, y, z]:
                offset = [float(x), float(y), float(z)]
                if stack[-1] == -2:
                    out.ends.append((stack[-2], offset))
                else:
                    out.offsets.append(offset)
            case ["CHANNELS", _, *names]:
                out.channels[stack[-1]] = names
            case ["}"]:
                stack.pop()
            case ["Frame", "Time:", seconds]:
                out.frame_time = float(seconds)
                break
    rows = [[float(word) for word in line.split()] for line in lines if line.split()]
    out.rows = np.array(rows).reshape(len(rows), -1)
    return out
