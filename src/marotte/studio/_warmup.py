"""Compiling in the background, so that no first use in the Studio has to wait for all of it."""

from __future__ import annotations

import logging
import threading
import time

from .. import __version__
from ..viewer import KernelState

_log = logging.getLogger(__name__)


class Warmup:
    """One thread that makes every kernel ready, and how far it is."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._state = KernelState(version=__version__, compiled=0, kernels=0, compiling="")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="marotte-warmup", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Finish the kernel at hand and no other."""
        self._stop.set()

    @property
    def state(self) -> KernelState:
        with self._lock:
            return self._state

    def _tell(self, compiled: int, kernels: int, compiling: str | None) -> None:
        with self._lock:
            self._state = KernelState(
                version=__version__, compiled=compiled, kernels=kernels, compiling=compiling
            )

    def _run(self) -> None:
        try:
            from ..kernels import compiling

            kernels = list(compiling.all_kernels(on_demand=False))
            for i, kernel in enumerate(kernels):
                if self._stop.is_set():
                    return
                self._tell(i, len(kernels), kernel.__name__)
                kernel.compile()
                # Whoever waits for a kernel of its own gets its turn before the next one.
                time.sleep(0.005)
            self._tell(len(kernels), len(kernels), None)
        except Exception:  # noqa: BLE001  # a thread has nobody above it: the page must learn that it ended
            _log.exception("compiling in the background failed; kernels are compiled when they are needed")
            state = self.state
            self._tell(state.compiled, state.kernels, None)
