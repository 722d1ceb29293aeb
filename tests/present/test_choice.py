"""Where several things may be meant, that is asked: in words that fit what is known."""

from __future__ import annotations

import dataclasses

import pytest

from reflex_ipython.base.characters import HIDDEN
from reflex_ipython.models import Decision, Trial, Verdict
from reflex_ipython.present.alternatives import which_one
from reflex_ipython.present.choice import ONE, ONE_RUNS, ONE_STOPPED, SEVERAL, SEVERAL_RUN, question, was_asked
from reflex_ipython.present.explain import explanation
from reflex_ipython.present.genuine import is_fix
from reflex_ipython.present.panel import document, panel_state
from tests.present.conftest import AT, HOSTILE
from tests.present.looks import in_terminal


def untried(repair, *fix_ids):
    return dataclasses.replace(repair, verdicts={**repair.verdicts, **dict.fromkeys(fix_ids, Verdict())})


def stopped(repair, fix_id):
    return dataclasses.replace(repair, verdicts={**repair.verdicts, fix_id: Verdict("blocked", is_past=True)})


def test_the_question_says_what_is_known_of_them(repairs):
    choice, unsure = repairs["choice"], repairs["unsure"]
    assert question(choice) == SEVERAL_RUN
    assert question(untried(choice, "x8")) == SEVERAL
    assert question(untried(choice, "x8", "x9")) == SEVERAL
    assert question(unsure) == ONE_RUNS
    assert question(untried(unsure, "x9")) == ONE
    assert question(stopped(unsure, "x9")) == ONE_STOPPED
    assert question(repairs["two proposals"]) == question(repairs["unknown"]) == was_asked(repairs["simple"]) == ""


def test_every_question_has_its_record(repairs):
    choice, unsure = repairs["choice"], repairs["unsure"]
    cases = [choice, untried(choice, "x8"), unsure, untried(unsure, "x9"), stopped(unsure, "x9")]
    assert len({was_asked(repair) for repair in cases} - {""}) == 5


@pytest.mark.parametrize(
    ("kind", "asked"), [(None, True), ("undone", True), ("accepted", False), ("rejected", False), ("superseded", False)]
)
def test_it_is_asked_until_it_is_decided(repairs, kind, asked):
    decision = Decision(kind, AT, "x9", repairs["choice"].fixes[1].steps) if kind else None
    repair = dataclasses.replace(repairs["choice"], decision=decision)
    assert (panel_state(repair).question != "") == asked
    assert ("Which one is meant?" in in_terminal(repair)) == asked


def test_what_is_known_besides_is_said_below_the_alternatives(repairs):
    shown = in_terminal(dataclasses.replace(repairs["choice"], trouble="No connection."))
    assert shown.index("range(number)") < shown.index("! No connection.") < shown.index("%reflex reject")


def test_an_alternative_that_gives_nothing_to_tell_has_its_verdict(repairs):
    trial = Trial("passed", digest="d0", seconds=0.5)
    verdicts = {**repairs["choice"].verdicts, "x9": Verdict("passed", trial=trial)}
    shown = in_terminal(dataclasses.replace(repairs["choice"], verdicts=verdicts))
    assert shown.count("ran in a copy of your kernel, 0.50 s") == 1
    assert "→ gives 3" in shown


def test_the_explanation_gives_all_of_them(repairs):
    shown = explanation(repairs["choice"])
    assert (
        shown.index("Which one is meant?") < shown.index("Fix 1 (") < shown.index("→ gives 3") < shown.index("Fix 2 (")
    )


def test_a_list_of_what_others_wrote_is_printable_and_short(repairs):
    choice = repairs["choice"]
    [edit] = choice.fixes[0].edits
    steps = (dataclasses.replace(edit, source=f"{HOSTILE * 20}\n{edit.source}"),)
    trial = dataclasses.replace(choice.verdicts["x8"].trial, result=HOSTILE)
    hostile = dataclasses.replace(
        choice,
        fixes=(dataclasses.replace(choice.fixes[0], steps=steps), choice.fixes[1]),
        verdicts={**choice.verdicts, "x8": Verdict("passed", trial=trial)},
    )
    listed = which_one(hostile, "accept").split("\n")
    assert len(listed) == 3
    assert not any(HIDDEN.search(line) for line in listed)
    assert max(map(len, listed)) < 240


def test_a_page_that_has_not_heard_what_a_fix_gives_shows_the_same_fix(repairs):
    state = panel_state(repairs["choice"])
    first, second = document(state)["fixes"]
    assert is_fix({**first, "gives": ""}, state)
    assert not is_fix({**first, "edits": second["edits"]}, state)
