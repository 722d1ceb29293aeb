"""A healthy cell over frames and arrays computes the same whether it was noted or not, and after a rollback as well."""

from __future__ import annotations

import ast
import gc
import warnings
from types import CodeType
from typing import Any

import pytest

from reflex_ipython.state.bounds import Bounds
from reflex_ipython.state.journal import Journal
from tests.state.cells import GENEROUS, namespace

pytest.importorskip("pandas")

from tests.state.frame_cells import CELLS, REBOUND, Cell
from tests.state.memory_picture import picture

NARROW = Bounds(nodes=100, bytes=64, milliseconds=60_000)
"""Within these, of some objects the contents are noted and of others only what they are made of."""
IDS = [f"{cell.setup.splitlines()[-1][:30]} {cell.lines.splitlines()[0]}" for cell in CELLS]


def made(cell: Cell) -> dict[str, Any]:
    return namespace("import numpy as np, pandas as pd", cell.setup)


def statements(lines: str) -> list[tuple[CodeType, ast.stmt]]:
    return [(compile(ast.Module([node], []), "<cell>", "exec"), node) for node in ast.parse(lines).body]


def in_one(lines: str) -> str:
    """The same as one statement."""
    return "if True:\n" + "\n".join(f"  {line}" for line in lines.splitlines())


def carried_out(names: dict[str, Any], lines: str, journal: Journal | None = None, foreseen: bool = False) -> list[Any]:
    """Run it, and give the warnings and what it raised."""
    told: list[Any] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for code, node in statements(lines):
            if journal is not None:
                journal.before(code, node if foreseen else None)
            try:
                exec(code, names)
            except Exception as problem:  # noqa: BLE001 - some may not do in one version; then in both runs
                told.append(repr(problem))
                break
            if journal is not None:
                journal.after()
    return told + [(warning.category, str(warning.message)) for warning in caught]


@pytest.mark.parametrize(
    ("bounds", "foreseen"), [(GENEROUS, False), (NARROW, False), (GENEROUS, True)], ids=["wide", "narrow", "foreseen"]
)
@pytest.mark.parametrize("whole", [False, True], ids=["by statement", "in one"])
@pytest.mark.parametrize("cell", [*CELLS, *REBOUND], ids=[*IDS, *(cell.lines.splitlines()[0] for cell in REBOUND)])
def test_a_noted_cell_computes_and_shares_the_same(cell: Cell, whole: bool, bounds: Bounds, foreseen: bool) -> None:
    lines = in_one(cell.lines) if whole else cell.lines
    plain, snapshots = made(cell), made(cell)
    wanted = carried_out(plain, lines)
    journal = Journal(snapshots, bounds)
    told = carried_out(snapshots, lines, journal, foreseen)
    journal.finished()
    assert told == wanted
    assert picture(snapshots) == picture(plain)


@pytest.mark.parametrize("foreseen", [False, True], ids=["noted", "foreseen"])
@pytest.mark.parametrize("cell", CELLS, ids=IDS)
def test_after_a_rollback_all_is_as_it_was_and_the_same_cell_computes_the_same(cell: Cell, foreseen: bool) -> None:
    plain, snapshots = made(cell), made(cell)
    before = picture(plain)
    journal = Journal(snapshots, GENEROUS)
    carried_out(snapshots, cell.lines, journal, foreseen)
    restoration = journal.rollback(0)
    journal.clear()
    gc.collect()
    assert restoration.exact, restoration.words
    assert picture(snapshots) == before
    wanted = carried_out(plain, cell.lines)
    assert carried_out(snapshots, cell.lines) == wanted
    assert picture(snapshots) == picture(plain)
