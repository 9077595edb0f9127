"""Opening a file, and saying what it is when it is not what its name says."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from ..errors import FileError

_NO_FIGURE = (
    " without a skeleton; solve the markers onto a figure first, in the program that captured them, "
    "and export that as BVH, FBX or glTF"
)
_PICKLE = (
    "a Python pickle, which may run any program when it is opened and is therefore refused; open it "
    "where you trust it, and save its arrays with numpy.savez"
)
_KINDS = (
    (b"\x1f\x8b", "a gzip archive; unpack it first"),
    (b"PK\x03\x04", "a zip archive; unpack it first (or name it .npz or .usdz, if it is one)"),
    (b"\xff\xfe", "UTF-16 text; save it as UTF-8"),
    (b"\xfe\xff", "UTF-16 text; save it as UTF-8"),
    (b"glTF", "a binary glTF; name it .glb"),
    (b"Kaydara FBX", "an FBX; name it .fbx"),
    (b"; FBX", "an FBX; name it .fbx"),
    (b"PXR-USDC", "a binary USD; name it .usdc"),
    (b"#usda", "a USD text; name it .usda"),
    (b"\x93NUMPY", "a single NumPy array; name it .npy"),
    (b"HIERARCHY", "a BVH; name it .bvh"),
    (b"version https://git-lfs", "a Git LFS pointer, not the file itself; fetch it with `git lfs pull`"),
    (b"PathFileType", f"marker positions (TRC){_NO_FIGURE}"),
    (b"\x02P", f"marker positions (C3D){_NO_FIGURE}"),
    (b"\x80\x02", _PICKLE),
    (b"\x80\x03", _PICKLE),
    (b"\x80\x04", _PICKLE),
    (b"\x80\x05", _PICKLE),
    (b":FULLY-SPECIFIED", "Acclaim motion; name it .amc"),
    (b":version", "an Acclaim skeleton; name it .asf"),
    (b"<!DOCTYPE", "a web page; was the download an error message?"),
    (b"<html", "a web page; was the download an error message?"),
)


def open_file(path: Path) -> BinaryIO:
    """The file, opened to be read; a FileError where that cannot be."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise FileError("must be a file, but is a folder or a device", path=path)
        return open(path, "rb")
    except OSError as problem:
        raise FileError(f"cannot be read: {problem.strerror or problem}", path=path) from None
    except ValueError as problem:  # a NUL in the name
        raise FileError(f"is no name that a file can have: {problem}", path=path) from None


def read_whole(path: Path, most: int, what: str) -> bytes:
    """All bytes of a file that must not be larger than `most`."""
    with open_file(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > most:
            raise FileError(
                f"{what} of more than {most >> 20} MB is refused, but this has {size:,} bytes", path=path
            )
        return file.read()


def kind_of(data: bytes) -> str | None:
    """What a file is by its first bytes, with what to do; None where they say nothing."""
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    return next((kind for mark, kind in _KINDS if data.startswith(mark)), None)


def what_it_is(data: bytes) -> str | None:
    """As `kind_of`, and for what no reader's own check has to tell apart."""
    if data.lstrip().startswith(b"{"):
        if b'"asset"' in data:
            return "a glTF; name it .gltf"
        if b'"Frames"' in data and b'"Loop"' in data:
            return (
                "motion for DeepMimic, whose numbers belong to a humanoid that stands elsewhere; "
                "convert it to BVH, or to a CSV with names and a skeleton (docs/formats.md)"
            )
    return kind_of(data)


def refuse_others(data: bytes, path: Path, wanted: str, own: bytes = b"") -> None:
    """Raise a FileError that says what the file is, where its first bytes show that it is not `wanted`.

    `own` is how files of the wanted kind may begin, if others are told by the same bytes.
    """
    if not data.strip():
        raise FileError(f"must be {wanted}, but the file is empty", path=path, line=1)
    kind = kind_of(data)
    if kind is not None and not (own and data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(own)):
        raise FileError(f"must be {wanted}, but is {kind}", path=path)
    if b"\0" in data[:4096]:
        raise FileError(f"must be {wanted}, which is text, but the file is binary", path=path)


def text_of(data: bytes) -> tuple[str, str]:
    """The text, and the encoding that it was taken to be in. Every byte means something in Latin-1."""
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"
