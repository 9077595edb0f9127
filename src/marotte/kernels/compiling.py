"""How a plain function becomes a kernel: one signature, compiled on first call, cached for good.

`@kernel(IN3, OUT3, INT)` names the types that the arguments have. Inputs are declared
read-only, so that frozen arrays and fresh ones run the same machine code: a kernel is compiled
once, never once per flavour. `@inline` marks the small functions that kernels call.

The cache is kept in the user's cache folder under a fingerprint of all kernel sources. Numba by
itself watches only the file a function stands in, and would run stale code after a helper in
another file changed.
"""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar, cast

import numba
import platformdirs
from numba import types

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])

# Fast-math stays off: NaN stays NaN, and nothing is reordered.
FAST_MATH = False
# The one liberty, taken by quaternion algebra alone: a product and a sum may be one instruction,
# rounded once instead of twice. It makes forward kinematics a fifth faster; tests/kernels judges
# its precision.
FUSED = {"contract"}

INT = types.int64
FLOAT = types.float64
BOOL = types.boolean
IN1, IN2, IN3, IN4 = (types.Array(FLOAT, n, "C", readonly=True) for n in (1, 2, 3, 4))
OUT1, OUT2, OUT3, OUT4 = (types.Array(FLOAT, n, "C") for n in (1, 2, 3, 4))
INTS1, INTS2 = (types.Array(INT, n, "C", readonly=True) for n in (1, 2))
INTS_OUT1, INTS_OUT2 = (types.Array(INT, n, "C") for n in (1, 2))
FLAGS_OUT = types.Array(types.boolean, 2, "C")
BYTES = types.Array(types.uint8, 1, "C", readonly=True)
BYTES_OUT = types.Array(types.uint8, 1, "C")

_log = logging.getLogger("marotte")
_config: Any = numba.config  # its settings are made at run time, so that no type knows them
_lock = threading.RLock()


def cache_folder() -> Path:
    """Where compiled kernels of exactly these sources are kept."""
    base = os.environ.get("MAROTTE_CACHE_DIR") or platformdirs.user_cache_dir("marotte", False)
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return Path(base) / f"kernels-{digest.hexdigest()[:16]}"


# Functions inside kernels neither make arrays nor keep them, so they need not count references to
# them. Counting is atomic and happens at every call and every slice: without it kernels that pass
# many arrays down, as the solvers' do, take half the time.
_INSIDE: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}


def inline(function: F) -> F:
    """A small function for use inside kernels only; it may not allocate, nor return an array."""
    return cast(F, numba.njit(fastmath=FAST_MATH, **_INSIDE)(function))


def inline_fused(function: F) -> F:
    """As inline, for sums of products: they may be fused (FUSED)."""
    return cast(F, numba.njit(fastmath=FUSED, **_INSIDE)(function))


class Kernel(Generic[P, R]):
    """A function that compiles itself, for its one signature, when it is first called."""

    def __init__(self, function: Callable[P, R], signature: tuple[Any, ...]) -> None:
        self.function = function
        self.signature = signature
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self._compiled: Callable[P, R] | None = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        compiled = self._compiled
        if compiled is None:
            compiled = self.compile()
        return compiled(*args, **kwargs)

    @property
    def ready(self) -> bool:
        """Whether this process has its machine code."""
        return self._compiled is not None

    def compile(self) -> Callable[P, R]:
        """Load the machine code from the cache, or make it."""
        with _lock:
            if self._compiled is not None:
                return self._compiled
            if _config.DISABLE_JIT:
                self._compiled = self.function
                return self.function
            dispatcher = self._dispatcher()
            if self.on_demand and not self._is_cached():
                _log.info("compiling %s for this machine, which is done once", self._title())
            dispatcher.compile(self.signature)
            dispatcher.disable_compile()
            self._compiled = cast("Callable[P, R]", dispatcher)
            return self._compiled

    @property
    def on_demand(self) -> bool:
        """Whether its module takes long to compile and waits for its first call (see all_kernels)."""
        return bool(getattr(import_module(self.function.__module__), "ON_DEMAND", False))

    def _is_cached(self) -> bool:
        """Whether machine code of these sources is in the cache folder."""
        module = self.function.__module__.rpartition(".")[2]
        return any(cache_folder().glob(f"**/{module}.{self.__name__}-*.nbi"))

    def _title(self) -> str:
        return f"{self.function.__module__.rpartition('.')[2]}.{self.__name__}"

    def _dispatcher(self) -> Any:
        folder = cache_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            cached = os.access(folder, os.W_OK)
        except OSError:
            cached = False  # a read-only home: compile in memory, every time
        before = _config.CACHE_DIR
        _config.CACHE_DIR = str(folder) if cached else before
        try:
            return numba.njit(nogil=True, cache=cached, fastmath=FAST_MATH, error_model="numpy")(
                self.function
            )
        finally:
            _config.CACHE_DIR = before


def kernel(*signature: Any) -> Callable[[Callable[P, R]], Kernel[P, R]]:
    """Declare a kernel with the types of its arguments."""
    return lambda function: Kernel(function, signature)


def all_kernels(*, on_demand: bool = True) -> Iterator[Kernel[..., Any]]:
    """Every kernel of the room, in the order of modules and definitions.

    Modules that say `ON_DEMAND = True` take long to compile, and not everybody needs them: without
    `on_demand` they are left out, and compile when they are first called.
    """
    for source in sorted(Path(__file__).parent.glob("*.py")):
        if source.stem in ("__init__", "compiling"):
            continue
        module = import_module(f"{__package__}.{source.stem}")
        if not on_demand and getattr(module, "ON_DEMAND", False):
            continue
        for value in list(vars(module).values()):
            if isinstance(value, Kernel) and value.function.__module__ == module.__name__:
                yield value
