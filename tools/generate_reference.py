"""Write the reference of all edits and of all built-in takes, in docs/, from their option models.

python -m tools.generate_reference            write them
python -m tools.generate_reference --check    fail if they are not what the models say
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from shlex import quote
from typing import Any

import yaml

from marotte import samples
from marotte._options import OptionInfo, as_argument, describe
from marotte.edits import EDITS, Edit

ROOT = Path(__file__).resolve().parent.parent

EDITS_HEAD = '''\
<!-- Written by tools/generate_reference.py from the models in src/marotte/edits. Run `make format`. -->
# Edits

Every edit can be used in three ways that mean the same: as a command, as a step of a recipe, and in
Python. Options that are left out have their defaults; mistakes are answered with what to write.
The commands below work on any take; here on a built-in walk:

```console
$ marotte samples walk -o walk.bvh
$ marotte samples wave -o wave.bvh
$ marotte samples run -o run.bvh
$ marotte samples walk --style brisk -o march.bvh
```

`terrain` wants a scene, such as these hills:

```python
from pathlib import Path

Path("hills.yaml").write_text("""\\
marotte_scene: 1
objects:
  - name: hills
    heights:
      grid: [[0, 0.3, 0, 0.4], [0.2, 0, 0.3, 0], [0, 0.2, 0, 0.3], [0.1, 0, 0.2, 0]]
      spacing: 2
      origin: [-3, -1]
      surface: nurbs
""")
```
'''


TAKES_HEAD = """\
<!-- Written by tools/generate_reference.py from the models in src/marotte/samples. Run `make format`. -->
# Built-in takes

Motion that needs no download: made by rule, the same every time, with options for its manner. Every
take knows when its feet, hands and knees truly touch something (`motion.contacts`), so that what finds
contacts can be judged by it; some carry named points such as a cup (`motion.points`), and what a
climber's hands and feet hold is named (`Contact.on`).

```console
$ marotte samples
$ marotte samples walk --style tired -o tired.bvh
```
```python
import marotte as mt

tired = mt.samples.walk(style="tired", seconds=4)
sneak = mt.samples.make("walk", style="sneak", seed=3)
print([(c.role, c.first, c.last) for c in tired.contacts])
```

All takes are performed by `performer`, an adult of 1.75 m with 57 degrees of freedom. It stands on
y = 0, begins at the origin and faces +Z; its left is +X. Two options belong to every take:

COMMON

## How they are made
- **Feet first.** A take begins with its footprints. A foot on the ground turns about its heel, its
  ball or the tips of its toes, and the point it turns about does not move; so nothing slides. In the
  air a leg is led by the angles of its knee and hip.
- **Mass next.** The hips are moved until the centre of mass, with the body-segment shares of
  de Leva (1996), is where it must be: over the feet in slow takes, on a parabola in flight.
- **Hands and knees that bear weight** are planned like feet. A crawler's hips ride on spheres about
  the knees that kneel; rise, fall and listing of the pelvis follow. In a handstand the shoulders ride
  on spheres about the wrists, and the body tips until its mass is over the hands.
- **Then the rest**: trunk, head and arms follow curves with continuous acceleration, each a little
  later than what drives it.
- **Hands** are led from where they hang to a door, a drum, a cup or a target along paths with the
  speed of the minimum-jerk curve (Flash and Hogan 1985); eyes and hips move first. What a hand
  touches it touches with a named point that rests there, and `motion.contacts` says when. Trunk and
  knees help an arm by as little as it lacks.
- **Figures.** Rhythm and step length follow the walk ratio (Sekiya); stance, swing and the rolling of
  feet follow gait laboratories (Perry; Winter); running follows Novacheck; crawling follows
  Patrick, Noah and Yang, and Righetti and others; the order and speeds of a golf swing follow
  Cheetham, Meister and Steele; jumps follow Bobbert, throws Fleisig, the shot put Zatsiorsky and
  Lanka. What a take takes from elsewhere is said with it.
- **Things.** What is held or hit is a named point: a box's `object`, a club's `club_head`, which
  meets the `ball` on the slope that the swing is made for.

