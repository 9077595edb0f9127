"""marotte edit OP: one command for each edit, its options made from the edit's model."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Any

import click

from .._options import as_argument
from ..edits import EDITS
from ..errors import UnknownNameError
from ._console import print_json
from ._formats import Reading, Writing, reading_options, writing_options
from ._models import options_of, values
from ._takes import inputs_argument, output_option, run


class _Edits(click.Group):
    """The edits by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(EDITS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        if cmd_name not in EDITS:
            raise UnknownNameError("edit", cmd_name, EDITS)
        return _command(cmd_name)


@click.group(cls=_Edits, subcommand_metavar="OP IN… -o OUT")
def edit() -> None:
    """Apply one edit to takes (files, or folders of them)."""


def _command(op: str) -> click.Command:
    model = EDITS[op]

    @click.command(op, short_help=model.summary, help=_help(op))
    @inputs_argument
    @output_option
    @reading_options
    @writing_options
    @click.option("--json", "as_json", is_flag=True, help="Print what was found and done for a script.")
    def command(
        inputs: tuple[Path, ...],
        output: Path,
        reading: Reading,
        writing: Writing,
        as_json: bool,
        **given: Any,
    ) -> None:
        chosen = model(**values(model, given))
        told: list[dict[str, object]] | None = [] if as_json else None
        try:
            run(inputs, output, chosen.apply, reading=reading, writing=writing, told=told)
        finally:
            if told is not None:
                print_json(told)

    made: click.Command = command
    made.params[2:2] = options_of(model)
    return made


def _help(op: str) -> str:
    model = EDITS[op]
    shown = next(((n, f.examples[0]) for n, f in model.model_fields.items() if f.examples), None)
    flag = f" --{shown[0].replace('_', '-')} {quote(as_argument(shown[1]))}" if shown else ""
    return f"{(model.__doc__ or '').strip()}\n\nExample: marotte edit {op} walk.bvh{flag} -o out.bvh"
