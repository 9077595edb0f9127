"""The `marotte` command: what there is, and how mistakes and failures end.

Exit codes: 0 done; 1 something was found, or the data failed; 2 the command was misused.
"""

from __future__ import annotations

import logging
import os
import sys
import warnings
from importlib import import_module

import click

from .. import __version__
from ..errors import InputError, MarotteError, UnknownNameError
from ._console import complain, note

# Each command is `function` in a module of its own name, imported when it is called, so that
# `marotte info` never loads what the Studio needs.
COMMANDS = (
    "studio",
    "info",
    "bands",
    "convert",
    "view",
    "edit",
    "apply",
    "retarget",
    "correspond",
    "check",
    "report",
    "contacts",
    "samples",
    "shapes",
    "bench",
    "warmup",
    "doctor",
)


class _Commands(click.Group):
    """The commands by name, loaded late."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        if cmd_name not in COMMANDS:
            raise UnknownNameError("command", cmd_name, COMMANDS)
        command: click.Command = getattr(import_module(f".{cmd_name}", __package__), cmd_name)
        return command


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Every command explains itself: marotte COMMAND --help",
)
@click.version_option(__version__, prog_name="marotte", message="%(prog)s %(version)s")
def app() -> None:
    """Edit the motion you have instead of capturing it again."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    warnings.showwarning = lambda message, *_, **__: note(str(message))
    _tell_what_takes_long()
    try:
        code = app.main(args=arguments, prog_name="marotte", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.exceptions.NoArgsIsHelpError as help_text:
        print(help_text.format_message())
        return 2
    except click.ClickException as problem:
        problem.show()
        return problem.exit_code
    except (click.Abort, KeyboardInterrupt):
        complain("stopped")
        return 130
    except InputError as problem:
        complain(str(problem))
        return 2
    except MarotteError as problem:
        complain(str(problem))
        return 1
    except BrokenPipeError:  # `marotte info … | head`: the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


class _Notes(logging.Handler):
    """What the package says of its work, as notes."""

    def emit(self, record: logging.LogRecord) -> None:
        note(record.getMessage())


def _tell_what_takes_long() -> None:
    log = logging.getLogger("marotte")
    if not any(isinstance(handler, _Notes) for handler in log.handlers):
        log.addHandler(_Notes())
        log.setLevel(logging.INFO)
