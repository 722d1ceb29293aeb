"""Which cells run again where an earlier one gets another text."""

from __future__ import annotations

import pytest

from reflex_ipython.capture.reruns import Reruns, is_state_changed, reruns
from reflex_ipython.models import CellRef, CellSource


def plan(cells: list[str], new: dict[int, str], failing: str, fixed: str | None = None) -> Reruns | None:
    ran = [CellSource(CellRef(f"c{number}", number), source) for number, source in enumerate(cells, 1)]
    return reruns(ran, {ran[number - 1].cell: source for number, source in new.items()}, failing, fixed)


def numbers(found: Reruns | None) -> list[int | None]:
    assert found is not None
    return [cell.cell.execution_count for cell, _ in found.cells]


LOAD, DROP = "import pandas as pd\ndf = pd.DataFrame({'a': [1, None]})", "df = df.dropna(inplace=True)"
RIGHT = "df = df.dropna()"

PLANS: dict[str, tuple[list[str], dict[int, str], str, list[int]]] = {
    "what it starts from, since it has bound that anew": ([LOAD, DROP], {2: RIGHT}, "df.a.sum()", [1, 2]),
    "nothing else where it starts from nothing": (["x = 1", "y = '2'"], {2: "y = 2"}, "x + y", [2]),
    "what it starts from, since a later cell has changed it": (
        ["rows = [1]", "n = len(rows) + '1'", "rows.append(2)"],
        {2: "n = len(rows) + 1"},
        "n + 1",
        [1, 2],
    ),
    "what lies between and computes what is needed": (
        [LOAD, DROP, "means = df.mean()", "print(means)"],
        {2: RIGHT},
        "means['b']",
        [1, 2, 3],
    ),
    "no more of what lies between": (
        [LOAD, DROP, "model.fit(df)", "other = 5", "df.head()"],
        {2: RIGHT},
        "df.a.sum() + other",
        [1, 2],
    ),
    "what changes in place between": (
        ["rows = '12'", "rows = list(rows)", "rows.append(3)"],
        {1: "rows = '34'"},
        "sum(rows)",
        [1, 2, 3],
    ),
    "not what is bound anew since from something else": (
        ["x = '1'", "y = x", "x = 5", "z = x"],
        {1: "x = 1"},
        "z + y + ''",
        [1, 2],
    ),
    "not what only calls a function that stays as it was": (
        ["def f(): return 1\nrate = '2'", "total = f()"],
        {1: "def f(): return 1\nrate = 2"},
        "total * rate + None",
        [1],
    ),
    "an import is never lost": ([LOAD, "s = pd.Series([1])", "s = s.typo"], {3: "s = s.abs()"}, "s.sum()", [2, 3]),
}


@pytest.mark.parametrize("case", PLANS)
def test_what_runs_again(case: str) -> None:
    cells, new, failing, expected = PLANS[case]
    assert numbers(plan(cells, new, failing)) == expected


def test_each_has_the_text_that_runs_and_a_reason_if_nobody_asked_for_it() -> None:
    found = plan([LOAD, DROP, "m = df.mean()"], {2: RIGHT}, "m.a")
    assert found is not None
    assert [cell.source for cell, _ in found.cells] == [LOAD, RIGHT, "m = df.mean()"]
    assert [why for _, why in found.cells] == [
        "gives anew what the new text starts from", "", "uses what the new text makes",
    ]  # fmt: skip


def test_what_the_failing_cell_does_not_need_is_stale() -> None:
    found = plan([LOAD, DROP, "shape = df.shape", "def show(): return df", "n = 1"], {2: RIGHT}, "df.a")
    assert found is not None
    assert found.stale == ("shape",)


def test_the_failing_cell_has_changed_what_it_began_with() -> None:
    assert numbers(plan(["rows = [1]", "n = rows[0]"], {2: "n = rows[-1]"}, "rows.append(n)\nn.x")) == [1, 2]


def test_what_only_the_fixed_text_needs_is_made_anew() -> None:
    cells = ["x = '1'", "y = x"]
    assert numbers(plan(cells, {1: "x = 1"}, "z", "y")) == [1, 2]
    assert numbers(plan(cells, {1: "x = 1"}, "z", "x")) == [1]


def test_too_many_cells_are_no_plan_and_neither_is_a_cell_that_did_not_run() -> None:
    chain = ["x0 = '1'", *(f"x{n} = x{n - 1}" for n in range(1, 30))]
    assert plan(chain, {1: "x0 = 1"}, "x29 + 1") is None
    assert reruns([], {CellRef("gone"): "x = 1"}, "x") is None


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("def f():\n    return 1", "def f():\n    return 2", False),
        ("def f(): pass", "import os\ndef f(): os", False),
        ("x = 1  # one", "x = (1)", False),
        ("x = 1", "x = 2", True),
        ("def max(): pass", "", True),
        ("max = 0\nx = 1", "x = 1", True),
        ("%time x = 1\ny = 1", "%time x = 2\ny = 1", True),
        ("x = (", "x = 1", True),
    ],
)
def test_only_definitions_and_imports_can_change_in_place(old: str, new: str, changed: bool) -> None:
    assert is_state_changed(old, new) is changed
