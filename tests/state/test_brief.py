"""Short statements have marks that hold nothing but plain data; unfolded, they are as good as full ones."""

from __future__ import annotations

import ast
import sys
import weakref
from typing import Any

import pytest

from reflex_ipython.state.brief import name_objects, unfold, written
from reflex_ipython.state.checkpoint import MISSING, Checkpoint
from reflex_ipython.state.held import Ledger
from reflex_ipython.state.journal import Journal
from reflex_ipython.state.kinds.layout import identity

SETUP = "n, text, d, e, pair = 1, 'a', [1], {'k': 1}, (1, 2)\nalias = d\nouter = [d, e]"
CELLS = [
    "n = 2\nn = n + 1\ntext = text + 'b'\npair = (n, text)",
    "d.append(n)\nd.append(n)\nd[0] = 5\nd[0] += len(text)",
    "e['k'] = 2\ne['new'] = 3\ne['k'] += 1",
    "d.append(2)\nd = 5\nd = [7]\nd.append(8)",
    "d.append(2)\nalias.append(3)\nd, alias = 1, 2",
    "n, text = text, n\nn = text",
    "e['k'] = 4\nother = e\nother['k'] = 5\ne = None",
    "d.append(2)\nd = alias = 3",
    "fresh = [1]\nfresh.append(2)\nfresh[0] = 9\nfresh = 0",
    "d.append(2)\ndel d\nd = [3]\nd.append(4)",
    "outer[0].append(4)\nd.append(5)\nouter[1]['k'] = 6\ne['k'] = 7",
]


def _run(cell: str, namespace: dict[str, Any], journal: Journal) -> None:
    for node in ast.parse(cell).body:
        code = compile(ast.Module([node], []), "<cell>", "exec")
        journal.before(code, node)
        exec(code, namespace)
        journal.after()


def _seen(namespace: dict[str, Any]) -> dict[str, Any]:
    return {name: (id(o), repr(o)) for name, o in namespace.items() if not name.startswith("__")}


@pytest.mark.parametrize("cell", CELLS)
def test_each_statement_of_a_cell_is_undone(cell: str) -> None:
    for stop in range(len(ast.parse(cell).body)):
        namespace: dict[str, Any] = {}
        exec(SETUP, namespace)
        states = []
        journal = Journal(namespace)
        for line in cell.splitlines():
            states.append(_seen(namespace))
            _run(line, namespace, journal)
        restored = journal.rollback(stop)
        assert restored.exact, restored.words
        assert {name: text for name, (_, text) in _seen(namespace).items()} == {
            name: text for name, (_, text) in states[stop].items()
        }
        for name in ("outer", "alias"):  # what somebody else holds is the very same
            if name in states[stop]:
                assert _seen(namespace)[name][0] == states[stop][name][0]


def test_a_list_that_nobody_holds_any_more_comes_to_an_end_and_is_named() -> None:
    class Part:
        pass

    part = Part()
    namespace = {"n": 0, "d": [part, *range(500)]}
    ended = weakref.ref(part)
    del part
    journal = Journal(namespace)
    _run("n = 1\nd.append(1)\nd = None\nn = 2", namespace, journal)
    assert ended() is None
    restored = journal.rollback(0)
    assert not restored.exact
    assert "d" in restored.words
    assert namespace["n"] == 0


def test_a_list_is_held_by_its_name_alone() -> None:
    namespace: dict[str, Any] = {"n": 0, "d": [1]}
    before = sys.getrefcount(namespace["d"])
    journal = Journal(namespace)
    _run("n = 1\n" + "d.append(n)\n" * 5, namespace, journal)
    after = sys.getrefcount(namespace["d"])
    assert after == before
    assert journal.rollback(0).exact
    assert namespace["d"] == [1]


def test_another_list_under_the_same_name_is_not_taken_for_it() -> None:
    namespace: dict[str, Any] = {"n": 0, "d": [1], "keep": []}
    journal = Journal(namespace)
    _run("n = 1\nd.append(2)", namespace, journal)
    namespace["keep"].append(namespace["d"])
    namespace["d"] = [7, 8, 9]  # a thread did that, which no mark tells of
    journal.rollback(0)
    assert namespace["keep"] == [[1, 2]]
    assert namespace["d"] != [7]


@pytest.mark.parametrize("cell", CELLS)
def test_an_older_cell_is_undone_behind_another_one(cell: str) -> None:
    namespace: dict[str, Any] = {}
    exec(SETUP, namespace)
    before, ledger = _seen(namespace), Ledger()
    older, newer = Journal(namespace, ledger=ledger), Journal(namespace, ledger=ledger)
    _run(cell, namespace, older)
    older.finished()
    older.retire()
    _run("d = [9]\nd.append(8)\ne = {'z': 0}\nn = 0\ntext = ''\nfresh = alias = other = None", namespace, newer)
    newer.finished()
    assert newer.rollback(0).exact
    restored = older.rollback(0)
    assert restored.exact, restored.words
    texts = {name: text for name, (_, text) in _seen(namespace).items()}
    assert texts == {name: text for name, (_, text) in before.items()}
    assert _seen(namespace)["outer"][0] == before["outer"][0]


@pytest.mark.parametrize(("cell", "stay"), [("n = 2\nn = n + 1", True), ("n = 2\nd.append(n)", False)])
def test_an_older_cell_is_unfolded_only_if_it_knows_objects_by_their_names(cell: str, *, stay: bool) -> None:
    namespace: dict[str, Any] = {"n": 1, "d": []}
    journal = Journal(namespace)
    _run(cell, namespace, journal)
    assert name_objects(journal._all) is not stay
    journal.retire()
    assert all(type(checkpoint) is not Checkpoint for checkpoint in journal._all) is stay
    assert journal.rollback(0).exact
    assert (namespace["n"], namespace["d"]) == (1, [])


def test_what_a_skipped_statement_binds_leads_nowhere() -> None:
    (node, skipped) = ast.parse("d.append(1)\nd, x = make()").body
    found = [1]
    namespace: dict[str, Any] = {"d": found}
    code = compile(ast.Module([skipped], []), "<cell>", "exec")
    missing = Checkpoint.skip(code, {}, "no time")
    missing.node = skipped
    from reflex_ipython.state.kinds.operations import GROWTH

    checkpoints = unfold([(node, (), (), ("d", identity(found), GROWTH, 1)), missing], namespace)
    assert checkpoints[0].snapshots.entries == []
    assert "d" in checkpoints[0].uncovered


def test_unfolding_gives_names_their_old_values() -> None:
    (node,) = ast.parse("x = 1").body
    (checkpoint,) = unfold([(node, ("x",), (MISSING,), None)], {"x": 1})
    assert checkpoint.bindings == {"x": MISSING}
    assert checkpoint.node is node


def test_what_many_statements_write_to_is_told_once_with_each_way_in_which_they_do() -> None:
    namespace: dict[str, Any] = {}
    exec(SETUP, namespace)
    journal = Journal(namespace)
    _run("d.append(1)\nd[0] = 2\ne['k'] = 3\n" * 50, namespace, journal)
    told = [(identity(o), identity(kind)) for kind, o in written(journal.aftermath._all, namespace)]
    assert len(told) == len(set(told)) == 3
    assert {o for o, _ in told} == {identity(namespace["d"]), identity(namespace["e"])}
