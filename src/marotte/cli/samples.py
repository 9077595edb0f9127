"""marotte samples: the built-in takes, each with the options of its model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .. import formats
from .. import samples as takes
from ._console import print_json, print_table, say
from ._models import options_of, values
from ._takes import A_FILE


class _Takes(click.Group):
    """The takes by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(takes.names())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        return _command(cmd_name)


@click.group(cls=_Takes, invoke_without_command=True, subcommand_metavar="[NAME] [-o FILE]")
@click.option("--json", is_flag=True, help="List them for a script.")
@click.pass_context
def samples(context: click.Context, json: bool) -> None:
    """List the built-in takes, or write one of them to a file.

    Example: marotte samples walk --style tired -o tired.bvh
    """
    if context.invoked_subcommand is not None:
        return
    if json:
        print_json([{"name": name, "summary": takes.summary(name)} for name in takes.names()])
        return
    print_table(["take", "what it is"], [[name, takes.summary(name)] for name in takes.names()])
    print("\nmarotte samples NAME -o FILE writes one; marotte samples NAME --help lists its options")


def _command(name: str) -> click.Command:
    model = takes.options(name)

    @click.command(name, short_help=takes.summary(name), help=f"{takes.summary(name)}.")
    @click.option(
        "--output", "-o", metavar="FILE", type=A_FILE, help=f"File to write ({name}.bvh if left out)."
    )
    def command(output: Path | None, **given: Any) -> None:
        motion = takes.make(name, **values(model, given))
        target = output if output is not None else Path(f"{name}.bvh")
        formats.save(motion, target)
        say(f"wrote {target}: {len(motion)} frames at {motion.frame_rate:g} Hz")

    made: click.Command = command
    made.params += options_of(model)
    return made
