"""The program that reads a USD with usd-core and answers what it is asked. It is run, never imported.

How it is talked to stands in formats/_apart.py. It hands out what the file says and evaluates
nothing: which joint follows which number of an animation is settled on the other side.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from typing import Any


def hold_memory(most: int) -> None:
    """Let the system refuse more memory than any file of motion needs, and leave no core file."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    except (ImportError, ValueError, OSError):
        pass  # Windows has none, some systems refuse


def answer(value: dict[str, Any]) -> None:
    """Send one answer."""
    data = json.dumps(value).encode()
    sys.stdout.buffer.write(struct.pack("<q", len(data)) + data)
    sys.stdout.buffer.flush()


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


def send_frames(stage: Any, told: dict[str, Any]) -> None:
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
        sys.stdout.buffer.write(row.tobytes())
    sys.stdout.buffer.flush()


def main() -> None:
    told = json.loads(sys.stdin.readline())
    hold_memory(told["memory"])
    sys.path += told["folders"]
    try:
        from pxr import Tf, Usd
    except ImportError as problem:
        answer({"missing": str(problem)})
        return
    try:
        stage = Usd.Stage.Open(told["path"])
        if not stage:
            answer({"refused": "Error", "message": "cannot be opened"})
            return
        answer(describe(stage))
    except Tf.ErrorException as problem:
        said = [getattr(error, "commentary", str(error)) for error in problem.args]
        answer({"refused": "Error", "message": said[0] if said else ""})
        return
    except (MemoryError, RuntimeError) as problem:
        answer({"refused": type(problem).__name__, "message": str(problem)})
        return
    for line in sys.stdin:
        send_frames(stage, json.loads(line))


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)
