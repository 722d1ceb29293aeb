"""Which fix of a panel is accepted unseen."""

from __future__ import annotations

from typing import Any

import pytest

from reflex_ipython.headless.policy import EXPECTED, NEVER, choose

GOOD = {
    "id": "1", "refused": "", "dangerous": False, "installs": [], "first": [], "run_options": [],
    "edits": [{"label": "", "file": False, "expected": "x", "source": "y"}],
    "verdict": {"text": "ran in a copy of your kernel, 0.01 s · resumes at line 2", "tone": "good"},
}  # fmt: skip
FILE = [{"label": "the file …/a/shapes.py", "file": True, "expected": "x", "source": "y"}]
BAD = {**GOOD, "id": "2", "verdict": {"text": "raises KeyError on line 2 instead", "tone": "bad"}}


def panel(*fixes: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"fixes": list(fixes), "notice": None, "question": "", "quiet": False, **more}


def test_what_ran_with_nothing_against_it_is_accepted() -> None:
    assert choose(panel(GOOD), "proven").fix == GOOD


def test_a_proven_fix_is_taken_behind_one_that_is_not() -> None:
    assert choose(panel(BAD, GOOD), "proven").fix == GOOD


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"verdict": BAD["verdict"]}, "not proven: raises KeyError on line 2 instead."),
        ({"verdict": {"text": "runs, but it drops rows", "tone": "warning"}}, "not proven: runs, but it drops rows."),
        ({"verdict": {"text": "not tried", "tone": "plain"}}, "not proven: not tried."),
        ({"run_options": [{"repeats": "repeats what can't be undone: wrote a.csv"}]}, "undone: wrote a.csv."),
        ({"dangerous": True}, "is dangerous"),
        ({"refused": "Reflex can't rewrite the file x.py yet."}, "x.py"),
        ({"installs": ["pyarrow"]}, "--install"),
        ({"edits": FILE}, "rewrite the file …/a/shapes.py"),
        ({"first": [{"cell": {"id": "below"}}]}, "in the wrong order"),
    ],
)
def test_what_is_not_proven_is_not_accepted_and_it_is_said_why(changed: dict[str, Any], words: str) -> None:
    choice = choose(panel(GOOD | changed), "proven", later={"below"})
    assert choice.fix is None
    assert words in choice.why_not


def test_a_choice_is_a_persons() -> None:
    asked = panel(GOOD, {**GOOD, "id": "3"}, question="Which one is meant?")
    assert "choose one" in choose(asked, "proven").why_not
    assert choose(asked, "always").fix == GOOD


def test_always_takes_what_is_not_proven_but_nothing_that_is_dangerous() -> None:
    assert choose(panel(BAD), "always").fix == BAD
    assert choose(panel(GOOD | {"dangerous": True}), "always").fix is None
    assert choose(panel(GOOD | {"edits": FILE}), "always").fix is None, "nobody has looked at the file's change"
    assert choose(panel(GOOD | {"first": [{"cell": {"id": "below"}}]}), "always", later={"below"}).fix is None


def test_an_earlier_cell_may_run_first() -> None:
    assert choose(panel(GOOD | {"first": [{"cell": {"id": "above"}}]}), "proven", later={"below"}).fix


def test_a_package_is_installed_where_that_is_wanted_though_it_could_not_be_tried() -> None:
    fix = GOOD | {"installs": ["pyarrow"], "verdict": {"text": "not tried", "tone": "plain"}}
    assert choose(panel(fix), "proven").fix is None
    assert choose(panel(fix), "proven", install=True).fix == fix


def test_never_takes_none_and_a_cell_that_is_meant_to_fail_stays_as_it_is() -> None:
    assert choose(panel(GOOD), "never").why_not == NEVER
    assert choose(panel(GOOD, quiet=True), "always").why_not == EXPECTED


def test_without_a_fix_the_panels_reason_is_told() -> None:
    assert choose(panel(notice={"text": "`x` is 0 here."}), "proven").why_not == "`x` is 0 here."
