"""USD: a skeleton of UsdSkel and one of its animations, in and out, by the library usd-core.

Belongs here: joints as paths, the orders of skeletons and animations, time codes, what other programs
want to find in a file. The library is an extra, and reads in a process of its own.
Does not belong here: meshes, materials, anything else that a stage may hold.
"""

from ._inspect import inspect_usd
from .reader import read_usd
from .writer import write_usd

__all__ = ["inspect_usd", "read_usd", "write_usd"]
