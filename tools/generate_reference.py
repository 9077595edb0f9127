"""Write docs/edits.md, the reference of all edits, from their option models.

python tools/generate_reference.py            write it
python tools/generate_reference.py --check    fail if it is not what the models say
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from marotte._options import OptionInfo, as_argument, describe
from marotte.edits import EDITS, Edit

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "edits.md"

HEAD = """\
<!-- Written by tools/generate_reference.py from the models in src/marotte/edits. Run `make format`. -->
# Edits

Every edit can be used in three ways that mean the same: as a command, as a step of a recipe, and in
Python. Options that are left out have their defaults; mistakes are answered with what to write.
The commands below work on any take; here on a built-in walk:

```console
$ marotte samples walk -o walk.bvh
```
"""


def page() -> str:
    parts = [HEAD]
    for op, edit in EDITS.items():
        parts.extend(_edit(op, edit))
    return "\n".join(parts)


def _edit(op: str, edit: type[Edit]) -> Iterator[str]:
    infos = list(describe(edit))
    shown = {i.name: i.example for i in infos if i.required} or {
        i.name: i.example for i in infos[:1] if i.example is not None
    }
    yield f"## {op}"
    yield (edit.__doc__ or "").strip() + "\n"
    if infos:
        yield "| option | value | default | effect |\n|---|---|---|---|"
        for info in infos:
            yield _row(info)
        yield ""
    step: Any = {op: shown} if shown else op
    recipe = yaml.safe_dump([step], sort_keys=False, default_flow_style=None).strip()
    flags = "".join(f" --{name.replace('_', '-')} {as_argument(value)}" for name, value in shown.items())
    arguments = ", ".join(f"{name}={value!r}" for name, value in shown.items())
    yield f"```yaml\n{recipe}\n```"
    yield f"```console\n$ marotte edit {op} walk.bvh{flags} -o out.bvh\n```"
    yield (
        "```python\nimport marotte as mt\n\n"
        f"out = mt.{edit.__name__}({arguments}).apply(mt.samples.walk())\n```\n"
    )


def _row(info: OptionInfo) -> str:
    value = info.kind + (f", {info.unit}" if info.unit else "") + (f", {info.range}" if info.range else "")
    default = "required" if info.required else _default(info)
    effect = info.effect + (f". Overdone: {info.harm}" if info.harm else "")
    return f"| `{info.name}` | {value} | {default} | {effect} |".replace("\n", " ")


def _default(info: OptionInfo) -> str:
    shown = "" if info.default is None else as_argument(info.default)
    return f"`{shown}`" if shown else "none"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the page is not current")
    wanted = page()
    if parser.parse_args().check:
        if not TARGET.is_file() or TARGET.read_text(encoding="utf-8") != wanted:
            print(f"{TARGET.relative_to(ROOT)} is not what the models say: run `make format`")
            return 1
        return 0
    TARGET.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
