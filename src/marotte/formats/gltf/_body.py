"""Giving a file another motion: its meshes, its materials and all else stay as they are."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import FileError, InputError, MarotteError
from ...figure import FloatArray, Motion, Skeleton
from .._clips import shown
from .._notes import Notes
from ._accessors import read_accessor
from ._build import Builder, Json
from ._clips import PATHS
from ._container import Document, open_document, read_uri
from ._frames import STILL, nodes_from_joints
from ._json import Item
from ._keys import add_animation
from ._settle import Settled, settle

VRMS = ("VRM 0", "VRM 1")
BODIES = (".glb", ".gltf", ".vrm")
_IMAGES = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"RIFF": "image/webp"}


def body_of(motion: Motion, changes: list[str]) -> Path | None:
    """The file that a motion came from, where it has the motion's joints still; None elsewhere."""
    if motion.source.format != "gltf" or not motion.source.path:
        return None
    path = Path(motion.source.path)
    if path.suffix.lower() not in BODIES:
        return None
    try:
        with open_document(path, Notes(path, strict=False)) as document:
            _order(motion.skeleton, _settled(document, motion).skeleton, path)
    except MarotteError as problem:
        reason = problem.message if isinstance(problem, FileError) else str(problem)
        changes.append(f"the body in {path} could not be kept, and bones are written instead: {reason}")
        return None
    return path


def write_with_body(motion: Motion, target: Path, body: Path) -> list[str]:
    """Write the file `body` with the motion as its first animation; what had to be changed."""
    if body.suffix.lower() not in BODIES:
        raise InputError(f"a body must be a file of {', '.join(BODIES)}, but is {str(body)!r}")
    if not len(motion):
        raise InputError("a motion without frames cannot be given to a body")
    changes: list[str] = []
    with open_document(body, Notes(body, strict=False)) as document:
        settled = _settled(document, motion)
        if target.suffix.lower() == ".vrm" and (
            settled.humanoid is None or settled.humanoid.kind not in VRMS
        ):
            raise InputError(f"a .vrm must be a VRM character, but {body.name} is none; write a .glb")
        motion = _reordered(motion, _order(motion.skeleton, settled.skeleton, body))
        rotations, translations = nodes_from_joints(settled, motion)
        replaced = _replaced(settled, motion, body)
        others = _others(document, settled, replaced, motion, changes)
        builder = _carried(document, replaced, {key for c in others.channels for key in c.keys}, changes)
        animations = builder.array("animations")
        still = _stand(builder.json, settled, changes)
        animation = add_animation(
            builder,
            motion.name or "motion",
            motion.frame_rate,
            settled.figure.joints,
            rotations,
            translations,
            still,
            STILL * settled.skeleton.height / settled.metres,
            others.start,
        )
        for channel in others.channels:
            animation["channels"].append({**channel.value, "sampler": len(animation["samplers"])})
            animation["samplers"].append(channel.sampler)
        animations.insert(0, animation)
        kept = [shown(clip) for clip in settled.clips if clip.index != replaced]
        if kept:
            changes.append(f"the other animations of {body.name} are kept: {', '.join(kept[:12])}")
    builder.save(target, binary=target.suffix.lower() != ".gltf")
    return changes


def _settled(document: Document, motion: Motion) -> Settled:
    """The body's figure; read as it was read when the motion came from this very file."""
    notes = Notes(document.path, strict=False)
    source = motion.source
    own = source.format == "gltf" and Path(source.path) == document.path
    names = [item.text("name") for item in document.items("animations")]
    return settle(
        document,
        notes,
        unit=source.metres_per_unit if own else None,
        up=source.up if own and source.up != "y" else None,
        clip=motion.name if own and motion.name in names else None,
    )


def _order(skeleton: Skeleton, body: Skeleton, path: Path) -> list[int]:
    """For each joint of the body, which of the motion's it is."""
    missing = [name for name in body.names if name not in skeleton]
    extra = [name for name in skeleton.names if name not in body]
    hint = f"put it on that figure first (marotte retarget IN --to {path})"
    if missing or extra:
        what, names = ("lacks", missing) if missing else ("has no", extra)
        who = "the motion" if missing else path.name
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        raise InputError(
            f"the motion must have the joints of its body, but {who} {what} "
            f"{', '.join(names[:3])}{more}; {hint}"
        )
    order = [skeleton.index(name) for name in body.names]
    for j, mine in enumerate(order):
        theirs = -1 if j == 0 else order[int(body.parents[j])]
        if int(skeleton.parents[mine]) != theirs:
            raise InputError(
                f"the motion must have the joints of its body, but {body.names[j]!r} hangs elsewhere; {hint}"
            )
    return order


