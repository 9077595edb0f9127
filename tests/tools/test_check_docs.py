"""A document whose code does not do what it shows is found, with file and line."""

from __future__ import annotations

import subprocess
import sys
from textwrap import dedent

import pytest

from tools import check_docs
from tools.steps import ROOT


@pytest.fixture
def check(tmp_path):
    """Write a document and run the checker over it, as make does; its exit code and what it said."""

    def run(markdown):
        path = tmp_path / "page.md"
        path.write_text(dedent(markdown), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "tools.check_docs", str(path)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stderr

    return run


def test_later_blocks_see_names_and_files_of_earlier_ones(check):
    code, said = check(
        """\
        ```python
        from pathlib import Path
        count = 2
        Path("made.txt").write_text("x" * count)
        ```
        Text between.

        1. In a list:

           ```python
           assert Path("made.txt").read_text() == "xx"
           ```
        """
    )
    assert (code, said) == (0, "")


def test_a_failed_assertion_names_file_line_and_code(check):
    code, said = check(
        """\
        # Title

        ```python
        value = 1
        assert value == 2, "not two"
        ```
        """
    )
    assert code == 1
    assert "page.md:5: AssertionError: not two" in said
    assert "assert value == 2" in said


def test_the_line_is_the_documents_even_when_a_function_of_it_fails_deeper(check):
    code, said = check(
        """\
        ```python
        import json
        def read(text):
            return json.loads(text)
        ```
        ```python
        read("{")
        ```
        """
    )
    assert code == 1
    assert "page.md:4: json.decoder.JSONDecodeError" in said


def test_a_syntax_error_names_its_line(check):
    code, said = check("```python\nx = 1\ny = = 2\n```\n")
    assert code == 1
    assert "page.md:3: " in said
    assert "SyntaxError" in said


def test_leaving_early_is_a_failure(check):
    code, said = check("```python\nraise SystemExit(0)\n```\n")
    assert code == 1
    assert "page.md:2: SystemExit" in said


def test_shown_output_is_compared(check):
    assert check("```python\n>>> 1 + 1\n2\n>>> x = 3\n```\n```python\nassert x == 3\n```\n") == (0, "")
    code, said = check("Some text.\n\n```pycon\n>>> 1 + 1\n3\n```\n")
    assert code == 1
    assert "page.md:4" in said
    assert "Expected:" in said


@pytest.mark.parametrize("info", ["python no-run", "text", "yaml", "", "console no-run"])
def test_what_is_not_to_run_does_not(check, info):
    assert check(f"```{info}\n$ marotte this-is-no-command\n```\n") == (0, "")


def test_a_marotte_command_must_succeed(check):
    code, said = check("Do:\n\n```console\n$ ls /\nbin\n$ marotte this-is-no-command\n```\n")
    assert code == 1
    assert "page.md:6: `marotte this-is-no-command` exited" in said


def test_commands_are_found_with_their_lines_and_continuations():
    block = check_docs.Block(
        words=("console",),
        text="$ marotte info a.bvh \\\n>   --json\noutput\n$ cat x\n$ marottes\n$ marotte doctor\n",
        line=10,
    )
    assert list(check_docs.commands_of(block)) == [
        (10, "marotte info a.bvh --json"),
        (15, "marotte doctor"),
    ]


def test_a_link_must_lead_somewhere(check, tmp_path):
    (tmp_path / "other.md").write_text("# One `code` thing\n\n## Twice\n\n## Twice\n")
    fine = (
        "[a](other.md#one-code-thing) [b](other.md#twice-1) [c](#here) [d](https://example.org/x)\n\n# Here\n"
    )
    assert check(fine) == (0, "")
    code, said = check("# Title\n\nSee [this](missing.md) and [that](other.md#thrice).\n\n![p](no.png)\n")
    assert code == 1
    assert "page.md:3: links to missing.md, which is not there" in said
    assert "page.md:3: links to other.md#thrice, and other.md has no such heading" in said
    assert "page.md:5: links to no.png" in said
