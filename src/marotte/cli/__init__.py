"""The command line: one file a command.

Belongs here: reading arguments, calling one function of a room below, printing what came out.
Does not belong here: anything that Python, the Studio or a recipe would want as well.
"""

from ._app import main

__all__ = ["main"]
