"""glTF 2.0: .gltf, .glb, VRM characters (.vrm) and VRM animations (.vrma).

Belongs here: the container, nodes, skins and animations, humanoid bones, and writing them.
Does not belong here: what is seen (meshes, materials); it is carried along as it is.
"""

from ._inspect import inspect_gltf
from ._vrma import write_vrma
from .reader import read_gltf
from .writer import write_gltf

__all__ = ["inspect_gltf", "read_gltf", "write_gltf", "write_vrma"]
