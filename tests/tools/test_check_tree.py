"""What must not stand in anybody's tree is found, by file and line."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools import check_tree

REGISTRY = "pypi" + ".org"


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "checkout"
    root.mkdir()
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    (root / "fine.py").write_bytes(b"value = '/etc/hosts' + 'docs/home/page'\n")
    return root


def found(root):
    return list(check_tree.problems(root))


def test_a_clean_tree_has_nothing(tree):
    assert found(tree) == []


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (f"index = https://{REGISTRY}/simple", f"names the package registry {REGISTRY}"),
        ("open('" + "/home" + "/somebody/take.bvh')", "names a home folder: /home" + "/somebody"),
        ("C:" + r"\Users" + r"\me\take.bvh", "names a home folder: C:" + r"\Users" + r"\me"),
        (f"cd {Path.home()}/x", "names a folder of this machine"),
    ],
)
def test_lines_that_only_mean_something_here(tree, line, problem):
    (tree / "notes.md").write_text(f"first\n{line}\n")
    assert any(said.startswith("notes.md:2: ") and problem in said for said in found(tree))


def test_the_checkouts_own_place_must_not_be_written_down(tree):
    (tree / "notes.md").write_text(f"see {tree}/src\n")
    assert f"notes.md:1: names a folder of this machine: {tree}/" in found(tree)


def test_size_and_line_ends(tree):
    (tree / "big.bin").write_bytes(b"\0" * 500_001)
    (tree / "dos.txt").write_bytes(b"one\r\ntwo\r\n")
    (tree / "exempt.bvh").write_bytes(b"one\r\ntwo\r\n")
    (tree / ".gitattributes").write_text("exempt.bvh -text\n")
    said = found(tree)
    assert len(said) == 2
    assert said[0].startswith("big.bin: 500001 bytes")
    assert said[1].startswith("dos.txt: has CRLF")


def test_ignored_files_are_nobodys_business(tree):
    (tree / ".gitignore").write_text("cache/\n")
    (tree / "cache").mkdir()
    (tree / "cache" / "log.txt").write_text(f"https://{REGISTRY}\r\n")
    assert found(tree) == []


def test_the_front_ends_lock_file_holds_no_addresses(tree):
    (tree / "package-lock.json").write_text('{"resolved": "https://example.org/react.tgz"}\n')
    assert [said.split(":")[0] for said in found(tree)] == ["package-lock.json"]
