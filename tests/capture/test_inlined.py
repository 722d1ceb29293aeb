"""What is told of a comprehension's variables is what they were, with a frame of its own (Python 3.10, 3.11) or not."""

from __future__ import annotations

import sys
from typing import Any
from unittest.mock import Mock

import pytest

from reflex_ipython.capture import plain_evaluation
from reflex_ipython.models import Failure
from tests.capture.conftest import Notebook

inlined = pytest.mark.skipif(sys.version_info < (3, 12), reason="comprehensions have frames of their own")


def seen(failure: Failure) -> dict[str, str]:
    """What is told of the variables of the frame that failed."""
    return {one.name: one.text for one in failure.error.frames[-1].variables}


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ('vals = ["1", "2"]\n[x + 1 for x in vals]', {"x": "'1'"}),
        ("vals = [5, None, 20]\n[x for x in vals if x > 10]", {"x": "None"}),
        ('names = ["A", None, "B"]\n[s.lower() for s in names]', {"s": "None"}),
        ('names = ["a", "b"]\n[name + "_" + i for i, name in enumerate(names)]', {"i": "0", "name": "'a'"}),
        ('texts = ["1", "2", "x3", "x4"]\n{int(text) for text in texts}', {"text": "'x3'"}),
        ('rows = [{"a": 1}, {"b": 2}]\n[row["a"] for row in rows]', {"row": "dict of 1: {'b': 2}"}),
        ('prices = {"a": 1, "b": "2"}\n{k: v * 1.5 for k, v in prices.items()}', {"k": "'b'", "v": "'2'"}),
        ("rows = [[1, 2], [3, 'x']]\n[cell - 1 for row in rows for cell in row]", {"cell": "'x'"}),
        ("rows = [[1, 2], [3, 'x']]\n[[cell - 1 for cell in row] for row in rows]", {"cell": "'x'"}),
        ("a, b = [1, 2], [3, 0]\n[x / y for x, y in zip(a, b)]", {"x": "2", "y": "0"}),
        ("keys = [(1,), [2]]\n{key for key in keys}", {"key": "list of 1: [2]"}),
        ("keys = [(1,), [2]]\n{key: 1 for key in keys}", {"key": "list of 1: [2]"}),
        ("vals = [1.5, None]\n[f'{x:.2f}' for x in vals]", {"x": "None"}),
        ("import math\n[math.sqrt(x) for x in range(3, -5, -2)]", {"x": "-1"}),
        # A condition or another way of the expression was not gone through with these.
        ('vals = ["a", None, 3]\n[x + "b" for x in vals if x is not None]', {"x": "3"}),
        ('vals = [None, 3]\n[x.lower() if x else "" for x in vals]', {"x": "3"}),
        ("vals = [None, 'a']\n[x is None or x > 3 for x in vals]", {"x": "'a'"}),
        ("vals = [0, 'a']\n[x and x > 3 for x in vals]", {"x": "'a'"}),
        ("vals = [0, 2, '9']\n[1 < x < y for y in [5] for x in vals if x]", {"x": "'9'"}),
        # The same name around it is another variable.
        ('x = 5\nvals = ["1"]\n[x + 1 for x in vals]', {"x": "'1'"}),
        ("x = [1, 'a']\n[x - 1 for x in x]", {"x": "'a'"}),
        ("def f(vals, most):\n    return [x for x in vals if x > most]\nf([1, None], 0)", {"x": "None", "most": "0"}),
        ("[(lambda y: [z + 1 for z in y])(x) for x in [[1], ['a']]]", {"z": "'a'"}),
    ],
)
def test_the_variables_are_those_of_the_turn_that_failed(
    notebook: Notebook, cell: str, expected: dict[str, str]
) -> None:
    told = seen(notebook.fail(cell))

    assert {name: told.get(name) for name in expected} == expected


class Odd:
    """An object of the user's."""

    asked = 0

    def __add__(self, other: Any) -> Any:
        Odd.asked += 1
        raise TypeError("odd")

    __hash__ = None  # type: ignore[assignment]  # whoever compares it, asks it

    def __eq__(self, other: object) -> bool:
        Odd.asked += 1
        return False