Tests hold every take, at the ends of every option, to this: planted feet, hands and knees slide less
than 1 mm, nothing is deeper than 1 mm below the ground, knees and elbows bend their own way only,
joints stay within limits and below speeds and accelerations that people reach, 30 Hz and 120 Hz
sample the same motion, and contacts found by `detect_contacts` agree with the true ones.

## What they are not
- No recorded people: they lack the small irregularities of captured motion, except for the drift that
  seeds draw. Do not judge a method for real takes by them alone.
- Forces are not simulated: only the centre of mass obeys gravity.
- Fingers are not posed; the figure has none, so that it knocks with the back of a flat hand.
- Doors, drums, tables and cups are places in the world, said with the take; nothing draws them.
- Ropes hang straight, whatever hangs on them.
- Soles are lines from heel to tip; a foot does not roll to its side.
"""

Page = Callable[[], str]


def edits_page() -> str:
    parts = [EDITS_HEAD]
    for op, edit in EDITS.items():
        parts.extend(_edit(op, edit))
    return "\n".join(parts)


def takes_page() -> str:
    parts = [TAKES_HEAD.replace("COMMON", "\n".join(_table(describe(samples.TakeOptions))).strip())]
    for name in samples.names():
        parts.extend(_take(name))
    return "\n".join(parts)


PAGES: Mapping[Path, Page] = {
    ROOT / "docs" / "edits.md": edits_page,
    ROOT / "docs" / "samples.md": takes_page,
}


def _take(name: str) -> Iterator[str]:
    model = samples.options(name)
    summary = samples.summary(name)
    yield f"## {name.replace('_', ' ')}"
    yield f"{summary[0].upper()}{summary[1:]}. {inspect.cleandoc(model.__doc__ or '')}\n"
    infos = [i for i in describe(model) if i.name not in samples.TakeOptions.model_fields]
    yield from _table(infos)
    shown = next(((i.name, i.example) for i in infos if i.example is not None), None)
    flag = f" --{shown[0].replace('_', '-')} {as_argument(shown[1])}" if shown else ""
    argument = f"{shown[0]}={shown[1]!r}" if shown else ""
    yield f"```console\n$ marotte samples {name}{flag} -o {name}.bvh\n```"
    yield f"```python\n{name} = mt.samples.{name}({argument})\n```\n"


def _edit(op: str, edit: type[Edit]) -> Iterator[str]:
    infos = list(describe(edit))
    shown = {i.name: i.example for i in infos if i.required} or {
        i.name: i.example for i in infos[:1] if i.example is not None
    }
    yield f"## {op}"
    yield (edit.__doc__ or "").strip() + "\n"
    yield from _table(infos)
    step: Any = {op: shown} if shown else op
    recipe = yaml.safe_dump([step], sort_keys=False, default_flow_style=None).strip()
    flags = "".join(f" --{n.replace('_', '-')} {quote(as_argument(v))}" for n, v in shown.items())
    arguments = ", ".join(f"{name}={value!r}" for name, value in shown.items())
    yield f"```yaml\n{recipe}\n```"
    yield f"```console\n$ marotte edit {op} walk.bvh{flags} -o out.bvh\n```"
    yield (
        "```python\nimport marotte as mt\n\n"
        f"out = mt.{edit.__name__}({arguments}).apply(mt.samples.walk())\n```\n"
    )


def _table(options: Iterable[OptionInfo]) -> Iterator[str]:
    infos = list(options)
    if infos:
        yield "| option | value | default | effect |\n|---|---|---|---|"
        for info in infos:
            yield _row(info)
        yield ""


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
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page is not current")
    check = parser.parse_args().check
    stale = 0
    for target, page in PAGES.items():
        wanted = page()
        if target.is_file() and target.read_text(encoding="utf-8") == wanted:
            continue
        if check:
            print(f"{target.relative_to(ROOT)} is not what the models say: run `make format`")
            stale += 1
        else:
            target.write_text(wanted, encoding="utf-8")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
