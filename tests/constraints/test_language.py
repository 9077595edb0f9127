"""The rule language: what is read is what was meant, and mistakes are shown where they are."""

from __future__ import annotations

import contextlib
import json

from hypothesis import given
from hypothesis import strategies as st

from marotte.constraints import parse_rule, parse_rules, rule_text, rule_to_data, rules_from_data
from marotte.errors import MarotteError

from .strategies import rules


@given(rules, st.sampled_from(["plain", "paper"]))
def test_a_rule_reads_back_as_it_was_written(rule, syntax):
    text = rule_text(rule, syntax=syntax)
    assert parse_rule(text) == rule, text


@given(rules)
def test_a_rule_survives_plain_data(rule):
    data = json.loads(json.dumps(rule_to_data(rule)))
    assert rules_from_data([data]) == (rule,)


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text):
    with contextlib.suppress(MarotteError):
        parse_rules(text)