def test_the_variable_without_an_attribute_is_known_from_the_error(notebook: Notebook) -> None:
    notebook.run("class Thing:\n    size = 1\nmade = (one for one in [1, Thing(), 2])")

    assert seen(notebook.fail("[one.real if one != 1 else one for one in made]"))["one"].startswith("Thing object")


@inlined
@pytest.mark.parametrize(
    "cell",
    [
        "x = 5\n[x + 1 for x in iter([1, 'a'])]",  # the items are gone
        "x = 5\n[x + 1 for x in [odd]]",
        "x = 5\n[x + 1 for x in [1, odd, 'a']]",
        "x = 5\n[x + 1 for x in [1, 'a'] if x != odd]",
        "x, vals = 5, [1, 'a', 2]\n[(vals.pop(), x + 1) for x in vals]",  # the list is another one now
        "x, vals = 5, [1, 'a']\ndef f(x): pass\n[(f(x), x + 1) for x in vals]",
        "x = 5\n[(y := x) and x + 1 for x in [1, 'a']]",
        "x = 5\n[x + 1 for x in [0] * 3000 + ['a']]",  # too far
        "x = 5\n[x + 1 for x in ['a' * 5000]]",  # too large
        "x = 5\n[x + 1 for i in range(900) for j in [1, 2, 3] for x in [1, 'a'] if i == 899]",  # too far, all in all
        "x = 5\nclass A:\n    one = 'a'\n    y = [x + 1 for x in [one]]",
        "x = 5\n[x for x, _ in [(1, 2), (3,)]]",
        "x = 5\n[x for *x, _ in [(1, 2)] if x + 1]",
        "x = 5\nint = __import__('decimal').Decimal\n[int(x) for x in ['1', 'a']]",
    ],
)
def test_where_it_is_not_sure_nothing_is_said(notebook: Notebook, cell: str) -> None:
    notebook.namespace["odd"] = Odd()
    error = notebook.error(cell)
    asked = Odd.asked

    told = seen(notebook.capture(error, cell))

    assert "x" not in told
    assert Odd.asked == asked


@inlined
def test_nothing_is_gone_through_again_for_an_interrupt(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    """What took so long that somebody interrupted it would take as long again."""
    worth = Mock(side_effect=plain_evaluation.worth)
    monkeypatch.setattr("reflex_ipython.capture.inlined.worth", worth)
    cell = "[1 + x for x in [1, 'a']]"
    notebook.capture(KeyboardInterrupt().with_traceback(notebook.error(cell).__traceback__), cell)
    worth.assert_not_called()


@inlined
def test_what_a_module_calls_by_the_name_of_a_harmless_method_is_not_called(notebook: Notebook) -> None:
    notebook.run("import types\nkept, m = [], types.ModuleType('m')\nm.get = kept.append")
    notebook.fail("[m.get(x) or x + 1 for x in [1, 'a']]")
    assert notebook.namespace["kept"] == [1, "a"]


def test_another_error_than_the_one_that_is_found_again_says_nothing(notebook: Notebook) -> None:
    """What the loop goes over is another now: its first item that fails would fail otherwise."""
    cell = "vals = [1, 'a']\ntry:\n    [x - 1 for x in vals]\nfinally:\n    vals[1] = None"

    assert seen(notebook.fail(cell)).get("x") in (None, "'a'")


def test_what_stands_behind_the_loop_is_the_outer_variable(notebook: Notebook) -> None:
    assert seen(notebook.fail("x = 5\ny = [x for x in [1]] + x"))["x"] == "5"


def test_what_a_loop_goes_over_first_is_told_of_the_outer_variable(notebook: Notebook) -> None:
    assert seen(notebook.fail("x = {}\n[x for x in x['a']]"))["x"] == "dict of 0: {}"


def test_a_name_that_is_misspelt_in_it_is_looked_for_among_its_variables(notebook: Notebook) -> None:
    failure = notebook.fail("[itm + 1 for item in iter([1])]")

    assert failure.lookup is not None
    assert "item" in failure.lookup.available
