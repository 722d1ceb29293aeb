"""What a notebook's file keeps of a panel: little, for any cell, and nothing that was only seen in a trial."""

from __future__ import annotations

import dataclasses
import json
import re

import nbformat
import pytest

from reflex_ipython.models import Decision, Edit, Finding, Rerun, Situation, Trial, Verdict
from reflex_ipython.present.diff import hunks, plain
from reflex_ipython.present.excerpt import ExcerptBounds, excerpt
from reflex_ipython.present.fold import FOLD
from reflex_ipython.present.genuine import is_saved
from reflex_ipython.present.kept import BOUNDS, kept, kept_state
from reflex_ipython.present.panel import MIME, document, panel_state
from tests.present.conftest import AT, HOSTILE
from tests.present.looks import kept_html, kept_text

MOST = 4_000
SEEN = "what-only-the-trial-has-seen"


def bytes_in_a_file(bundle):
    """What the output adds to a notebook's file."""

    def written(*outputs):
        cell = nbformat.v4.new_code_cell("x", id="a", outputs=list(outputs))
        return len(nbformat.writes(nbformat.v4.new_notebook(cells=[cell])).encode("utf-8", "replace"))

    return written(nbformat.v4.new_output("display_data", data=bundle)) - written()


def of_cell(repair, old, new, **changes):
    """The repair with one fix of a cell with that text."""
    cell = repair.situation.cell
    failure = dataclasses.replace(repair.cause, situation=Situation(cell, old))
    fix = dataclasses.replace(repair.fixes[0], steps=(Edit(cell, old, new),), **changes)
    return dataclasses.replace(repair, cause=failure, fixes=(fix,), verdicts={fix.id: Verdict("passed")})


def numbered(count, word="value", every=0):
    lines = [f"{word}_{number} = compute({number}, 'some words', other=[1, 2, 3])" for number in range(count)]
    return "\n".join(
        line.replace("compute", "computed") if every and n % every == 0 else line for n, line in enumerate(lines)
    )


@pytest.mark.parametrize("lines", [1, 200, 2_000])
@pytest.mark.parametrize("every", [1, 50, 10_000])
def test_a_panel_adds_little_for_any_cell(repairs, lines, every):
    repair = of_cell(repairs["simple"], numbered(lines), numbered(lines, every=every))
    bundle = kept(repair, panel_state(repair))
    assert bytes_in_a_file(bundle) <= MOST
    assert "computed" in bundle["text/html"]
    assert "computed" in json.dumps(bundle[MIME])


@pytest.mark.parametrize("character", ["x", "'", "&", "\n", "\t", "é", "🐍", "\x1b", "\u202e", "\ud800"])
@pytest.mark.parametrize("phase", ["ready", "accepted", "choice"])
def test_a_panel_adds_little_whatever_stands_in_it(repairs, character, phase):
    long = "a" + character * 5_000
    repair = of_cell(repairs["simple"], f"{long}\nb", f"{long}2\nc", explanation=long, provider="rule", detail=long)
    if phase == "choice":
        several = tuple(dataclasses.replace(repair.fixes[0], id=f"x{number}", prior=0.5) for number in range(9))
        repair = dataclasses.replace(repair, fixes=several)
        assert panel_state(repair).question
    elif phase == "accepted":
        decision = Decision("accepted", AT, repair.fixes[0].id, repair.fixes[0].steps)
        repair = dataclasses.replace(repair, decision=decision, rerun=Rerun(True, AT, seconds=1, state=long))
    assert bytes_in_a_file(kept(repair, panel_state(repair))) <= MOST


@pytest.mark.parametrize("name", ["simple", "two proposals", "edited", "unknown", "hostile", "wide", "tried", "choice"])
def test_each_panel_is_small(repairs, name):
    assert bytes_in_a_file(kept(repairs[name], panel_state(repairs[name]))) <= MOST


@pytest.mark.parametrize("outcome", ["passed", "other_error", "timed_out", "inconclusive", "blocked"])
def test_nothing_is_kept_that_was_only_seen_in_the_trial(repairs, outcome):
    trial = Trial(
        outcome, reason=SEEN, ename="ValueError", evalue=SEEN, statement=SEEN, stdout=SEEN, result=SEEN, seconds=0.5
    )
    verdict = Verdict(outcome, f"raises ValueError: {SEEN}", trial=trial)
    for repair in (repairs["simple"], repairs["choice"]):
        seen = dataclasses.replace(repair, verdicts=dict.fromkeys([fix.id for fix in repair.fixes], verdict))
        bundle = kept(seen, panel_state(seen))
        assert SEEN not in json.dumps(bundle)
        assert SEEN not in json.dumps(kept(seen, panel_state(seen, working=f"asking m, 2 of 3: {SEEN}")))


