"""FBX: the bones of a scene and one of its animations, read by the library ufbx in a process of its own.

Belongs here: which nodes are joints, which pose is the rest pose, what a clip is, guarding the library.
Does not belong here: the file's own grammar, which is the library's affair; meshes; writing, for which
there is no open library.
"""

from ._inspect import inspect_fbx
from .reader import read_fbx

__all__ = ["inspect_fbx", "read_fbx"]
