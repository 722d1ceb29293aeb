"""When a cell that runs is looked at: not while its statements are over sooner than a look at them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from reflex_ipython.ipython.cells import RanCell
from reflex_ipython.ipython.look_ahead import FIRST, LookAhead
from reflex_ipython.ipython.statements import UnderWay


class Looks:
    """A cell of 10,000 statements that runs, and how often it was looked at."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        self.begun = self.looks = 0
        self._calls: list[Callable[[], None]] = []
        self._to_run: list[Any] = [(ast.parse("a = 1").body[0], "exec")] * 10_000
        clock = SimpleNamespace(monotonic=lambda: self.now)
        monkeypatch.setattr("reflex_ipython.ipython.look_ahead.time", clock)
        monkeypatch.setattr("reflex_ipython.foreseen.foresee", self._look)
        self._ahead = LookAhead(self._under_way, dict, pytest.fail, lambda _, call: self._calls.append(call))
        self._ahead.begins(RanCell("a", 1, "a = 1\n" * 10_000))

    def after(self, seconds: float, begun: int) -> None:
        """So long after the last look, so many statements have begun."""
        self.now += seconds
        self.begun = begun
        self._calls.pop()()
        thread = self._ahead._thread
        assert thread is not None
        thread.join()

    def _under_way(self) -> UnderWay:
        return UnderWay(self._to_run, self.begun, "file", lambda node: True)

    def _look(self, *_: Any, **__: Any) -> None:
        self.looks += 1


def test_a_cell_of_quick_statements_is_not_looked_at_before_one_takes_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = Looks(monkeypatch)
    cell.after(FIRST, 3_000)
    cell.after(2 * FIRST, 9_000)
    assert cell.looks == 0
    cell.after(40 * FIRST, 9_001)  # which runs
    assert cell.looks == 1


def test_a_cell_of_few_statements_is_looked_at_as_soon_as_it_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = Looks(monkeypatch)
    cell.after(FIRST, 2)
    assert cell.looks == 1
