"""What noting costs over big frames and arrays, by turns with and without, and what it takes to undo."""

from __future__ import annotations

import ast
import gc
from types import CodeType
from typing import Any

import numpy
import pandas

from reflex_ipython.state.bounds import Bounds
from reflex_ipython.state.credit import Credit
from reflex_ipython.state.journal import Journal
from tests.bench.figures import heading, ratio, row, seconds

ROUNDS = 9
MB = 1_000_000
WIDE = Bounds(nodes=5_000_000, bytes=2_000 * MB, milliseconds=60_000)
"""Bounds that nothing here is beyond."""
TWENTY = "\n".join("total = X.sum()" if n % 2 else "part = X[5:10]" for n in range(20))


def main() -> None:
    """Print the figures."""
    frame, array = _frame(), numpy.ones(250 * MB // 8)
    for name, o, cell in (
        ("a 500 MB frame, one cell written", frame, "X.iloc[0, 0] = 5.0"),
        ("a 500 MB frame, a column added", frame, "X['k'] = 1.0\ndel X['k']"),
        ("a 500 MB frame that was noted, one cell written", frame, "(lambda: X.shape)()\nX.iloc[0, 0] = 5.0"),
        ("a 250 MB array, its shape", array, "X.shape"),
        ("a 250 MB array, 20 statements that read it", array, TWENTY),
    ):
        _healthy(name, o, cell)
    _undo("a 250 MB array, all of it changed", {"X": array}, "X += 1")
    _undo("a 250 MB array, one item changed, within a call", {"X": array, "put": numpy.put}, "(lambda: put(X, 5, 1))()")
    _undo("3,000 dicts", {"X": [{"n": n, "v": [n]} for n in range(3_000)]}, "(lambda: [d.update(n=1) for d in X])()")
    _undo("a 500 MB frame, a column added", {"X": frame}, "X['k'] = 1.0")
    _undo("a 500 MB frame, one cell written", {"X": frame}, "X.iloc[0, 0] = 5.0")
    _undo("a 500 MB frame, one cell written within a call", {"X": frame}, "(lambda: X.iloc.__setitem__((0, 0), 5.0))()")


def _healthy(name: str, o: Any, cell: str) -> None:
    heading(f"{name}: `{cell.splitlines()[0]}`")
    plain, noted = [], []
    names = {"X": o}
    statements = _compiled(cell)
    for _ in range(ROUNDS):
        gc.collect()
        plain.append(seconds(lambda: _run(statements, names, None)))
        journal = Journal(names, credit=Credit())
        gc.collect()
        noted.append(seconds(lambda journal=journal: _run(statements, names, journal)))
        journal.clear()
    row("without", plain)
    row("with", noted)
    ratio("… against without", noted, plain, "≤ 1.05")


def _undo(name: str, names: dict[str, Any], cell: str) -> None:
    heading(f"undo: {name}: `{cell}`")
    copying, undo = [], []
    words = ""
    for _ in range(ROUNDS):
        journal = Journal(names, WIDE)
        _run(_compiled(f"{cell}\n1 / 0"), names, journal)
        gc.collect()
        size = journal.held
        some, others = numpy.ones(size // 8), numpy.ones(size // 8)
        copying.append(seconds(lambda some=some, others=others: numpy.copyto(some, others)))
        del some, others
        words = seconds_and_words(journal, undo)
        journal.clear()
    row(f"copying {size / MB:,.0f} MB back", copying)
    row(f"undo: {words}", undo)
    row("undo, beyond the copying", [whole - bare for whole, bare in zip(undo, copying)], "≤ 20 ms")


def seconds_and_words(journal: Journal, taken: list[float]) -> str:
    """Roll back, and say what it says of itself."""
    said = []
    taken.append(seconds(lambda: said.append(journal.rollback(0).words)))
    return said[0]


def _run(statements: list[tuple[CodeType, ast.stmt]], names: dict[str, Any], journal: Journal | None) -> None:
    for code, node in statements:
        if journal is not None:
            journal.before(code, node)
        try:
            exec(code, names)
        except ZeroDivisionError:
            break
        if journal is not None:
            journal.after()
    if journal is not None:
        journal.finished()


def _compiled(cell: str) -> list[tuple[CodeType, ast.stmt]]:
    return [(compile(ast.Module([node], []), "<cell>", "exec"), node) for node in ast.parse(cell).body]


def _frame() -> pandas.DataFrame:
    return pandas.DataFrame(numpy.random.default_rng(0).random((6_250_000, 10)), columns=list("abcdefghij"))