def _reordered(motion: Motion, order: list[int]) -> Motion:
    if order == list(range(len(order))):
        return motion
    place = {mine: j for j, mine in enumerate(order)}
    skeleton = motion.skeleton
    parents = [-1 if skeleton.parents[m] < 0 else place[int(skeleton.parents[m])] for m in order]
    return Motion(
        skeleton=Skeleton(
            tuple(skeleton.names[m] for m in order), np.array(parents), skeleton.offsets[order]
        ),
        root=motion.root,
        rotations=motion.rotations[:, order],
        frame_rate=motion.frame_rate,
        translations=None if motion.translations is None else motion.translations[:, order],
        name=motion.name,
        source=motion.source,
    )


def _replaced(settled: Settled, motion: Motion, body: Path) -> int | None:
    """Which animation of the body the motion takes the place of."""
    mine = {*settled.figure.above, *settled.figure.joints}
    able = [clip for clip in settled.clips if clip.moved() & mine]
    for clip in able:
        if shown(clip) == repr(motion.name):
            return clip.index
    if len(able) == 1 and Path(motion.source.path) == body:
        return able[0].index
    return None


@dataclass(frozen=True, slots=True)
class _Channel:
    """A channel that moves something else than the figure, with its sampler."""

    value: Json
    sampler: Json
    keys: tuple[int, ...]
    """The accessors of its times and values."""


@dataclass(frozen=True, slots=True)
class _Others:
    """What an animation does beside moving the figure, and when it begins, seconds."""

    channels: tuple[_Channel, ...] = ()
    start: float = 0.0


def _others(
    document: Document, settled: Settled, replaced: int | None, motion: Motion, changes: list[str]
) -> _Others:
    """What stays of the animation that is replaced: faces, things in hands, …, where the time fits."""
    if replaced is None:
        return _Others()
    mine = {*settled.figure.above, *settled.figure.joints}
    animation = document.item("animations", replaced)
    samplers = animation.array("samplers")
    found = []
    inputs = set()
    for item in animation.array("channels"):
        sampler = samplers[item.at("sampler").as_whole(below=len(samplers))]
        target = item.member("target")
        if target.text("path") in PATHS and target.at("node").value in mine:
            inputs.add(sampler.whole("input"))
            continue
        keys = (sampler.whole("input"), sampler.whole("output"))
        found.append(_Channel(item.value, sampler.value, keys))
    if not found:
        return _Others()
    times = [read_accessor(document, index, ("SCALAR",)) for index in sorted(inputs)]
    start = min((float(t.min()) for t in times if len(t)), default=0.0)
    end = max((float(t.max()) for t in times if len(t)), default=0.0)
    if abs((end - start) - motion.seconds) > 1.0 / motion.frame_rate:
        changes.append(
            f"the motion has another length than the animation that it replaces; the {len(found)} tracks of "
            "that which move other things (faces, props) are left out"
        )
        return _Others()
    return _Others(tuple(found), start)


def _stand(json: Json, settled: Settled, changes: list[str]) -> tuple[FloatArray, FloatArray]:
    """How the figure's nodes stand without animation; those with a matrix get what can be animated."""
    nodes = settled.nodes
    joints = list(settled.figure.joints)
    for node in joints:
        own = json["nodes"][node]
        if "matrix" not in own:
            continue
        if node in nodes.sheared:
            changes.append(f"{nodes.names[node] or node}: its skewed matrix is made a turn and scales")
        del own["matrix"]
        x, y, z = nodes.translation[node].tolist()
        w, i, j, k = nodes.rotation[node].tolist()
        own.update(translation=[x, y, z], rotation=[i, j, k, w], scale=nodes.scale[node].tolist())
    return nodes.rotation[joints], nodes.translation[joints]


# ---- the bytes


@dataclass(slots=True)
class _Freed:
    """What only the replaced animation used."""

    accessors: list[int]
    views: list[int]


