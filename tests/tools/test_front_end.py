"""The front end is built when, and only when, what stands there does not come from these sources."""

from __future__ import annotations

import json
import os

import pytest

from tools import front_end


@pytest.fixture
def checkout(tmp_path):
    """A checkout whose front end is made by writing down the two pages."""
    web = tmp_path / "web"
    (web / "src").mkdir(parents=True)
    (web / "package.json").write_text(json.dumps({"engines": {"node": "^20.19.0 || >=22.12.0"}}))
    (web / "package-lock.json").write_text("{}")
    (web / "src" / "main.ts").write_text("one")
    return tmp_path


class Npm:
    """Stands in for npm: these tests judge when it is called, the real one runs in `make test`."""

    def __init__(self, root, *, forgets=False):
        self.root = root
        self.forgets = forgets
        self.calls = []

    def __call__(self, title, command, folder):
        self.calls.append(command[1])
        if command[1] == "ci":
            (folder / "node_modules").mkdir(exist_ok=True)
        elif not self.forgets:
            for output in front_end.OUTPUTS:
                (self.root / output).parent.mkdir(parents=True, exist_ok=True)
                (self.root / output).write_text("<html>")


def test_built_once_and_again_when_sources_change(checkout):
    npm = Npm(checkout)
    front_end.build(checkout, npm)
    front_end.build(checkout, npm)
    assert npm.calls == ["ci", "run"]

    (checkout / "web" / "src" / "main.ts").write_text("two")
    front_end.build(checkout, npm)
    assert npm.calls == ["ci", "run", "run"]

    (checkout / "web" / "package-lock.json").write_text("{ }")
    front_end.build(checkout, npm)
    assert npm.calls == ["ci", "run", "run", "ci", "run"]


def test_a_page_that_was_removed_is_built_again(checkout):
    npm = Npm(checkout)
    front_end.build(checkout, npm)
    (checkout / front_end.OUTPUTS[0]).unlink()
    assert not front_end.is_current(checkout)
    front_end.build(checkout, npm)
    assert front_end.is_current(checkout)


def test_a_source_that_moved_counts_as_changed(checkout):
    front_end.build(checkout, Npm(checkout))
    (checkout / "web" / "src" / "main.ts").rename(checkout / "web" / "src" / "other.ts")
    assert not front_end.is_current(checkout)


def test_a_build_that_leaves_no_page_is_an_error_and_not_remembered(checkout):
    with pytest.raises(FileNotFoundError, match=r"player\.html.*did not come of it"):
        front_end.build(checkout, Npm(checkout, forgets=True))
    assert not front_end.is_current(checkout)


def fake_node(folder, version):
    folder.mkdir()
    for name in ("node", "npm"):
        program = folder / name
        program.write_text(f"#!/bin/sh\necho {version}\n")
        program.chmod(0o755)
    return str(folder)


@pytest.mark.parametrize(
    ("version", "fine"),
    [
        ("v20.19.0", True),
        ("v20.20.2", True),
        ("v22.12.0", True),
        ("v25.0.0-nightly", True),
        ("v18.20.4", False),
        ("v20.18.9", False),
        ("v21.7.0", False),
        ("v22.11.0", False),
    ],
)
def test_which_node_will_do(checkout, tmp_path, version, fine):
    problem = front_end.node_problem(checkout, fake_node(tmp_path / "bin", version))
    assert (problem is None) is fine
    if not fine:
        assert version in str(problem)


def test_no_node_is_said_plainly(checkout, tmp_path):
    problem = front_end.node_problem(checkout, str(tmp_path / "nothing") + os.pathsep)
    assert problem == "Node (^20.19.0 || >=22.12.0, with npm) is not on PATH"
