"""What is counted, from outcomes made by hand."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from reflex_ipython.headless.bench import namespace
from reflex_ipython.headless.bench.explained import is_explained, words_about
from reflex_ipython.headless.bench.figures import NO_RULE, by, exception_class, figures, rule
from reflex_ipython.headless.bench.outcome import FixOutcome, Outcome, read_outcomes
from reflex_ipython.headless.bench.shown import markdown

RIGHT = FixOutcome("rule: one", "why", "x", "ran in a copy of your kernel", True, runs=True, right=True)
WRONG = dataclasses.replace(RIGHT, right=False)
DOUBTED = dataclasses.replace(WRONG, verdict="runs, but drops a statement", passed=False)
FAILED = Outcome("a", "names", "KeyError", raised="KeyError")


def outcome(*fixes: FixOutcome, **more: object) -> Outcome:
    return dataclasses.replace(FAILED, fixes=fixes, **more)  # type: ignore[arg-type]  # the fields that a case names


@pytest.mark.parametrize(
    ("one", "counted"),
    [
        (outcome(), set()),
        (outcome(RIGHT), {"offered", "shown_as_ran", "runs", "right"}),
        (outcome(WRONG, RIGHT), {"offered", "shown_as_ran", "runs", "wrong_as_ran"}),
        (outcome(DOUBTED), {"offered", "runs"}),
        (outcome(WRONG, RIGHT, choice=True), {"offered", "runs", "choice", "right_in_choice"}),
        (outcome(RIGHT, WRONG, choice=True), {"offered", "runs", "choice", "right_in_choice"}),
        (outcome(WRONG, WRONG, choice=True), {"offered", "runs", "choice"}),
        (outcome(explained=True), {"explained"}),
    ],
)
def test_what_counts(one: Outcome, counted: set[str]) -> None:
    found = dataclasses.asdict(figures([one]))
    assert {name for name, count in found.items() if count} == counted | {"cases", "reproduced"}


def test_what_did_not_fail_as_it_should_counts_as_a_case_alone() -> None:
    found = figures([outcome(RIGHT, raised="ValueError"), outcome(raised="", trouble="the kernel ended")])
    assert (found.cases, found.reproduced, found.offered, found.in_trouble) == (2, 0, 0, 1)


def test_seconds_are_medians_of_those_that_are_known() -> None:
    found = figures([outcome(RIGHT, seconds_to_offer=seconds) for seconds in (1.0, 2.0, 9.0, None)])
    assert (found.seconds_to_offer, found.seconds_to_verdict) == (2.0, None)


def test_groups_are_by_class_and_by_the_first_fix_largest_first() -> None:
    outcomes = [outcome(), outcome(RIGHT), outcome(WRONG), outcome(ename="TypeError", raised="")]
    assert {name: one.cases for name, one in by(exception_class, outcomes).items()} == {"KeyError": 3, "TypeError": 1}
    assert list(by(rule, outcomes)) == ["rule: one", NO_RULE]


def test_the_report_lists_what_was_not_put_right() -> None:
    text = markdown([outcome(RIGHT), outcome(WRONG, words="a | b\nmore"), outcome(raised="")])
    assert "| a | KeyError | wrong, though shown as ran | rule: one | a \\| b |" in text
    assert "| a | KeyError | does not fail |  |  |" in text
    assert text.count("| a | KeyError |") == 2


def test_an_outcome_is_a_line_and_back(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    outcomes = [outcome(RIGHT, WRONG, words="Käse\n", seconds_to_offer=0.5), FAILED]
    path.write_text("".join(one.line() for one in outcomes), encoding="utf-8")
    assert read_outcomes(path) == outcomes


@pytest.mark.parametrize(
    ("panel", "words"),
    [
        ({"fixes": [{"explanation": "it is `b`"}], "notice": None}, "it is `b`"),
        ({"fixes": [], "notice": {"text": "No rule has a fix for this error.", "tone": "plain"}}, ""),
        ({"fixes": [], "notice": None, "explanation": "`x` is text"}, "`x` is text"),
        ({"fixes": [], "notice": {"text": "the model did not answer"}}, "the model did not answer"),
    ],
)
def test_words_are_those_about_this_error(panel: dict[str, object], words: str) -> None:
    assert words_about(panel) == words


def test_words_explain_if_they_name_the_reason() -> None:
    assert is_explained("`Price` is text", "price")
    assert not is_explained("something else", "price")
    assert is_explained("something", "")
    assert not is_explained("", "")


def test_namespaces_are_the_same_if_what_the_correct_cell_left_is_there() -> None:
    first = namespace.described({"a": [1, object], "_b": 1, "In": [], "json": pytest, "f": len, "k": {"x": 1.0}})
    assert set(namespace.json.loads(first)) == {"a", "f", "k"}
    there = namespace.json.loads(namespace.described({"a": [1], "b": 2}))
    assert namespace.same_as_correct(there, namespace.json.loads(namespace.described({"a": [1]})))
    assert not namespace.same_as_correct(there, namespace.json.loads(namespace.described({"a": [True]})))
    assert not namespace.same_as_correct(there, namespace.json.loads(namespace.described({"c": 1})))
    assert namespace.without_addresses("<f at 0x7f12>\n") == "<f at 0x>"
