"""BVH, the Biovision hierarchy: a skeleton and rows of Euler angles, as text.

Belongs here: the grammar, the rows, writing, and what `marotte info` wants to know.
Does not belong here: units and axes, which other formats share, and the kernels for text.
"""

from ._inspect import inspect_bvh
from .reader import read_bvh
from .writer import write_bvh

__all__ = ["inspect_bvh", "read_bvh", "write_bvh"]
