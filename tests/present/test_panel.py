"""The panel's state says where a repair stands, in facts."""

from __future__ import annotations

import dataclasses
import json

import pytest

from reflex_ipython.models import (
    CellRef,
    Decision,
    DefinitionRef,
    Edit,
    FileRef,
    Finding,
    Install,
    Rerun,
    RunCell,
    RunOption,
    Situation,
    Trial,
    Usage,
    Verdict,
    Wish,
)
from reflex_ipython.present.amounts import duration, usage_line
from reflex_ipython.present.explain import explanation
from reflex_ipython.present.notice import Notice
from reflex_ipython.present.offers import Offers
from reflex_ipython.present.panel import AcceptedView, panel_state
from reflex_ipython.present.proposal import QUIET, proposal
from reflex_ipython.present.report import report
from reflex_ipython.present.run_options import RunOptionView
from reflex_ipython.present.text import as_text
from reflex_ipython.present.verdict_line import text_verdict, verdict_line

AT = "2026-11-21T10:05:00.000+00:00"


REWRITES = Edit(CellRef("a"), "old", "new")


def decided(repair, kind, rerun=None, **options):
    return dataclasses.replace(repair, decision=Decision(kind, AT, **options), rerun=rerun)


@pytest.mark.parametrize(
    ("name", "working", "phase", "notice"),
    [
        ("simple", "", "ready", None),
        ("simple", "asking a model", "ready", None),
        ("unknown", "asking a model", "searching", None),
        ("unknown", "", "nothing", "The number that is divided by is 0 here."),
    ],
)
def test_an_undecided_repair_is_searched_for_ready_or_without_a_fix(repairs, name, working, phase, notice):
    state = panel_state(repairs[name], working=working, offers=Offers("m", "t"))
    assert (state.phase, state.notice.text if state.notice else None) == (phase, notice)
    assert (state.working, state.model, state.model_terms) == (working, "m", "t")


@pytest.mark.parametrize(
    ("kind", "rerun", "options", "phase", "notice"),
    [
        ("rejected", None, {}, "rejected", Notice("Rejected. The cell is as it was.")),
        ("superseded", None, {}, "superseded", Notice("The cell has changed since.", "warning")),
        ("superseded", None, {"reason": "It ran."}, "superseded", Notice("It ran.", "warning")),
        ("undone", None, {"steps": (REWRITES,)}, "ready", Notice("Undone: the cell has its old text back.")),
        ("undone", None, {"reason": "seaborn stays installed"}, "ready", Notice("Undone: seaborn stays installed.")),
        ("accepted", None, {}, "accepted", Notice("Accepted; the cell is waiting for its turn.")),
        ("accepted", None, {"run": False}, "accepted", Notice("Accepted; the cell was rewritten, not run.")),
        (
            "accepted",
            Rerun(True, AT, seconds=0.21),
            {},
            "accepted",
            Notice("Accepted; the cell ran without an error in 0.21 s.", "good"),
        ),
        (
            "accepted",
            Rerun(True, AT, state="resumed at line 9, state restored exactly"),
            {},
            "accepted",
            Notice("Resumed at line 9 · state restored", "good"),
        ),
        (
            "accepted",
            Rerun(True, AT, state="state restored exactly; `area` runs its new code"),
            {},
            "accepted",
            Notice("Ran, no error · state restored; `area` runs its new code", "good"),
        ),
        (
            "accepted",
            Rerun(False, AT, "ValueError", state="resumed at line 9, not undone: wrote a.txt"),
            {},
            "accepted",
            Notice("Accepted; the cell then raised ValueError · resumed at line 9, not undone: wrote a.txt.", "bad"),
        ),
        (
            "accepted",
            Rerun(False, AT, "ValueError"),
            {},
            "accepted",
            Notice("Accepted; the cell then raised ValueError.", "bad"),
        ),
        (
            "accepted",
            Rerun(False, AT, "InstallFailed"),
            {},
            "accepted",
            Notice("Accepted; what it needs could not be installed, so the cell did not run on.", "bad"),
        ),
    ],
)
def test_a_decision_is_told(repairs, kind, rerun, options, phase, notice):
    state = panel_state(decided(repairs["simple"], kind, rerun, **options))
    assert (state.phase, state.notice) == (phase, notice)


def test_why_an_accepted_fix_was_not_undone_is_told_behind_what_became_of_it(repairs):
    repair = decided(repairs["simple"], "accepted", Rerun(True, AT, seconds=0.21))
    told = panel_state(dataclasses.replace(repair, trouble="Not undone: the cell can't be edited.")).notice
    ran = "Accepted; the cell ran without an error in 0.21 s."
    assert told == Notice(f"{ran} Not undone: the cell can't be edited.", "warning")
    assert panel_state(dataclasses.replace(repair, trouble="No connection.")).notice == Notice(ran, "good")


