"""Where UsdSkel itself puts the joints of a file: its own composition, evaluation and order of joints."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from pxr import Usd, UsdGeom, UsdSkel


def skel_positions(path: Path, codes: list[float], skeleton: str = "") -> dict[str, np.ndarray]:
    """(n, 3) of every joint by its path, in the file's unit and axes, at time codes."""
    stage = Usd.Stage.Open(str(path))
    found = next(
        UsdSkel.Skeleton(prim)
        for prim in stage.Traverse()
        if prim.IsA(UsdSkel.Skeleton) and (not skeleton or prim.GetPath() == skeleton)
    )
    root = UsdSkel.Root.Find(found.GetPrim())
    cache = UsdSkel.Cache()
    cache.Populate(root, Usd.PrimDefaultPredicate)
    query = cache.GetSkelQuery(found)
    assert query
    places = []
    for code in codes:
        matrices = query.ComputeJointWorldTransforms(UsdGeom.XformCache(Usd.TimeCode(code)))
        places.append(np.array([matrix.ExtractTranslation() for matrix in matrices]))
    joints = [str(joint) for joint in query.GetJointOrder()]
    return {joint: np.array([frame[j] for frame in places]) for j, joint in enumerate(joints)}
