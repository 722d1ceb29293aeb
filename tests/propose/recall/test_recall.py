"""What was accepted before is proposed again, with the names of the present place; what does not fit is not."""

from __future__ import annotations

import ast
import dataclasses
from datetime import datetime, timezone

import pytest

from reflex_ipython.models import Failure, Precedent, from_json, to_json
from reflex_ipython.propose.recall import RecallProvider
from reflex_ipython.propose.recall.evidence import gathered
from reflex_ipython.propose.recall.holes import readable
from reflex_ipython.propose.recall.mistake import mistake
from reflex_ipython.propose.recall.rewriting import _found
from reflex_ipython.propose.recall.switched_off import SwitchedOff
from reflex_ipython.propose.rules.cell import read
from reflex_ipython.protocols import Context, Request
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.settings import Settings
from tests.propose.recall.notebooks import accepted, failure_of, own_folder, runs
from tests.propose.recall.repeated import REPEATED

LEAST = 48
"""Of 60, which is 80 %."""


def proposed(store, failure: Failure, **settings):
    context = Context(lambda: Settings(**settings), store)
    return list(RecallProvider(context).propose(failure, Request()))


def source(fix):
    return fix.edits[-1].source


def same(one: str, other: str) -> bool:
    return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))


@pytest.fixture(scope="module")
def taught():
    """A history with all of the table's first notebooks."""
    store = MemoryStore()
    for number, (name, case) in enumerate(REPEATED.items()):
        with own_folder():
            repair = accepted(failure_of(case.setup, case.cell), case.mended, repair_id=f"r{number}")
            assert runs(case.setup, case.mended), name
        store.save(repair)
    return store


def test_of_sixty_repeated_mistakes_four_in_five_are_recalled_rightly_and_no_wrong_fix_runs(taught):
    assert len(REPEATED) == 60
    right, wrong = [], []
    for name, case in REPEATED.items():
        with own_folder():
            failure = failure_of(case.setup2, case.cell2)
            assert runs(case.setup2, case.right), name
        ran = []
        for fix in sorted(proposed(taught, failure), key=lambda fix: -fix.prior):
            with own_folder():
                ran += [fix] if runs(case.setup2, source(fix)) else []
        right += [name] if ran and same(source(ran[0]), case.right) else []
        wrong += [(name, source(fix)) for fix in ran if not same(source(fix), case.right)]
    assert wrong == []
    assert len(right) >= LEAST, sorted(REPEATED.keys() - set(right))


SPEED = (
    "def speed(km, h):\n    if h > 24: raise ValueError('give hours, not minutes')\n    return km / h\na, b = 30, 45"
)
FIRST, MENDED, SECOND = "v = speed(100, 90)", "v = speed(100, 90 / 60)", "w = speed(a, b)"


def repairs(*worked: bool, notebooks: int = 1):
    """The same repair several times, in so many notebooks, the last one first in time."""
    store, failure = MemoryStore(), failure_of(SPEED, FIRST)
    for number, good in enumerate(worked):
        repair = accepted(
            failure, MENDED, repair_id=f"r{number}", notebook=f"/work/n{number % notebooks}.ipynb",
            at=f"2026-11-{number + 1:02}T10:00:00.000+00:00",
        )  # fmt: skip
        if not good:
            repair = dataclasses.replace(repair, decision=dataclasses.replace(repair.decision, kind="undone"))
        store.save(repair)
    return store


def test_the_panel_says_how_often_it_was_accepted_when_last_and_where():
    store = repairs(True, True, True, True)
    [fix] = proposed(store, failure_of(SPEED, SECOND))
    assert source(fix) == "w = speed(a, b / 60)"
    assert fix.provider == "remembered"
    [evidence] = gathered(store.precedents("", 10))
    now = datetime(2026, 11, 24, 12, tzinfo=timezone.utc)
    assert evidence.words(now) == "accepted 4 times, last on 4 Nov in n0.ipynb"
    assert (
        evidence.words(datetime(2027, 1, 1, tzinfo=timezone.utc)) == "accepted 4 times, last on 4 Nov 2026 in n0.ipynb"
    )


def test_what_was_right_once_in_another_statement_is_a_possibility_and_no_answer():
    [once] = proposed(repairs(True), failure_of(SPEED, SECOND))
    [twice] = proposed(repairs(True, True), failure_of(SPEED, SECOND))
    assert once.prior < 0.5 <= twice.prior < 1


def test_what_was_undone_sinks_and_is_not_proposed_once_it_was_wrong_as_often_as_right():
    failure = failure_of(SPEED, SECOND)
    [good], [doubted] = (
        proposed(repairs(True, True, True), failure),
        proposed(repairs(True, True, True, False), failure),
    )
    assert doubted.prior < good.prior
    assert proposed(repairs(True, False), failure) == []
    assert proposed(repairs(False), failure) == []


def test_three_notebooks_make_a_rule_and_three_times_in_one_do_not():
    [[one], [three]] = [gathered(repairs(True, True, True, notebooks=n).precedents("", 9)) for n in (1, 3)]
    assert (one.is_rule, three.is_rule) == (False, True)
    [fix] = proposed(repairs(True, True, True, notebooks=3), failure_of(SPEED, SECOND))
    assert "A rule of your own" in fix.explanation


