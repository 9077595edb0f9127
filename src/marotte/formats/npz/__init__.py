"""NPZ, NumPy's archive of arrays: Marotte's own lossless files, and those of body models and generators.

Belongs here: reading arrays without ever unpickling or growing without bound, our own layout, SMPL
parameters as AMASS has them, placed joints as Kimodo writes them.
Does not belong here: what motions mean, and units and axes of the world, which formats share.
"""

from .reader import inspect_npz, read_npz
from .writer import write_npz

__all__ = ["inspect_npz", "read_npz", "write_npz"]
