"""The command line as a person or a script meets it: answers, exit codes, nothing lost on bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import marotte as mt
from marotte.cli import main
from marotte.cli._app import COMMANDS
from marotte.edits import EDITS
from tests.figure.figures import wander


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    file = tmp_path / "walk.bvh"
    mt.save(wander(), file)
    return file


def run(*arguments: object) -> int:
    return main([str(a) for a in arguments])


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command, capsys):
    assert run(command, "--help") == 0
    text = capsys.readouterr().out
    assert text.startswith(f"Usage: marotte {command}")
    assert len(text.splitlines()) > 5


@pytest.mark.parametrize("op", EDITS)
def test_every_edit_explains_every_option(op, capsys):
    assert run("edit", op, "--help") == 0
    text = " ".join(capsys.readouterr().out.split())
    for name, field in EDITS[op].model_fields.items():
        assert f"--{name.replace('_', '-')}" in text
        assert (field.description or "")[1:30] in text


def test_version(capsys):
    assert run("--version") == 0
    assert capsys.readouterr().out.strip() == f"marotte {mt.__version__}"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["inof"], 2, "did you mean 'info'"),
        (["edit", "crob", "a.bvh", "-o", "b.bvh"], 2, "did you mean 'crop'"),
        (["edit", "crop", "WALK", "--strat", "3", "-o", "b.bvh"], 2, "--start"),
        (["edit", "crop", "WALK", "--start", "x", "-o", "b.bvh"], 2, "valid integer"),
        (["edit", "crop", "WALK", "--start", "[1", "-o", "b.bvh"], 2, "--start cannot be read"),
        (["edit", "crop", "WALK", "--start", "999", "-o", "OUT"], 2, "0 to 39, but is 999"),
        (["edit", "resample", "WALK", "-o", "OUT"], 2, "rate must be given"),
        (["edit", "crop", "WALK"], 2, "-o"),
        (["edit", "crop", "nothing.bvh", "-o", "OUT"], 1, "nothing.bvh: there is no such file"),
        (["info", "nothing.bvh"], 1, "there is no such file"),
        (["convert", "WALK", "out.xyz"], 1, "extension must be one of"),
        (["apply", "nothing.yaml", "WALK", "-o", "OUT"], 1, "No such file"),
        (["info", "WALK", "--unit", "ell"], 2, "ell"),
    ],
)
def test_misuse_and_failures_have_their_codes(arguments, code, words, walk, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    given = [str(walk) if a == "WALK" else str(tmp_path / "out.bvh") if a == "OUT" else a for a in arguments]
    assert run(*given) == code
    said = capsys.readouterr()
    assert words in said.err
    assert "Traceback" not in said.err
    assert not (tmp_path / "out.bvh").exists()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["walk.bvh"]  # nothing half written


def test_info_for_people_and_scripts(walk, capsys):
    assert run("info", walk, "--joints") == 0
    text = capsys.readouterr().out
    assert "40 frames at 30 Hz" in text
    assert "LeftForeArm" in text
    assert run("info", walk, "--json") == 0
    (answer,) = json.loads(capsys.readouterr().out)
    assert answer["frames"] == 40
    assert answer["rig"]["roles"]["left_hand"] == "LeftHand"
    assert answer["joints"][0]["channels"] == "xyzZXY"


def test_info_of_a_folder_goes_on_after_a_broken_file(walk, capsys):
    (walk.parent / "broken.bvh").write_text("no motion here")
    assert run("info", walk.parent, "--json") == 1
    said = capsys.readouterr()
    broken, good = json.loads(said.out)
    assert "error" in broken
    assert good["frames"] == 40


def test_info_imports_no_compiler(walk):
    """Its 0.3 s would be gone by that import alone."""
    code = (
        "import sys; from marotte.cli import main; main(['info', sys.argv[1]]); "
        "bad = {'numba', 'scipy', 'pydantic', 'rich', 'fastapi'} & set(sys.modules); "
        "sys.exit(', '.join(bad) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(walk)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_edit_one_file(walk, tmp_path):
    assert run("edit", "crop", walk, "--start", 5, "--end", 14, "-o", tmp_path / "part.bvh") == 0
    part = mt.load(tmp_path / "part.bvh")
    assert len(part) == 10
    assert part.root == pytest.approx(wander().root[5:15], abs=1e-5)


def test_edit_a_folder_keeps_its_structure_and_survives_a_broken_file(walk, tmp_path, capsys):
    takes = tmp_path / "takes"
    (takes / "more").mkdir(parents=True)
    walk.rename(takes / "a.bvh")
    (takes / "more" / "b.bvh").write_bytes((takes / "a.bvh").read_bytes())
    (takes / "bad.bvh").write_text("HIERARCHY\nROOT")
    assert run("edit", "reverse", takes, "-o", tmp_path / "out") == 1
    said = capsys.readouterr().err
    assert "bad.bvh" in said
    assert "2 of 3 takes" in said
    out = sorted(str(p.relative_to(tmp_path / "out")) for p in (tmp_path / "out").rglob("*.bvh"))
    assert out == ["a.bvh", "more/b.bvh"]
    assert mt.load(tmp_path / "out/more/b.bvh").root[0] == pytest.approx(wander().root[-1], abs=1e-5)


def test_two_inputs_of_one_name_do_not_overwrite_each_other(walk, tmp_path, capsys):
    other = tmp_path / "other"
    other.mkdir()
    (other / "walk.bvh").write_bytes(walk.read_bytes())
    assert run("edit", "reverse", walk, other / "walk.bvh", "-o", tmp_path / "out") == 1
    assert "skipped" in capsys.readouterr().err


def test_several_inputs_need_a_folder(walk, tmp_path, capsys):
    assert run("edit", "reverse", walk, walk, "-o", tmp_path / "one.bvh") == 2
    assert "must name a folder" in capsys.readouterr().err


def test_apply_a_recipe(walk, tmp_path):
    recipe = tmp_path / "r.yaml"
    recipe.write_text("marotte: 1\nsteps:\n  - crop: {start: 10}\n  - mirror\n  - resample: {rate: 60}\n")
    assert run("apply", recipe, walk, "-o", tmp_path / "out.bvh") == 0
    out = mt.load(tmp_path / "out.bvh")
    assert len(out) == 59
    assert out.frame_rate == pytest.approx(60)


def test_a_wrong_recipe_touches_nothing(walk, tmp_path, capsys):
    recipe = tmp_path / "r.yaml"
    recipe.write_text("marotte: 1\nsteps:\n  - crop: {strat: 10}\n")
    assert run("apply", recipe, walk, "-o", tmp_path / "out.bvh") == 1
    assert "r.yaml:3: crop: unknown option 'strat'; did you mean 'start'?" in capsys.readouterr().err
    assert not (tmp_path / "out.bvh").exists()


def test_convert_resamples_and_converts_folders(walk, tmp_path):
    assert run("convert", walk, tmp_path / "half.bvh", "--rate", 15) == 0
    assert len(mt.load(tmp_path / "half.bvh")) == 20
    assert run("convert", walk.parent, tmp_path / "all", "--to", "bvh") == 0
    assert (tmp_path / "all" / "walk.bvh").exists()


def test_an_edit_may_overwrite_its_input(walk):
    assert run("edit", "reverse", walk, "-o", walk) == 0
    assert mt.load(walk).root[0] == pytest.approx(wander().root[-1], abs=1e-5)


def test_report_of_one_and_of_two(walk, tmp_path, capsys):
    assert run("edit", "mirror", walk, "-o", tmp_path / "m.bvh") == 0
    capsys.readouterr()
    assert run("report", walk, tmp_path / "m.bvh", "--json") == 0
    measures = {m["name"]: m for m in json.loads(capsys.readouterr().out)["measures"]}
    assert measures["pose_rotation"]["after"] > 1
    assert measures["jerk_rms"]["after"] == pytest.approx(measures["jerk_rms"]["before"], rel=1e-3)
    assert run("report", walk) == 0
    assert "greatest jerk of any joint" in capsys.readouterr().out


def test_samples_are_listed_and_written(tmp_path, capsys):
    assert run("samples", "--json") == 0
    names = [s["name"] for s in json.loads(capsys.readouterr().out)]
    assert "walk" in names
    assert run("samples") == 0
    assert "walk" in capsys.readouterr().out
    assert run("samples", "walk", "--style", "tired", "--seconds", 1, "-o", tmp_path / "w.bvh") == 0
    tired = mt.samples.walk(style="tired", seconds=1)
    assert mt.load(tmp_path / "w.bvh").root == pytest.approx(tired.root, abs=1e-5)
    assert run("samples", "wlak") == 2
    assert "did you mean 'walk'" in capsys.readouterr().err


def test_view_writes_a_page_that_needs_no_network(walk, tmp_path):
    assert run("view", walk, walk, "-o", tmp_path / "p.html") == 0
    page = (tmp_path / "p.html").read_text()
    assert "<title>" in page
    assert 'src="http' not in page


def test_doctor_answers_for_scripts(capsys):
    code = run("doctor", "--json")
    checks = json.loads(capsys.readouterr().out)
    assert code == int(any(c["state"] == "missing" for c in checks))
    assert {"python", "numba", "kernels"} <= {c["check"] for c in checks}


def test_warmup_compiles_every_kernel(capsys):
    assert run("warmup") == 0
    assert "kernels ready" in capsys.readouterr().err


def test_notes_go_to_standard_error_only(walk):
    """Output that a script reads must stay clean."""
    done = subprocess.run(
        [sys.executable, "-m", "marotte", "info", "--json", str(walk)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)[0]["frames"] == 40


def test_a_reader_that_has_seen_enough_is_no_error(walk):
    done = subprocess.run(
        f"{sys.executable} -m marotte info --joints {walk} {walk} {walk} | head -1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr


def test_public_names_are_exactly_those_promised():
    for name in mt.__all__:
        assert getattr(mt, name) is not None
    assert set(mt.__all__) <= set(dir(mt))
    with pytest.raises(AttributeError, match="no attribute 'lood'"):
        mt.lood  # noqa: B018  that it is missing is what is tested
    assert np.allclose(
        mt.Motion.at_rest(wander().skeleton).positions()[0], wander().skeleton.rest_positions()
    )


def test_options_of_files_are_on_every_command_that_reads_them(capsys):
    for command in (["info"], ["convert"], ["edit", "crop"], ["apply"], ["view"], ["report"]):
        assert run(*command, "--help") == 0
        text = capsys.readouterr().out
        for name in ("unit", "up", *mt.formats.options_of("reading")):
            assert f"--{name.replace('_', '-')} " in text, command


def test_options_of_writing_reach_the_file(walk, tmp_path):
    assert run("convert", walk, tmp_path / "z.bvh", "--out-unit", "mm", "--out-up", "z") == 0
    assert run("convert", tmp_path / "z.bvh", tmp_path / "y.bvh", "--out-decimals", 1) == 0
    assert "OFFSET 0 0 950" in (tmp_path / "z.bvh").read_text()
    again = mt.load(tmp_path / "z.bvh")
    assert (again.source.up, again.source.metres_per_unit) == ("z", 0.001)
    assert again.positions() == pytest.approx(wander().positions(), abs=1e-5)
    assert "." not in (tmp_path / "y.bvh").read_text().split()[-1][:-2]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["info", "WALK", "--skeleton", "a.asf"], "--skeleton is an option of .amc"),
        (["info", "WALK", "--frame-rate", "fast"], "--frame-rate must be a number, but is 'fast'"),
        (["convert", "WALK", "x.bvh", "--up", "w"], "up must be one of"),
        (["convert", "WALK", "x.bvh", "--out-decimals", "1.5"], "must be a whole number"),
    ],
)
def test_an_option_that_means_nothing_here_is_misuse(arguments, words, walk, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(*[walk if a == "WALK" else a for a in arguments]) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "x.bvh").exists()


def test_info_shows_and_saves_what_joints_mean(tmp_path, monkeypatch, capsys):
    """A rig that a person corrected once must not have to be corrected for every take."""
    monkeypatch.setenv("MAROTTE_DATA_DIR", str(tmp_path / "data"))
    take = tmp_path / "walk.bvh"
    motion = mt.samples.walk(seconds=0.2)
    skeleton = motion.skeleton.with_(names=[f"j{i}" for i in range(len(motion.skeleton))])
    mt.save(motion.with_(skeleton=skeleton), take)
    assert run("info", take) == 0
    assert "by shape" in capsys.readouterr().out
    rig = tmp_path / "mine.rig.yaml"
    rig.write_text(f"marotte_rig: 1\nroles: {{jaw: {skeleton.names[1]}}}\n")
    assert run("info", take, "--rig", rig, "--save-rig", "walker") == 0
    assert "walker.rig.yaml" in capsys.readouterr().err
    assert run("info", take, "--json") == 0
    answer = json.loads(capsys.readouterr().out)[0]
    assert answer["rig"]["roles"]["jaw"] == skeleton.names[1]
    assert answer["rig"]["evidence"]["jaw"] == {"confidence": 1.0, "why": "those of the preset 'walker'"}
    assert run("info", take, take, "--save-rig", "x") == 2
    assert run("convert", take, tmp_path / "out.bvh", "--rig", "nobody") == 1
