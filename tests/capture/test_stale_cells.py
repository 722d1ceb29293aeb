"""Which cells have used values that are no more."""

from __future__ import annotations

import pytest

from reflex_ipython.capture.stale_cells import Anew, stale_cells
from reflex_ipython.models import CellRef, CellSource


def stale(*runs: tuple[str, str] | tuple[str, str, int], old: str | None = None) -> dict[str, tuple[str, ...]]:
    """What is stale once the last run is over: cells by their id, with the names that they used.

    Each run is a cell's id, its text, and the line on which it failed if it did. `old`: the last one has not run; the
    cell's functions have got the code of that text in the place of this one.
    """
    cells: dict[tuple[str, str], CellSource] = {}
    done = runs if old is None else runs[:-1]
    for number, (cell, text, *line) in enumerate(done, 1):
        before = cells.pop((cell, text), None)
        earlier = (*before.runs, before.cell.execution_count or 0) if before is not None else ()
        error = "NameError: x" if line else ""
        cells[cell, text] = CellSource(CellRef(cell, number), text, error, line[0] if line else None, earlier)
    cell, text, *_ = runs[-1]
    found = stale_cells(list(cells.values()), [Anew(CellRef(cell, None), text, old)])
    return {str(one.cell.id): one.names for one in found}


def test_what_used_an_earlier_runs_value_is_stale() -> None:
    assert stale(("a", "x = 1"), ("b", "print(x)"), ("a", "x = 2")) == {"b": ("x",)}
    assert stale(("a", "x = 1\nx.foo", 2), ("b", "print(x)"), ("a", "x = 2\nx.bar")) == {"b": ("x",)}


def test_so_is_what_used_what_that_made_of_it_in_the_order_of_the_flow() -> None:
    runs = [("a", "x = 1"), ("b", "y = x + 1"), ("c", "z = 0"), ("d", "print(y)"), ("a", "x = 2")]
    assert list(stale(*runs).items()) == [("b", ("x",)), ("d", ("x",))]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "runs",
    [
        pytest.param([("a", "x = 1\ny = 5"), ("b", "print(y)"), ("a", "x = 2\ny = 5")], id="the same value again"),
        pytest.param([("b", "print(x)"), ("a", "x = 1"), ("a", "x = 2")], id="ran before there was the value"),
        pytest.param([("a", "x = 1"), ("c", "x = 7"), ("b", "print(x)"), ("a", "x = 2")], id="another cell's value"),
        pytest.param([("a", "import re\nx = 1"), ("b", "re.escape('')"), ("a", "import re\nx = 2")], id="a module"),
        pytest.param([("a", "def f(): return 1\nx = 1"), ("b", "f()"), ("a", "def f(): return 1\nx = 2")], id="def"),
        pytest.param([("a", "x = 1"), ("b", "print(x)"), ("a", "x = 2"), ("b", "print(x)"), ("a", "x = 2")], id="both"),
        pytest.param([("a", "x = 1"), ("b", "x.foo", 1), ("a", "x = 2")], id="what failed has its own panel"),
        pytest.param([("a", "1 / 0\nx = 1", 1), ("b", "print(x)"), ("a", "x = 1")], id="its line was not reached"),
        pytest.param([("a", "x = 1"), ("b", "x = 5\nprint(x)"), ("a", "x = 2")], id="set by itself"),
        pytest.param([("a", "x = 1"), ("b", "d = {'x': 1}"), ("a", "x = 2")], id="a word in a string"),
        pytest.param([("a", "x = 1"), ("b", "[x for x in 'ab']"), ("a", "x = 2")], id="a name of its own"),
    ],
)  # fmt: skip
def test_what_only_read_unchanged_names_is_not_stale(runs: list[tuple[str, str]]) -> None:
    assert stale(*runs) == {}


def test_of_a_cell_that_ran_again_the_latest_run_counts() -> None:
    runs = [("a", "x = 1"), ("b", "print(x)"), ("a", "x = 2"), ("b", "print(0)"), ("a", "x = 3")]
    assert stale(*runs) == {}  # type: ignore[arg-type]


def test_what_depends_on_what_another_cell_has_changed_since_is_another_value() -> None:
    runs = [("d", "x = 1"), ("a", "y = x"), ("b", "print(y)"), ("d", "x = 2"), ("a", "y = x\nz = 1")]
    assert stale(*runs) == {"b": ("y",)}  # type: ignore[arg-type]


def test_what_is_drawn_by_chance_or_changed_in_place_is_another_value() -> None:
    chance = "y = rng.normal()"
    assert stale(("a", chance), ("b", "print(y)"), ("a", f"{chance}\nz = 1")) == {"b": ("y",)}
    assert stale(("a", "y.append(1)\nq", 2), ("b", "print(y)"), ("a", "y.append(1)\nz = 1")) == {"b": ("y",)}


def test_a_function_that_reads_it_is_not_stale_but_who_calls_that_is() -> None:
    runs = [("a", "x = 1"), ("f", "def f():\n    return x"), ("b", "f()"), ("a", "x = 2")]
    assert stale(*runs) == {"b": ("x",)}  # type: ignore[arg-type]


def test_who_called_a_function_that_has_new_code_is_stale() -> None:
    old, new = "def f(): return 1\ndef g(): return 3", "def f(): return 2\ndef g(): return 3"
    assert stale(("a", old), ("b", "f()"), ("c", "g()"), ("a", new), old=old) == {"b": ("f",)}


def test_who_used_what_was_taken_back_is_stale() -> None:
    cells = [CellSource(CellRef("a", 1), "x = 1"), CellSource(CellRef("b", 2), "print(x)")]
    assert [one.cell.id for one in stale_cells(cells, [Anew(CellRef("a", 1), "")])] == ["b"]


def test_cells_without_ids_are_known_by_their_numbers() -> None:
    cells = [CellSource(CellRef(None, n), text) for n, text in enumerate(("x = 1\ny", "print(x)", "x = 2\nz"), 1)]
    found = stale_cells(cells, [Anew(CellRef(None, 1), "x = 2\nz"), Anew(CellRef(None, 3), "x = 2\nz")])
    assert [one.cell.execution_count for one in found] == [2]
