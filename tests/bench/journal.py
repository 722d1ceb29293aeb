"""What the undo journal costs a cell, and what undo costs.

Against no journal, against `deepcopy` of the names read, and against a process that is forked off before the cell and
parked, to be gone on with if the cell fails.
"""

from __future__ import annotations

import ast
import copy
import gc
import os
import signal
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

import numpy
import pandas

from reflex_ipython.state.bounds import Bounds
from reflex_ipython.state.journal import Journal
from tests.bench.figures import heading, ratio, row, seconds

GOAL = "≤ 10 ms"
ROUNDS = 15
MB = 1_000_000
WIDE = Bounds(nodes=5_000_000, bytes=2_000 * MB, milliseconds=60_000)
"""Bounds that nothing here is beyond."""


def main() -> None:
    """Print the figures."""
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    for name, make, cell, read in CASES:
        _case(name, make(), cell, read)
    _case("a 500 MB array, with bounds that allow the copy", _array(), "array += 1", (), WIDE)
    _held("600,000 small objects", _points(), "points[0].x += 1")
    _statements()


def _case(name: str, namespace: dict[str, Any], cell: str, read: tuple[str, ...], bounds: Bounds | None = None) -> None:
    heading(f"{name}: `{cell[:60]}{'…' if len(cell) > 60 else ''}`")
    figures = _Figures(namespace, _compiled(cell), bounds)
    deep = []
    for turn in range(ROUNDS):
        figures.take()
        if turn < 3 and read:
            deep.append(seconds(lambda: copy.deepcopy([namespace[name] for name in read])))
    row("the cell without a journal", figures.plain)
    row("noting, in the whole cell", figures.noting, GOAL)
    if figures.held > MB:
        row(f"… and copying {figures.held / MB:,.0f} MB of arrays", figures.copying)
    row("the cell with the journal", figures.journalled)
    ratio("… against without", figures.journalled, figures.plain)
    if deep:
        row("deepcopy of the names it reads", deep)
        ratio("noting and copying against deepcopy", figures.before, deep)
    if hasattr(os, "fork"):
        row("a parked fork: making and ending it", figures.fork)
        row("the cell with the fork", figures.forked)
    row(f"undo: {figures.words}", figures.undo)


class _Figures:
    """What is taken of one cell, by turns."""

    def __init__(self, namespace: dict[str, Any], codes: list[CodeType], bounds: Bounds | None) -> None:
        self._journal = Journal(namespace, bounds)
        self._namespace = namespace
        self._codes = codes
        self.plain: list[float] = []
        self.before: list[float] = []
        self.noting: list[float] = []
        self.copying: list[float] = []
        self.journalled: list[float] = []
        self.undo: list[float] = []
        self.fork: list[float] = []
        self.forked: list[float] = []
        self.words = ""
        self.held = 0
        self._parked = 0

    def take(self) -> None:
        gc.collect()
        self.plain.append(seconds(lambda: self._run(lambda code: None)))
        gc.collect()
        self.before.append(0.0)
        self.journalled.append(seconds(lambda: self._run(self._note)))
        self.held = self._journal.held
        self.copying.append(self._journal.copying)
        self.noting.append(self.before[-1] - self.copying[-1])
        self.undo.append(seconds(self._undo))
        self._journal.clear()
        if hasattr(os, "fork"):
            gc.collect()
            self.forked.append(seconds(self._run_forked))

    def _run_forked(self) -> None:
        """While the other process holds the memory as it was, each page that the cell writes to is copied first."""
        made = seconds(self._park)
        self._run(lambda code: None)
        self.fork.append(made + seconds(self._end))

    def _park(self) -> None:
        self._parked = os.fork()
        if not self._parked:
            signal.pause()

    def _end(self) -> None:
        os.kill(self._parked, signal.SIGKILL)
        os.waitpid(self._parked, 0)

    def _run(self, before: Callable[[CodeType], object]) -> None:
        for code in self._codes:
            before(code)
            exec(code, self._namespace)

    def _note(self, code: CodeType) -> None:
        self.before[-1] += seconds(lambda: self._journal.before(code))

    def _undo(self) -> None:
        self.words = self._journal.rollback(0).words


