"""Build hook: a wheel or an sdist made from a checkout brings the built front end along.

Pages that are built already, from just these sources, are taken as they are. Without Node the rest is
packed, and whoever opens a page is told then. MAROTTE_FRONT_END=require makes that an error (for
releases); MAROTTE_FRONT_END=skip packs without building. An editable install builds nothing: it shows
what stands in the checkout, and `make web` puts it there.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CHOICES = ("auto", "require", "skip")


def _front_end(root: Path) -> ModuleType:
    """tools/front_end.py, loaded by its path: tools is no package where only an sdist is unpacked."""
    spec = spec_from_file_location("marotte_front_end", root / "tools" / "front_end.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(f"{root / 'tools' / 'front_end.py'} is needed to build Marotte")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class FrontEndHook(BuildHookInterface[Any]):
    """Runs npm in web/ before files are packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        choice = os.environ.get("MAROTTE_FRONT_END") or "auto"
        if choice not in CHOICES:
            raise ValueError(f"MAROTTE_FRONT_END must be one of {', '.join(CHOICES)}; it is {choice!r}")
        if version == "editable" or choice == "skip":
            return
        root = Path(self.root)
        front_end = _front_end(root)
        if front_end.is_current(root):
            return
        problem = front_end.node_problem(root)
        if problem is None:
            front_end.build(root, self._run)
        elif choice == "require":
            raise RuntimeError(f"{problem}: the front end cannot be built (MAROTTE_FRONT_END=require)")
        else:
            self.app.display_warning(
                f"{problem}: Marotte is installed without its pages (`marotte view`, `marotte studio`)."
                " Install Node and install Marotte again to have them."
            )

    def _run(self, title: str, command: list[str], folder: Path) -> None:
        self.app.display_info(f"{title}: {' '.join(command)}")
        quiet = _front_end(Path(self.root)).QUIET_NPM
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **quiet},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(
                f"{title}: {' '.join(command)} exited {done.returncode}\n{done.stdout[-4000:]}"
            )
