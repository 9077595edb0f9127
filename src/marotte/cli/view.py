"""marotte view"""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click

from ._console import note, say
from ._formats import Reading, reading_options
from ._takes import A_FILE


@click.command()
@click.argument("file", metavar="FILE", type=A_FILE)
@click.argument("ghost", metavar="[GHOST]", type=A_FILE, required=False)
@click.option("--output", "-o", metavar="PAGE", type=A_FILE, help="Page to write (FILE.html if left out).")
@click.option("--open", "open_page", is_flag=True, help="Show the page in the browser.")
@reading_options
def view(file: Path, ghost: Path | None, output: Path | None, open_page: bool, reading: Reading) -> None:
    """Write one self-contained page that plays FILE, with GHOST translucent beside it.

    The page needs no network and nothing to be installed.

    Example: marotte view walk.bvh -o player.html
    """
    from .. import viewer

    files = [p for p in (file, ghost) if p is not None]
    reading.check(files)
    takes = [reading.load(p) for p in files]
    for take in takes:
        for text in take.source.notes:
            note(text)
    page = output if output is not None else Path(file.name).with_suffix(".html")
    viewer.write_page(page, takes, title=file.stem)
    say(f"wrote {page}")
    if open_page:
        webbrowser.open(page.resolve().as_uri())