def _carried(document: Document, replaced: int | None, needed: set[int], changes: list[str]) -> Builder:
    """A builder that holds all of a file but one animation, its buffers made one.

    `needed` are accessors of that animation which stay.
    """
    json = copy.deepcopy(document.json)
    freed = _free(document, json, replaced, needed)
    builder = Builder(json)
    views = document.items("bufferViews")
    # what is compressed names its bytes elsewhere too, so that buffers stay whole
    whole = any("extensions" in view for view in views)
    starts, kept = _buffers(document, builder, whole)
    gone = set() if whole else set(freed.views)
    for number, view in enumerate(views):
        if number in gone:
            continue
        length = view.whole("byteLength")
        for place, value in ((view, json["bufferViews"][number]), *_extended(view, json, number)):
            buffer, begin = place.whole("buffer"), place.whole("byteOffset", 0)
            if buffer in kept:
                value["buffer"] = kept[buffer]
                continue
            data = document.buffer(buffer)
            if begin + place.whole("byteLength", length) > len(data):
                raise place.error("reaches beyond the end of its buffer")
            value["buffer"] = 0
            value["byteOffset"] = (
                starts[buffer] + begin if whole else builder.append(bytes(data[begin : begin + length]))
            )
    builder.free_accessors = freed.accessors
    builder.free_views = sorted(gone)
    _embed_images(document, builder, changes)
    return builder


def _free(document: Document, json: Json, replaced: int | None, needed: set[int]) -> _Freed:
    """Take an animation out; what is free without it."""
    if replaced is None:
        return _Freed([], [])
    mine: set[int] = set()
    others = set(needed)
    for number, animation in enumerate(document.items("animations")):
        for sampler in animation.array("samplers"):
            (mine if number == replaced else others).update(
                sampler.whole(key) for key in ("input", "output") if key in sampler
            )
    json["animations"].pop(replaced)
    if not json["animations"]:
        del json["animations"]
    count = len(document.items("accessors"))
    accessors = sorted(number for number in mine - others if number < count)
    gone = set(accessors)
    left = {**json, "accessors": [a for i, a in enumerate(json.get("accessors") or []) if i not in gone]}
    used = set(_named(left, "bufferView"))
    freed = {view for i in accessors for view in _named(json["accessors"][i], "bufferView")} - used
    return _Freed(accessors, sorted(v for v in freed if 0 <= v < len(document.items("bufferViews"))))


def _named(value: Any, key: str) -> Iterator[int]:
    """Every whole number that stands under a name, however deep."""
    stack = [value]
    while stack:
        at = stack.pop()
        if isinstance(at, dict):
            found = at.get(key)
            if isinstance(found, (int, float)) and found == int(found):
                yield int(found)
            stack.extend(at.values())
        elif isinstance(at, list):
            stack.extend(at)


def _extended(view: Item, json: Json, number: int) -> Iterator[tuple[Item, Json]]:
    """What extensions of a buffer view say of bytes, and where that stands in the new JSON."""
    for name, extension in view.member("extensions").members():
        if "buffer" in extension:
            yield extension, json["bufferViews"][number]["extensions"][name]


def _buffers(document: Document, builder: Builder, whole: bool) -> tuple[dict[int, int], dict[int, int]]:
    """Where each buffer begins in ours, and new numbers of those that have no bytes at all."""
    starts: dict[int, int] = {}
    kept: dict[int, int] = {}
    empty: list[Json] = []
    for number, item in enumerate(document.items("buffers")):
        has_bytes = "uri" in item or (number == 0 and document.binary is not None)
        if not has_bytes:
            item.whole("byteLength")
            kept[number] = 1 + len(empty)
            empty.append(item.value)
        elif whole:
            starts[number] = builder.append(bytes(document.buffer(number)))
    builder.json["buffers"] = [{"byteLength": 0}, *empty]
    return starts, kept


def _embed_images(document: Document, builder: Builder, changes: list[str]) -> None:
    """Pictures beside the file come into it: the new file may stand elsewhere."""
    for number, item in enumerate(document.items("images")):
        uri = item.text("uri")
        if not uri or uri[:5].lower() == "data:":
            continue
        try:
            data = read_uri(item.at("uri"), uri)[0]
        except FileError as problem:
            changes.append(f"a picture is left where it is: {problem.message}")
            continue
        kind = next((k for mark, k in _IMAGES.items() if bytes(data[:4]).startswith(mark)), None)
        if kind is None:
            changes.append(f"a picture of an unknown kind is left where it is: {uri}")
            continue
        image = builder.json["images"][number]
        del image["uri"]
        image.update(bufferView=builder.view(bytes(data)), mimeType=kind)
