"""marotte studio"""

from __future__ import annotations

from pathlib import Path

import click

from ._takes import A_FILE


@click.command()
@click.argument("files", metavar="[FILES…]", type=A_FILE, nargs=-1)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Port on this machine; 0 takes a free one."
)
@click.option("--no-open", is_flag=True, help="Only print the link.")
def studio(files: tuple[Path, ...], port: int, no_open: bool) -> None:
    """Open the Studio in the browser, with FILES beside the built-in takes.

    It listens on this machine only; Ctrl-C ends it.
    """
    from ..studio import serve

    serve(files, port=port, open_browser=not no_open)
