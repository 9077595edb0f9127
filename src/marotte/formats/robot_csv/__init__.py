"""CSV as robots have it: the root's place and quaternion, and the angle of each joint, a frame a line.

Belongs here: names of columns, what a file must say before its numbers mean anything, both ways.
Does not belong here: rows of numbers as text, units and axes, which formats share.
"""

from .reader import inspect_csv, read_csv
from .writer import write_csv

__all__ = ["inspect_csv", "read_csv", "write_csv"]
