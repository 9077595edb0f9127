"""Acclaim: a skeleton in an ASF, its motion in AMC files, as the CMU library has them.

Belongs here: both grammars, finding the ASF of an AMC, bones that turn about axes of their own.
Does not belong here: units and axes of the world, which formats share.
"""

from ._inspect import inspect_amc, inspect_asf
from .reader import read_amc, read_asf
from .writer import write_amc, write_asf

__all__ = ["inspect_amc", "inspect_asf", "read_amc", "read_asf", "write_amc", "write_asf"]