def test_one_that_is_switched_off_is_not_proposed_until_it_is_switched_on():
    store, failure = repairs(True, True), failure_of(SPEED, SECOND)
    [fix] = proposed(store, failure)
    SwitchedOff().switch(fix.lesson.id, on=False)
    assert proposed(store, failure) == []
    SwitchedOff().switch(fix.lesson.id, on=True)
    assert len(proposed(store, failure)) == 1


def test_a_damaged_file_of_switches_switches_nothing_off(tmp_path):
    file = tmp_path / "lessons_off.json"
    file.write_text("{", encoding="utf-8")
    assert SwitchedOff(lambda: file).ids() == frozenset()
    SwitchedOff(lambda: file).switch("abc", on=False)
    assert SwitchedOff(lambda: file).ids() == {"abc"}


def test_nothing_is_recalled_if_the_settings_say_so():
    assert proposed(repairs(True), failure_of(SPEED, SECOND), recall=False) == []


def test_a_history_that_can_not_tell_precedents_is_no_trouble():
    class Plain:
        def get(self, prefix): ...

        def recent(self, count, *, accepted=None):
            return []

    assert proposed(Plain(), failure_of(SPEED, SECOND)) == []


def test_what_was_recalled_and_accepted_speaks_for_what_it_was_recalled_from():
    store, failure = repairs(True), failure_of(SPEED, SECOND)
    [fix] = proposed(store, failure)
    repair = accepted(failure, source(fix), repair_id="again")
    assert repair.lesson.id == fix.lesson.id


def test_the_mistake_is_the_same_whatever_names_and_values_it_is_made_with():
    ones = failure_of("rows = {'a': 1}", "rows['b']"), failure_of("prices = {'x': 1}", "cost = prices['y'] + 1")
    assert mistake(ones[0]) == mistake(ones[1])
    assert mistake(ones[0]) != mistake(failure_of("rows = [1]", "rows[3]"))


def test_no_lesson_holds_a_secret_or_what_was_redacted():
    setup = "def call(url, token=None):\n    if token is None: raise ValueError('no token')\n    return url"
    assert accepted(failure_of(setup, "call('a')"), "call('a', token='REDACTED_1')").lesson is None


def test_nothing_is_copied_that_others_hang_on_the_nodes_of_all_trees():
    """As `executing` does: a `Load` is one object for all trees, and gets the tree of a whole module for its parent."""

    class Parent:
        def __deepcopy__(self, memo):
            raise AssertionError("somebody else's tree was copied")

    load = ast.parse("a").body[0].value.ctx
    load.parent = Parent()
    try:
        lesson = accepted(failure_of(SPEED, FIRST), MENDED, repair_id="r").lesson
    finally:
        del load.parent
    assert lesson.before == accepted(failure_of(SPEED, FIRST), MENDED, repair_id="r").lesson.before


@pytest.mark.parametrize(
    ("cell", "mended"),
    [
        ("x = 1\ny = x + 'a'\nz = 3", "x = 2\ny = str(x) + 'a'\nz = 4"),  # three places
        ("y = 1 + 'a'\nz = 3", "z = 3"),  # it is left out
        ("y = 1 + 'a'", "y = 1 + 'a'  # why"),  # nothing has changed
    ],
)
def test_what_is_no_one_change_of_one_statement_is_not_learnt(cell, mended):
    assert accepted(failure_of("", cell), mended).lesson is None


def test_comments_lines_and_everything_else_of_the_cell_stay_as_they_are():
    store = repairs(True)
    cell = "# trips\nway = 12   # km\n\nw = speed(  # to town\n    way,\n    b,\n)\nprint(w)"
    [fix] = proposed(store, failure_of(SPEED, cell))
    assert source(fix) == cell.replace("w = speed(  # to town\n    way,\n    b,\n)", "w = speed(way, b / 60)")


def test_a_module_keeps_the_name_that_it_has_here():
    setup = "import json\nimport datetime\nd = datetime.date(2024, 1, 2)"
    repair = accepted(failure_of(setup, "json.dumps([d])"), "json.dumps([d], default=str)")
    assert readable(repair.lesson.before) == "json.dumps(…)"
    store = MemoryStore()
    store.save(repair)
    [fix] = proposed(
        store, failure_of("import json as j, datetime\nday = datetime.date(2023, 1, 1)", "t = j.dumps([day])")
    )
    assert source(fix) == "t = j.dumps([day], default=str)"


def test_a_name_is_found_that_is_written_with_other_letters_of_the_same_meaning():
    store = repairs(True)
    cell = FIRST.replace("speed", "ſpeed")  # Python reads a long s as an s
    [fix] = proposed(store, failure_of(SPEED, cell))
    assert same(source(fix), MENDED)


def test_what_is_mended_elsewhere_in_a_long_cell_is_found_in_the_order_of_its_text():
    cell = read("a = f(1)\nif a:\n    b = g(f(2))\nc = f(f(3))\nd = 1")
    pattern = read("f(__x1)").tree
    found = _found(pattern, cell, cell.tree.body[:3], failure_of(SPEED, FIRST))
    assert [ast.unparse(node) for node, _ in found] == ["f(1)", "f(2)", "f(f(3))", "f(3)"]
    [alone] = _found(pattern, cell, cell.tree.body[1].body, failure_of(SPEED, FIRST))
    assert ast.unparse(alone[0]) == "f(2)"


def test_a_lesson_and_a_precedent_round_trip_through_json():
    [precedent] = repairs(True).precedents("", 1)
    assert from_json(Precedent, to_json(precedent)) == precedent
