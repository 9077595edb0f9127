"""What `pip install` of a checkout or of an sdist gives: the package with its pages, with or without Node."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest

from tools import front_end
from tools.check_tree import is_git_checkout, listed_files
from tools.steps import ROOT

PAGES = {output.removeprefix("src/") for output in front_end.OUTPUTS}


@pytest.fixture
def checkout(tmp_path):
    """A copy of this checkout, freshly cloned so to say: nothing built, nothing installed."""
    if not is_git_checkout(ROOT):
        pytest.skip("not a git checkout: nothing says which files belong to the tree")
    copy = tmp_path / "a checkout"
    for file in listed_files(ROOT):
        target = copy / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    return copy


@pytest.fixture
def no_node(tmp_path):
    """An environment in which no program is found at all."""
    nothing = tmp_path / "no programs"
    nothing.mkdir()
    return {"PATH": str(nothing)}


def write_pages(checkout):
    """Put pages there as if they had been built; building them is `make web`'s business."""

    def run(title, command, folder):
        (folder / "node_modules").mkdir(exist_ok=True)
        for output in front_end.OUTPUTS:
            (checkout / output).parent.mkdir(parents=True, exist_ok=True)
            (checkout / output).write_text("<!doctype html>")

    front_end.build(checkout, run)


def build(checkout, target, **environment):
    """Run the build backend; what it said, and the files it made."""
    out = checkout.parent / f"built {target.replace(':', ' ')}"
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out)],
        cwd=checkout,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done, sorted(out.glob("*")) if out.is_dir() else []


def names(wheel):
    return set(zipfile.ZipFile(wheel).namelist())


def test_a_wheel_holds_the_package_and_its_pages_and_nothing_else(checkout, no_node):
    write_pages(checkout)
    done, (wheel,) = build(checkout, "wheel", **no_node)
    assert done.returncode == 0, done.stderr
    held = names(wheel)
    assert held >= PAGES | {"marotte/__init__.py", "marotte/py.typed", "marotte/kernels/forward.py"}
    tops = {name.split("/")[0] for name in held}
    assert len(tops) == 2
    assert any(name.endswith("licenses/LICENSE") for name in held)


def test_without_node_the_rest_is_packed_and_that_is_said(checkout, no_node):
    done, (wheel,) = build(checkout, "wheel", **no_node)
    assert done.returncode == 0, done.stderr
    assert "is not on PATH" in done.stdout + done.stderr
    assert "Install Node" in done.stdout + done.stderr
    held = names(wheel)
    assert "marotte/__init__.py" in held
    assert not held & PAGES


def test_a_release_insists_on_the_pages(checkout, no_node):
    done, made = build(checkout, "wheel", MAROTTE_FRONT_END="require", **no_node)
    assert done.returncode != 0
    assert "the front end cannot be built" in done.stderr
    assert made == []


def test_an_editable_install_builds_no_pages(checkout, tmp_path):
    """Whoever installs for development has no Node yet, or has half-written sources."""
    trap = tmp_path / "trap"
    trap.mkdir()
    for name in ("node", "npm"):
        (trap / name).write_text(f"#!/bin/sh\ntouch '{tmp_path}/called'\nexit 1\n")
        (trap / name).chmod(0o755)
    path = f"{trap}{os.pathsep}{os.environ['PATH']}"
    done, made = build(checkout, "wheel:editable", PATH=path)
    assert done.returncode == 0, done.stderr
    assert len(made) == 1
    assert not (tmp_path / "called").exists()


def test_an_sdist_brings_the_pages_so_that_its_users_need_no_node(checkout, no_node, tmp_path):
    write_pages(checkout)
    done, (sdist,) = build(checkout, "sdist", **no_node)
    assert done.returncode == 0, done.stderr
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (root,) = (tmp_path / "unpacked").iterdir()
    assert (root / "web" / "package.json").is_file()
    assert not (root / "web" / "node_modules").exists()
    assert not (root / "tests").exists()

    done, (wheel,) = build(root, "wheel", **no_node)
    assert done.returncode == 0, done.stderr
    assert names(wheel) >= PAGES


def test_an_unknown_wish_is_refused(checkout):
    done, _ = build(checkout, "wheel", MAROTTE_FRONT_END="maybe")
    assert done.returncode != 0
    assert "MAROTTE_FRONT_END must be one of auto, require, skip; it is 'maybe'" in done.stderr
