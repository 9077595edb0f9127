"""marotte check"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError, MarotteError, RuleError
from ._console import complain, note, print_json, print_table, progress, say
from ._formats import Reading, reading_options
from ._takes import expand, extensions, inputs_argument

if TYPE_CHECKING:
    from ..constraints import LinearRule, LockRule, NonlinearRule, Violations

    AnyRule = LinearRule | NonlinearRule | LockRule


@click.command()
@inputs_argument
@click.option(
    "--rules", "-r", metavar="FILE|TEXT", multiple=True,
    help="A file of rules, or rules themselves; left out, those that stand beside each take.",
)  # fmt: skip
@click.option(
    "--base", "-b", metavar="NAME", multiple=True, help="Built-in rules: walking, standing or sitting."
)
@reading_options
@click.option("--json", is_flag=True, help="Print for a script.")
def check(
    inputs: tuple[Path, ...], rules: tuple[str, ...], base: tuple[str, ...], reading: Reading, json: bool
) -> None:
    """Say where takes break rules; exit code 1 when they do.

    \b
    Examples:
      marotte check walk.bvh --rules "left_toes.y >= 0.005"
      marotte check walk.bvh --base walking
      marotte check takes/ --rules feet.rules --json
    """
    from ..constraints import base as base_of
    from ..constraints import find_violations

    given = [rule for name in base for rule in base_of(name)]
    given += [rule for said in rules for rule in _rules(said)]
    if rules and not given:
        raise InputError("--rules must hold a rule, such as 'left_toes.y >= 0', but holds none")
    several = len(inputs) > 1 or any(p.is_dir() for p in inputs)
    takes = [path for path, _ in expand(inputs, extensions("reader"))]
    reading.check(takes)
    answers: list[dict[str, Any]] = []
    failed = broken = 0
    with progress("takes") as tell:
        for i, path in enumerate(takes):
            tell(i / len(takes), path.name)
            try:
                chosen = given or _beside(path)
                motion = reading.load(path)
                found = find_violations(motion, chosen)
            except MarotteError as problem:
                if not several:
                    raise
                failed += 1
                complain(str(problem) if str(path) in str(problem) else f"{path}: {problem}")
                answers.append({"path": str(path), "error": str(problem)})
                continue
            for text in motion.source.notes:
                note(f"{path}: {text}" if several else text)
            broken += bool(len(found))
            answers.append({"path": str(path), **found.to_data()})
            if not json:
                _print(path, chosen, found, several)
    if json:
        print_json({"takes": answers} if several else {"violations": answers[0]["violations"]})
    elif several:
        say(f"{broken} of {len(takes)} takes break a rule" + (f", {failed} failed" if failed else ""))
    if broken or failed:
        raise click.exceptions.Exit(1)


def _rules(said: str) -> Sequence[AnyRule]:
    """Rules of a file, or the rules that were said."""
    from ..constraints import load_rules, parse_rules
    from ..constraints.data import names_file

    path = Path(said)
    if names_file(said) or _is_file(path):
        return load_rules(path)
    try:
        return parse_rules(said)
    except RuleError as problem:  # a mistake of the command, not of a file
        raise InputError(f"--rules: {problem}") from None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # longer than a name can be: rules
        return False


def _beside(path: Path) -> Sequence[AnyRule]:
    from ..constraints import rules_beside, rules_file_of

    found = rules_beside(path)
    if not found:
        beside = rules_file_of(path)
        raise InputError(
            f"{beside}: holds no rule" if beside else
            f"--rules or --base must be given: no {path.stem}.rules stands beside {path}"
        )  # fmt: skip
    return found


def _print(path: Path, rules: Sequence[AnyRule], found: Violations, several: bool) -> None:
    if not len(found):
        say(f"{path}: {len(rules)} rule{'s' if len(rules) > 1 else ''} hold{'' if len(rules) > 1 else 's'}")
        return
    if several:
        print(path)
    rows = [
        [v.label, _frames(v.begin, v.end), str(v.frame), f"{v.amount:.4g}", v.unit] for v in found
    ]  # fmt: skip
    print_table(["rule", "frames", "worst at", "by", ""], rows, right=(1, 2, 3), indent=2 if several else 0)
    if several:
        print()


def _frames(begin: int, end: int) -> str:
    return str(begin) if begin == end else f"{begin}–{end}"