def test_trouble_is_told_while_the_fixes_stay_usable(repairs):
    state = panel_state(dataclasses.replace(repairs["simple"], trouble="No connection."))
    assert (state.phase, state.notice) == ("ready", Notice("No connection.", "warning"))


@pytest.mark.parametrize(
    ("verdict", "notice"),
    [
        (Verdict("passed"), Notice("ran in a copy of your kernel", "good")),
        (Verdict("other_error", "raises ValueError"), Notice("raises ValueError", "bad")),
        (Verdict("blocked", "writes to a.db"), Notice("blocked by the sandbox: writes to a.db", "warning")),
        (Verdict("timed_out", "timed out after 10 s"), Notice("inconclusive: timed out after 10 s", "warning")),
        (Verdict("inconclusive", "it hung"), Notice("inconclusive: it hung", "warning")),
        (
            Verdict("blocked", "wants to write to a.db", is_past=True),
            Notice("gets past the error, then is blocked by the sandbox: wants to write to a.db", "warning"),
        ),
        (
            Verdict("inconclusive", "timed out after 10 s on line 3", is_past=True),
            Notice("gets past the error, then timed out after 10 s on line 3", "warning"),
        ),
        (Verdict("not_tried", "no fork here"), Notice("not tried: no fork here")),
        (Verdict(), Notice("not tried")),
    ],
)
def test_a_verdict_is_a_line_of_facts(verdict, notice):
    assert verdict_line(verdict) == notice


@pytest.mark.parametrize(
    ("verdict", "text"),
    [
        (
            Verdict("not_tried", "only 2 can be"),
            "not tried: only 2 can be · the whole cell will run on the current state",
        ),
        (
            Verdict("inconclusive", "it hung"),
            "inconclusive: it hung · another cell has run since; the whole cell will run on the current state",
        ),
    ],
)
def test_where_another_cell_has_run_a_trial_was_before_it(verdict, text):
    since = dataclasses.replace(verdict, run_options=(RunOption(restores=False),))
    assert text_verdict(since, first=False).text == text


def test_of_a_changed_fix_that_nobody_would_try_nothing_is_known():
    assert text_verdict(Verdict(), first=False) is None


def test_what_may_be_tried_soon_is_not_tried_yet(repairs):
    untried = dataclasses.replace(repairs["simple"], verdicts={})
    fix = untried.fixes[0].id
    assert panel_state(untried, working="trying it").fixes[0].verdict.text.startswith("not tried yet")
    assert not panel_state(untried).fixes[0].verdict.text.startswith("not tried yet")
    refused = dataclasses.replace(untried, verdicts={fix: Verdict("not_tried", "no fork here")})
    assert panel_state(refused, working="asking").fixes[0].verdict.text.startswith("not tried: no fork here")


def test_a_dangerous_finding_makes_the_fix_dangerous(repairs):
    first, second = panel_state(repairs["two proposals"]).fixes
    assert (first.dangerous, second.dangerous) == (False, True)
    assert [finding.tone for finding in second.findings] == ["bad", "warning", "plain"]


def test_a_note_alone_is_not_dangerous(repairs):
    noted = {"x1": Verdict("passed", "", (Finding("a", "b", "note"), Finding("c", "d", "warning")))}
    [fix] = panel_state(dataclasses.replace(repairs["simple"], verdicts=noted)).fixes
    assert not fix.dangerous


def test_only_other_cells_are_labelled(repairs):
    edits = panel_state(repairs["two proposals"]).fixes[1].edits
    assert [edit.label for edit in edits] == ["In [2], an earlier cell", ""]


@pytest.mark.parametrize(
    ("run_options", "shown"),
    [
        ((), []),
        ((RunOption(3),), []),
        ((RunOption(3), RunOption(None, ("wrote a",))), []),
        (
            (RunOption(3, ("wrote b",)), RunOption(None, ("wrote a", "wrote b"))),
            [
                RunOptionView(False, "Resume at line 3", "repeats what can't be undone: wrote b"),
                RunOptionView(True, "Run the whole cell", "repeats what can't be undone: wrote a, wrote b"),
            ],
        ),
        (
            (RunOption(None, ("wrote a",)),),
            [RunOptionView(True, "Run the whole cell", "repeats what can't be undone: wrote a")],
        ),
    ],
)
def test_there_is_a_choice_where_running_it_would_repeat_something(repairs, run_options, shown):
    state = panel_state(
        dataclasses.replace(repairs["simple"], verdicts={"x1": Verdict("passed", run_options=run_options)})
    )
    assert list(state.fixes[0].run_options) == shown


