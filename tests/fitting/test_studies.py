"""LS99's table 1, rebuilt: after four levels no larger error than the paper's, and exact where asked."""

from __future__ import annotations

import json

import pytest

from marotte.cli import main
from marotte.fitting import studies


@pytest.mark.parametrize("name", list(studies.STUDIES))
@pytest.mark.parametrize("seed", [0, 1])
def test_four_levels_leave_no_more_than_the_papers(name, seed):
    outcome = studies.run(name, seed=seed)
    report, paper = outcome.done.report, outcome.study.paper
    assert report.worst <= paper.errors[-1]
    assert [level.spacing for level in report.levels] == [16, 8, 4, 2]
    assert abs(report.frames - paper.frames) <= 1
    assert outcome.jerk <= 1.3


@pytest.mark.parametrize("name", list(studies.STUDIES))
def test_exact_leaves_nothing(name):
    outcome = studies.run(name, exact=True)
    assert outcome.done.report.worst <= 0.05
    assert outcome.jerk <= 1.3


@pytest.mark.parametrize("name", list(studies.STUDIES))
def test_the_whole_clip_is_nearer_still(name):
    outcome = studies.run(name, solver="spacetime")
    assert outcome.done.report.worst <= 0.15
    assert outcome.jerk <= 1.3


def test_the_table_is_printed(capsys):
    assert main(["bench", "papers", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["study"] for row in rows} == set(studies.STUDIES)
    assert all(len(row["errors_percent"]) >= 1 and row["paper"]["errors_percent"] for row in rows)
