"""The program that a foreign library runs in: _worker.py BACKEND, started by `_apart.py`, never imported.

It imports nothing of Marotte. BACKEND is a file beside a format with

    open_file(path)     what was opened, and a description of it that is plain JSON
    frames(opened, told)   blocks of bytes that a request asks for
    refusals()          the errors that the library raises for files that it cannot read
    reason(problem)     what such an error is called, and what it says

Requests are lines of JSON on standard input. Answers on standard output are eight bytes of length and
so much JSON; blocks of numbers follow where the JSON says so.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

REFUSED_LATE = 3
"""The exit code where frames of a file that could be opened cannot be read."""


def hold_memory(most: int) -> None:
    """Let the system refuse more memory than any file of motion needs, and leave no core file."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    except (ImportError, ValueError, OSError):
        pass  # Windows has none, some systems refuse


def load(path: str) -> Any:
    """The backend, as a module."""
    spec = spec_from_file_location("backend", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answer(value: dict[str, Any]) -> None:
    """Send one answer."""
    data = json.dumps(value).encode()
    sys.stdout.buffer.write(struct.pack("<q", len(data)) + data)
    sys.stdout.buffer.flush()


def main(path: str) -> None:
    told = json.loads(sys.stdin.readline())
    hold_memory(told["memory"])
    sys.path += told["folders"]
    backend = load(path)
    try:
        opened, description = backend.open_file(told["path"])
    except ImportError as problem:
        answer({"missing": str(problem)})
        return
    except MemoryError:
        answer({"refused": "OutOfMemoryError", "message": "it needs more memory than it may have"})
        return
    except backend.refusals() as problem:
        name, message = backend.reason(problem)
        answer({"refused": name, "message": message})
        return
    answer(description)
    for line in sys.stdin:
        try:
            for block in backend.frames(opened, json.loads(line)):
                sys.stdout.buffer.write(block)
        except backend.refusals():
            os._exit(REFUSED_LATE)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(sys.argv[1])
    sys.stdout.flush()
    os._exit(0)  # without tidying up: what libraries left half done must not matter
