"""marotte warmup"""

from __future__ import annotations

import time

import click

from ._console import progress, say


@click.command()
def warmup() -> None:
    """Compile everything ahead, so that no first use has to wait. Needed once a machine and version."""
    from ..kernels import compiling

    started = time.perf_counter()
    kernels = list(compiling.all_kernels())
    with progress("compiling") as tell:
        for i, kernel in enumerate(kernels):
            tell(i / len(kernels), kernel.__name__)
            kernel.compile()
    say(
        f"{len(kernels)} kernels ready in {time.perf_counter() - started:.1f} s, "
        f"kept in {compiling.cache_folder()}"
    )
