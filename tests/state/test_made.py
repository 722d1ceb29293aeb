"""What an earlier statement of the cell made is no reason to ask those who run that statement again."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from reflex_ipython.state.effect import Repeat
from reflex_ipython.state.plan import FailedStatements, Plan, plan
from tests.state.cells import namespace, run

IMPORTS = (
    "import csv, itertools, os, queue, sqlite3, threading\nsteps = (n for n in range(9))\nold = queue.SimpleQueue()"
)
MADE = {
    "a queue": "q = queue.SimpleQueue()\nq.put(1)",
    "a generator": "g = (n for n in range(3))\nnext(g)",
    "a generator over a dict": "g = (n for n in {1: 2, 3: 4})\nnext(g)",
    "a generator of a function": "def count(): yield 1\ng = count()\nnext(g)",
    "a thread": "t = threading.Thread(target=int)\nt.start()\nt.join()",
    "a file that is gone again": "open('a', 'w').close()\nos.remove('a')",
    "a file that is read": "lines = open('there')\nlines.close()",
}
OLDER = {
    "another name": ("q = old\nq.put(1)", "q (queue.SimpleQueue)"),
    "a name that was bound again": ("q = queue.SimpleQueue()\nq = old\nq.put(1)", "q (queue.SimpleQueue)"),
    "what a generator uses": ("g = (next(steps) for _ in range(2))\nlist(g)", "steps (generator)"),
    "what an iterator uses": ("m = map(str, steps)\nnext(m)", "m (generator)"),
    "a file that was there": ("os.remove('there')", "removed there"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").write_text("text")


def planned(cell: str, new: str = "", *, whole: bool = True) -> Plan:
    """What running the cell again would do, its last statement having failed."""
    journal = run(namespace(IMPORTS), f"{cell}\n1 / 0")
    old = ast.parse(f"{cell}\n1 / 0").body
    return plan(
        FailedStatements(old, len(old) - 1, journal.aftermath.repeats()),
        ast.parse(new or f"{cell}\n1").body,
        whole=whole,
    )


@pytest.mark.parametrize("cell", MADE.values(), ids=MADE)
def test_what_the_cell_itself_made_is_not_asked_about_if_all_of_it_runs(cell: str) -> None:
    assert planned(cell).repeats == ()


@pytest.mark.parametrize("cell", [MADE["a queue"], MADE["a generator"]])
def test_it_is_asked_about_if_what_made_it_does_not_run_again(cell: str) -> None:
    made, used = cell.splitlines()
    assert planned(cell, f"{made}\n{used} or 1\n1", whole=False).repeats
    assert planned(cell, f"{used}\n1").repeats


@pytest.mark.parametrize(("cell", "told"), OLDER.values(), ids=OLDER)
def test_what_was_there_before_is_asked_about(cell: str, told: str) -> None:
    assert told in planned(cell).repeats


def test_each_says_since_when_it_is_there() -> None:
    journal = run(namespace(IMPORTS), "x = 1\nq = queue.SimpleQueue()\nq.put(1)\nold.put(2)\n1 / 0")
    assert journal.aftermath.repeats()[2:4] == [
        (Repeat("q (queue.SimpleQueue)", 1),),
        (Repeat("old (queue.SimpleQueue)"),),
    ]


@pytest.mark.parametrize(
    "cell",
    [
        "g = work(log)\nlist(g)",
        "g = (log.append(n) for n in [1])\nlist(g)",
        "t = threading.Thread(target=tell)\nt.start(); t.join()",
        "t = threading.Timer(0, tell)\nt.start(); t.join()",
    ],
)
def test_what_it_does_to_objects_that_were_there_is_put_back(cell: str) -> None:
    names = namespace(IMPORTS, "log = []\ndef work(a): a.append(1); yield\ndef tell(): log.append(1)")
    journal = run(names, f"{cell}\n1 / 0")
    assert names["log"]
    assert journal.rollback(0).exact
    assert not names["log"]