@pytest.mark.parametrize(
    ("verdict", "offered", "triable"),
    [
        (Verdict(), True, True),
        (Verdict(), False, False),
        (Verdict("passed", trial=Trial("passed")), True, False),
        (Verdict("not_tried", "no fork here", trial=Trial("not_tried", "no fork here")), True, False),
    ],
)
def test_a_fix_that_nobody_tried_can_be_tried(repairs, verdict, offered, triable):
    repair = dataclasses.replace(repairs["simple"], verdicts={"x1": verdict})
    assert panel_state(repair, offers=Offers(triable=offered)).fixes[0].triable is triable


def test_what_was_accepted_is_told_as_it_was_applied(repairs):
    assert panel_state(repairs["tried"]).accepted is None
    earlier, own = repairs["tried"].fixes[0].edits
    applied = (dataclasses.replace(earlier, source="def monthly(): ..."), dataclasses.replace(own, source="report"))
    repair = decided(repairs["tried"], "accepted", fix_id="x4", steps=applied)
    assert panel_state(repair).accepted == AcceptedView("x4", ("def monthly(): ...", "report"))
    undone = dataclasses.replace(repair.decision, kind="undone")
    assert panel_state(dataclasses.replace(repair, decision=undone)).accepted is None


def test_the_state_is_json(repairs):
    for repair in repairs.values():
        state = dataclasses.asdict(panel_state(repair))
        assert json.loads(json.dumps(state)) == json.loads(json.dumps(state, ensure_ascii=False))


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "under 0.01 s"), (0.01, "0.01 s"), (3.456, "3.46 s"), (42.4, "42 s"), (119, "119 s"), (300, "5 min")],
)
def test_durations_are_short(seconds, text):
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("usage", "text"),
    [
        (Usage("m", 1834, 212, 3.4, 0.0012), "1,834 + 212 tokens · 3.40 s · $0.0012"),
        (Usage("m", None, 212, 3.4), "3.40 s"),
        (Usage("m", 0, 0, 0.0, 0.0), "0 + 0 tokens · under 0.01 s · $0.0000"),
    ],
)
def test_usage_says_what_is_known(usage, text):
    assert usage_line(usage) == text


@pytest.mark.parametrize("has_edit", [True, False])
def test_what_can_not_be_put_into_effect_says_so_and_names_its_steps(repairs, has_edit):
    repair = repairs["simple"]
    [fix] = repair.fixes
    steps = (Install("pyarrow --pre"), RunCell(CellRef("c0", 2), "x"), *(fix.steps if has_edit else ()))
    view = panel_state(dataclasses.replace(repair, fixes=(dataclasses.replace(fix, steps=steps),))).fixes[0]
    assert "more than that" in view.refused
    assert view.installs == ()
    assert [line.text for line in view.findings] == ["It would install pyarrow --pre."]
    assert [step.name for step in view.first] == ["In [2]"]
    assert [edit.label for edit in view.edits] == [""]
    assert not view.triable
    assert panel_state(repair).fixes[0].refused == ""


def test_an_edit_of_what_is_no_cell_is_named(repairs):
    repair = repairs["simple"]
    edits = (Edit(FileRef("/home/ann/model.py"), "a", "b"), Edit(DefinitionRef("model", "Model.fit"), "a", "b"))
    fix = dataclasses.replace(repair.fixes[0], steps=edits)
    view = panel_state(dataclasses.replace(repair, fixes=(fix,))).fixes[0]
    assert [edit.label for edit in view.edits] == ["the file /home/ann/model.py", "`Model.fit` in memory"]
    assert view.refused


def test_a_wish_is_a_panel_too(repairs):
    wish = Wish("w1", AT, Situation(CellRef("c", 3), ""), "plot the sales\nby region")
    repair = dataclasses.replace(repairs["simple"], cause=wish, fixes=())
    assert panel_state(repair).error == "plot the sales"
    assert "plot the sales" in explanation(repair)
    assert report(repair)


def test_a_failure_that_was_expected_is_one_quiet_line(repairs):
    repair = repairs["simple"]
    expected = dataclasses.replace(repair, cause=dataclasses.replace(repair.cause, expected=True))
    assert not panel_state(repair).quiet
    assert panel_state(expected).quiet
    assert [block.text for block in proposal(expected)] == [QUIET]
    assert not panel_state(decided(expected, "accepted", fix_id="x1")).quiet


def test_what_is_typed_to_accept_an_installation_says_what_is_installed(repairs):
    repair = repairs["simple"]
    fix = dataclasses.replace(repair.fixes[0], steps=(Install("haversine"),))
    said = as_text(proposal(dataclasses.replace(repair, fixes=(fix,))))
    assert "`%reflex accept` installs haversine and runs the cell" in said
