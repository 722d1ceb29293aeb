"""Which cells would give what a cell lacked."""

from __future__ import annotations

import pytest

from reflex_ipython.capture.not_run import CellState, Lacking, missing
from reflex_ipython.models import CellRef, ExceptionInfo, Failure, Frame, Lookup, Situation
from reflex_ipython.propose.rules.closeness import closest

NEW = "was not run in this session"


def found(
    failing: str, *cells: str, wanted: str = "", ran: tuple[int, ...] = (), there: tuple[str, ...] = (), **lookup: str
) -> Lacking | None:
    """What is found for a failing cell that stands where a cell of the same text does, else below all."""
    refs = [CellRef("here" if source == failing else str(n)) for n, source in enumerate(cells)]
    notebook = [
        CellState(ref, source, n + 1, "" if n in ran else NEW)
        for n, (ref, source) in enumerate(zip(refs, cells))
    ]  # fmt: skip
    known = Lookup(**{"kind": "name", "wanted": wanted, **lookup})  # type: ignore[arg-type]  # a kind
    error = (ExceptionInfo("NameError", "x"),)
    failure = Failure("f", "", Situation(CellRef("here"), failing), "run", error, lookup=known)
    return missing(failure, notebook, lambda name: name in there, closest)


def numbers(result: Lacking | None) -> list[int | None]:
    return [] if result is None else [step.number for step in result.cells]


def test_what_a_cell_needs_in_turn_comes_with_it_in_the_notebooks_order() -> None:
    cells = ("import pandas as pd", "raw = pd.DataFrame()", "other = 1", "df = raw.dropna()", "df['x'] = 1")
    assert numbers(found("df.x", *cells, wanted="df")) == [1, 2, 4, 5]


def test_what_is_there_is_not_made_again() -> None:
    cells = ("import pandas as pd", "raw = pd.DataFrame()", "df = raw.dropna()")
    assert numbers(found("df", *cells, wanted="df", ran=(0, 1), there=("pd", "raw"))) == [3]


def test_all_that_the_failing_cell_lacks_comes_along_and_not_the_first_name_alone() -> None:
    assert numbers(found("model.fit(X)", "model = 1", "X = 2", "y = 3", wanted="model")) == [1, 2]


def test_the_nearest_cell_above_is_the_one_and_the_others_are_counted() -> None:
    result = found("n", "n = 1", "n = 2", "n", "n = 3", wanted="n")
    assert numbers(result) == [2]
    assert result is not None
    assert (result.others, result.below) == (2, False)


def test_a_cell_below_is_taken_where_none_above_sets_the_name() -> None:
    result = found("n", "n", "n = 3", wanted="n")
    assert result is not None
    assert (numbers(result), result.below) == ([2], True)


def test_a_cell_that_has_run_is_not_run_again_for_a_name_that_was_deleted_since() -> None:
    assert found("n", "n = 1", wanted="n", ran=(0,)) is None


def test_cells_that_need_each_other_come_to_an_end() -> None:
    assert numbers(found("b", "a = b", "b = a", wanted="b")) == [1, 2]


def test_more_cells_than_a_person_would_read_are_no_offer() -> None:
    chain = [f"n{i} = n{i - 1}" for i in range(1, 25)]
    assert found("n24", "n0 = 0", *chain, wanted="n24") is None


def test_a_column_is_made_by_the_cell_that_writes_it_to_that_table() -> None:
    cells = ("other['ratio'] = 1", "df['ratio'] = df['x'] / 2", "df = df.assign(share=1)")
    assert numbers(found("df['ratio']", *cells, kind="column", wanted="ratio", owner="df", there=("df",))) == [2]
    assert numbers(found("df['share']", *cells, kind="column", wanted="share", owner="df", there=("df",))) == [3]


def test_a_name_that_is_none_until_another_cell_has_run() -> None:
    cells = ("model = train()", "def train(): return 1")
    result = found(
        "model.fit()", *cells, kind="attribute", wanted="fit", owner="model", owner_type="NoneType",
        there=("model", "train"),
    )  # fmt: skip
    assert numbers(result) == [1]


@pytest.mark.parametrize(
    ("source", "line", "is_local"),
    [
        ("def parse(line):\n    m = re.match(p, line)\n    return m.group(1)\nparse('x')", 3, True),
        ("def parse(m):\n    return m.group(1)\nparse(None)", 2, True),
        ("[m.group(1) for m in found]", 1, True),
        ("def parse():\n    global m\n    m = m.group(1)\nparse()", 3, False),
        ("def parse():\n    return m.group(1)\nparse()", 2, False),
        ("def parse(m):\n    return m\nm.group(1)", 3, False),
    ],
)
def test_a_name_of_a_function_is_not_what_another_cell_assigns(source: str, line: int, is_local: bool) -> None:
    here = CellRef("here")
    frame = Frame("<cell>", "f", line, cell=here)
    error = ExceptionInfo("AttributeError", "x", frames=(frame,))
    lookup = Lookup("attribute", "group", "m", "NoneType")
    failure = Failure("f", "", Situation(here, source), "run", (error,), lookup=lookup)
    result = missing(failure, [CellState(CellRef("0"), "m = 1", 1, NEW)], lambda name: name == "m")
    assert (result is None) is is_local


def test_a_misspelt_name_is_looked_for_among_those_that_cells_would_set_which_did_not_run() -> None:
    cells = ("import math", "orders = [math.pi]", "orders.append(1)", "total = sum(ordes)")
    result = found("total = sum(ordes)", *cells, wanted="ordes")
    assert numbers(result) == [1, 2, 3]
    assert result is not None
    assert (result.misspelt, result.wanted, result.setter.number) == ("ordes", "orders", 2)


def test_a_name_that_is_set_as_it_is_written_is_not_misspelt() -> None:
    result = found("sum(ordes)", "orders = 1", "ordes = 2", "sum(ordes)", wanted="ordes")
    assert result is not None
    assert (result.misspelt, result.wanted, numbers(result)) == ("", "ordes", [2])


def test_of_near_names_those_that_are_there_or_whose_cell_ran_and_those_that_are_not_near_enough_are_none() -> None:
    assert found("sum(ordes)", "orders = 1", wanted="ordes", ran=(0,)) is None
    assert found("sum(ordes)", "orders = 1", wanted="ordes", there=("orders",)) is None
    assert found("sum(ordes)", "borders_of_it = 1", wanted="ordes") is None
