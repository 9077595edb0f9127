"""What is asked of usd-core. It runs in a process of its own (formats/_worker.py) and is never imported here.

It hands out what a file says and evaluates nothing: which joint follows which number of an
animation is settled on the other side.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def open_file(path: str) -> tuple[Any, dict[str, Any]]:
    """The stage and what is in it."""
    from pxr import Usd

    stage = Usd.Stage.Open(path)
    if not stage:
        raise RuntimeError("it cannot be opened")
    return stage, describe(stage)


def refusals() -> tuple[type[Exception], ...]:
    """What the library raises."""
    from pxr import Tf

    return Tf.ErrorException, RuntimeError


def reason(problem: Exception) -> tuple[str, str]:
    """Its name for what is wrong with a file, and its words: those of the first of its errors."""
    said = [getattr(error, "commentary", str(error)) for error in problem.args]
    return type(problem).__name__, said[0] if said else ""


def describe(stage: Any) -> dict[str, Any]:
    """The stage's own settings, its skeletons and its animations."""
    from pxr import Usd, UsdGeom, UsdSkel

    skeletons, animations = [], []
    # instances too: a crowd's figures are copies of one
    for prim in stage.Traverse(Usd.TraverseInstanceProxies()):
        if prim.IsA(UsdSkel.Skeleton):
            skeletons.append(describe_skeleton(prim))
        elif prim.IsA(UsdSkel.Animation):
            animations.append(describe_animation(prim))
    return {
        "up": str(UsdGeom.GetStageUpAxis(stage)),
        "metres": UsdGeom.GetStageMetersPerUnit(stage),
        "metres_said": UsdGeom.StageHasAuthoredMetersPerUnit(stage),
        "codes": stage.GetTimeCodesPerSecond(),
        "skeletons": skeletons,
        "animations": animations,
    }


def describe_skeleton(prim: Any) -> dict[str, Any]:
    """A skeleton as it stands in the file, and the animation that it is told to follow."""
    from pxr import Usd, UsdGeom, UsdSkel

    skeleton = UsdSkel.Skeleton(prim)
    source = UsdSkel.BindingAPI(prim).GetInheritedAnimationSource() or loose_source(prim)
    times: set[float] = set()
    above = prim
    while above and not above.IsPseudoRoot():
        xform = UsdGeom.Xformable(above)
        if xform:
            times.update(xform.GetTimeSamples())
            if xform.GetResetXformStack():
                break
        above = above.GetParent()
    first = Usd.TimeCode(min(times)) if times else Usd.TimeCode.Default()
    return {
        "path": str(prim.GetPath()),
        "joints": words(skeleton.GetJointsAttr()),
        "names": words(skeleton.GetJointNamesAttr()),
        "bind": matrices(skeleton.GetBindTransformsAttr()),
        "rest": matrices(skeleton.GetRestTransformsAttr()),
        "follows": str(source.GetPath()) if source else "",
        "place": flat(UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(first)),
        "times": sorted(times),
        "kept": kept(prim),
    }


def loose_source(prim: Any) -> Any:
    """The animation of a skeleton that is bound by a relationship without the schema it belongs to."""
    while prim and not prim.IsPseudoRoot():
        targets = prim.GetRelationship("skel:animationSource").GetTargets()
        if targets:
            return prim.GetStage().GetPrimAtPath(targets[0])
        prim = prim.GetParent()
    return None


def describe_animation(prim: Any) -> dict[str, Any]:
    """An animation: what it moves and when, and how many translations, rotations and scales it has."""
    from pxr import Usd, UsdSkel

    animation = UsdSkel.Animation(prim)
    parts = (animation.GetTranslationsAttr(), animation.GetRotationsAttr(), animation.GetScalesAttr())
    times: set[float] = set()
    for part in parts:
        times.update(part.GetTimeSamples())
    first = Usd.TimeCode(min(times)) if times else Usd.TimeCode.Default()
    return {
        "path": str(prim.GetPath()),
        "joints": words(animation.GetJointsAttr()),
        "times": sorted(times),
        "sizes": [len(part.Get(first) or ()) for part in parts],
    }


def words(attribute: Any) -> list[str]:
    return [str(word) for word in attribute.Get() or ()]


def matrices(attribute: Any) -> list[list[float]]:
    return [flat(matrix) for matrix in attribute.Get() or ()]


def flat(matrix: Any) -> list[float]:
    """Sixteen numbers, row after row, for vectors that stand on the left."""
    return [matrix[i][j] for i in range(4) for j in range(4)]


def kept(prim: Any) -> dict[str, Any]:
    """What Marotte has noted down in a file of its own; anything that is no plain value is left out."""
    found = prim.GetCustomDataByKey("marotte")
    if not isinstance(found, dict):
        return {}
    return {str(k): v for k, v in found.items() if isinstance(v, str) and len(v) < 1 << 24}


def frames(stage: Any, told: dict[str, Any]) -> Iterator[bytes]:
    """Of every frame: translations, rotations (w, x, y, z), scales, and the skeleton's own place."""
    import numpy as np
    from pxr import Usd, UsdGeom, UsdSkel

    animation = UsdSkel.Animation.Get(stage, told["animation"]) if told["animation"] else None
    count = told["joints"]
    place = UsdGeom.Xformable(stage.GetPrimAtPath(told["skeleton"]))
    still = flat(place.ComputeLocalToWorldTransform(Usd.TimeCode(told["codes"][0])))
    for code in told["codes"]:
        time = Usd.TimeCode(code)
        numbers = np.full((count, 10), np.nan)
        if animation is not None:
            for part, width, first in (
                (animation.GetTranslationsAttr(), 3, 0),
                (animation.GetRotationsAttr(), 4, 3),
                (animation.GetScalesAttr(), 3, 7),
            ):
                values = part.Get(time)
                if values is None:
                    continue
                rows = np.array(values, dtype=np.float64).reshape(-1, width)
                if width == 4:
                    rows = rows[:, [3, 0, 1, 2]]
                rows[np.isnan(rows)] = np.inf  # what is not said is NaN below
                if len(rows) == count:
                    numbers[:, first : first + width] = rows
        if told["moving"]:
            still = flat(place.ComputeLocalToWorldTransform(time))
        row = np.concatenate([numbers.ravel(), still]).astype("<f8")
        yield row.tobytes()
