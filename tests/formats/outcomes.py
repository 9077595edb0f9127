"""What comes of a file that may be broken."""

from __future__ import annotations

import warnings
from pathlib import Path

from marotte import formats
from marotte.errors import FileError
from marotte.figure import Motion


def outcome(path: Path) -> Motion | FileError:
    """What came of a file; anything else than these two fails the test."""
    found: Motion | FileError
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = formats.load(path)
        except FileError as problem:
            found = problem
    if isinstance(found, FileError):
        assert found.path == str(path)
    return found