def test_a_models_words_are_not_kept_as_they_may_quote_a_trial(repairs):
    repair = of_cell(repairs["simple"], "a", "b", explanation=SEEN, provider="qwen2.5-coder:7b", detail="")
    assert SEEN not in json.dumps(kept(repair, panel_state(repair)))


def test_of_a_trial_is_kept_how_it_ended(repairs):
    def after(**verdict):
        return kept_text(dataclasses.replace(repairs["simple"], verdicts={"x1": Verdict(**verdict)}))

    assert "✓ ran in a copy of the kernel" in after(outcome="passed")
    raised = Trial("other_error", ename="ValueError", evalue=SEEN)
    assert "✗ raised ValueError in a copy of the kernel" in after(outcome="other_error", trial=raised)
    assert "tried in a copy of the kernel, without a result" in after(outcome="inconclusive", reason=SEEN)
    assert "got past the error in a copy of the kernel" in after(outcome="inconclusive", reason=SEEN, is_past=True)
    assert "not tried" in after()
    left_out = Finding("drops-statements", "leaves out `1 / 0`"), Finding("drops-items", f"drops {SEEN}")
    assert "! ran in a copy of the kernel, but leaves out `1 / 0`" in after(outcome="passed", findings=left_out[:1])
    assert SEEN not in after(outcome="passed", findings=left_out[1:])


def test_what_is_left_out_is_counted():
    old, new = numbered(40), numbered(40, every=2)
    shown = [(sign, plain(line)) for sign, line in excerpt(hunks(old, new), ExcerptBounds(6, 100, 100))]
    assert sum(sign in "+-" for sign, _ in shown) == 6
    assert shown[-1] == (FOLD, "and 34 more changed lines")


def test_both_sides_of_a_long_change_are_seen():
    shown = list(excerpt(hunks("\n".join("abc"), "\n".join("xyz")), ExcerptBounds(4, 100, 100)))
    assert [sign for sign, _ in shown] == ["-", "-", "+", "+", FOLD]


def test_what_has_changed_in_a_long_line_stays_in_sight():
    old = " + ".join(f"term_{number}" for number in range(60))
    [_, (_, line)] = excerpt(hunks(old, old.replace("term_50", "term_fifty")), ExcerptBounds(4, 80, 100))
    assert "term_fifty" in plain(line)
    assert len(plain(line)) <= 82


# ------------------------------------------------------------------------------- recognizing it again


@pytest.mark.parametrize("name", ["simple", "two proposals", "unknown", "hostile", "wide", "tried", "choice"])
@pytest.mark.parametrize("bounds", BOUNDS, ids=lambda bounds: bounds.lines)
def test_what_was_saved_is_known_again(repairs, name, bounds):
    state = panel_state(repairs[name])
    assert is_saved(document(kept_state(state, bounds)), state)
    earlier = panel_state(dataclasses.replace(repairs[name], fixes=()), working="looking for a fix")
    assert is_saved(document(kept_state(earlier, bounds)), state)


@pytest.mark.parametrize("part", ["id", "origin", "explanation", "edits", "first"])
def test_a_proposal_that_was_changed_in_the_file_is_not(repairs, part):
    state = panel_state(repairs["simple"])
    saved = document(kept_state(state, BOUNDS[0]))
    saved["fixes"][0][part] = [{"cell": "x"}] if part in ("edits", "first") else HOSTILE
    assert not is_saved(saved, state)


@pytest.mark.parametrize("field", ["expected", "source", "label", "hunks"])
def test_neither_is_one_with_another_text(repairs, field):
    state = panel_state(repairs["simple"])
    saved = document(kept_state(state, BOUNDS[0]))
    saved["fixes"][0]["edits"][0][field] = "other"
    assert not is_saved(saved, state)


def test_html_needs_no_style_to_be_read(repairs):
    bare = re.sub(r' style="[^"]*"', "", kept_html(repairs["two proposals"]))
    lines = bare[bare.index("<pre>") + 5 : bare.index("</pre>")].split("\n")
    text = [re.sub("<[^>]+>", "", line) for line in lines]
    assert "-     return grouped.slaes.sum()" in text
    assert "+     return grouped.sales.sum()" in text