def _held(name: str, namespace: dict[str, Any], cell: str) -> None:
    """What is held for a cell, with the usual bounds and without any, and what the garbage collector makes of it."""
    heading(f"{name}, until the next cell: `{cell}`")
    (code,) = _compiled(cell)
    without = [seconds(gc.collect) for _ in range(ROUNDS)]
    row("gc.collect without the journal", without)
    for words, bounds in (("the journal", None), ("a journal without bounds", WIDE)):
        journal = Journal(namespace, bounds)
        with _traced() as size:
            journal.before(code)
        with_it = [seconds(gc.collect) for _ in range(ROUNDS)]
        row(f"gc.collect with {words}, which holds {size() / MB:.1f} MB", with_it)
        ratio("… against without", with_it, without)
        journal.clear()


@contextmanager
def _traced() -> Iterator[Callable[[], int]]:
    """Gives the bytes that were allocated meanwhile and are still held at the end."""
    held = 0
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    try:
        yield lambda: held
    finally:
        held = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()


def _compiled(cell: str) -> list[CodeType]:
    return [compile(ast.Module([node], []), "<cell>", "exec") for node in ast.parse(cell).body]


def _statements() -> None:
    heading("one small statement, `x = y + 1`")
    journal = Journal({"y": 1})
    code = _compiled("x = y + 1")[0]
    row("noting", [seconds(lambda: journal.before(code)) for _ in range(200)], "< 1 ms")
    journal.clear()


def _small() -> dict[str, Any]:
    return {f"v{place}": [place, {"a": [1, 2]}, "text"] for place in range(20)}


def _frame() -> dict[str, Any]:
    values = numpy.random.default_rng(0).random((6_250_000, 10))
    return {"frame": pandas.DataFrame(values, columns=list("abcdefghij")), "other": [1]}


def _array() -> dict[str, Any]:
    return {"array": numpy.ones(500 * MB // 8), "other": [1]}


def _smaller_array() -> dict[str, Any]:
    return {"array": numpy.ones(200 * MB // 8), "other": [1]}


def _forest() -> dict[str, Any]:
    from sklearn.ensemble import RandomForestClassifier

    generator = numpy.random.default_rng(0)
    x, y = generator.random((3_000, 10)), generator.integers(0, 2, 3_000)
    return {"forest": RandomForestClassifier(100, random_state=0).fit(x, y), "x": x[:5]}


class _Point:
    def __init__(self, x: int) -> None:
        self.x = x


def _points() -> dict[str, Any]:
    return {"points": [_Point(place) for place in range(600_000)], "other": [1]}


CASES: tuple[tuple[str, Callable[[], dict[str, Any]], str, tuple[str, ...]], ...] = (
    ("20 small variables", _small, "; ".join(f"v{place}.append(1)" for place in range(20)), tuple(_small())),
    ("a 500 MB frame, untouched", _frame, "other.append(1)", ("other",)),
    ("a 500 MB frame, read", _frame, "total = frame['a'].sum()", ("frame",)),
    ("a 500 MB frame, a column added", _frame, "frame['k'] = 1.0; del frame['k']", ()),
    ("a 500 MB frame, mutated in place", _frame, "frame.iloc[0, 0] = 5.0", ()),
    ("a 500 MB array, beyond the bytes", _array, "array += 1", ()),
    ("a 200 MB array, within the bytes", _smaller_array, "array += 1", ("array",)),
    ("a fitted random forest", _forest, "guess = forest.predict(x)", ("forest",)),
    ("600,000 small objects", _points, "points[0].x += 1", ()),
)
