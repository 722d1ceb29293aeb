"""What is known of a function that failed though it was defined in an earlier cell: its cell, its line, its names."""

from __future__ import annotations

import linecache
import sys

import pytest

from reflex_ipython.capture import capture_failure
from reflex_ipython.models import CellRef, CellSource, Failure, Frame
from tests.capture.conftest import Notebook, variable

before_inlining = pytest.mark.skipif(sys.version_info >= (3, 12), reason="comprehensions have no frame of their own")


def own(failure: Failure) -> Frame:
    """The innermost frame of a cell."""
    return next(frame for frame in reversed(failure.error.frames) if frame.cell is not None)


def failing_line(failure: Failure) -> str:
    """The line that failed, read from the complete text of its cell."""
    frame = own(failure)
    [source] = [cell.source for cell in failure.situation.earlier if cell.cell == frame.cell]
    return source.split("\n")[frame.lineno - 1].strip()


# ------------------------------------------------------------------------------------------ the whole cell


def test_the_cells_of_the_traceback_are_kept_whole_however_large_they_are(notebook: Notebook) -> None:
    large = "text = '''" + "a\n" * 30_000 + "'''\ndef f(): return 1 / 0"
    notebook.run(large)
    notebook.run("def g(): return f()\n" + "x = 1\n" * 5_000)

    failure = notebook.fail("g()")

    assert [cell.cell.execution_count for cell in failure.situation.earlier] == [1, 2]
    assert failure.situation.earlier[0].source == large


def test_they_are_kept_however_long_ago_they_ran(notebook: Notebook) -> None:
    notebook.run("def f(): return 1 / 0")
    for number in range(400):
        notebook.run(f"v{number} = f")

    failure = notebook.fail("+".join(f"v{number}()" for number in range(400)))

    assert failing_line(failure) == "def f(): return 1 / 0"


def test_more_of_them_than_other_cells_are_kept(notebook: Notebook) -> None:
    notebook.run("def f0(): return 1 / 0")
    for number in range(1, 15):
        notebook.run(f"def f{number}(): return f{number - 1}()")

    assert len(notebook.fail("f14()").situation.earlier) == 15


def test_the_latest_definition_is_the_one_that_failed(notebook: Notebook) -> None:
    notebook.run("def f(): return 1 / 0")
    notebook.run("def f(): return missing")

    failure = notebook.fail("f()")

    assert own(failure).cell == CellRef("cell-2", 2)
    assert [cell.source for cell in failure.situation.earlier] == ["def f(): return missing"]


def test_a_cell_that_was_rewritten_since_is_none_to_edit(notebook: Notebook) -> None:
    notebook.run("def f(): return 1 / 0")
    notebook.run("x = 1")
    name = list(notebook.cells)[1]
    notebook.cells[name] = CellSource(CellRef("cell-1", 2), "x = 1")  # the first cell, with another text

    failure = notebook.fail("f()")

    assert own(failure).cell == CellRef("cell-1", 1)
    assert [cell for cell in failure.situation.earlier if cell.cell == CellRef("cell-1", 1)] == []


def test_a_failing_cell_that_was_rewritten_does_not_hold_its_old_functions(notebook: Notebook) -> None:
    notebook.run("def f(): return 1 / 0")
    try:
        notebook.namespace["f"]()
    except ZeroDivisionError as error:
        failure = capture_failure(
            error, source="f()", cell=CellRef("cell-1", 2), namespace=notebook.namespace, cells=notebook
        )

    assert failure.situation.earlier == ()


def test_cells_without_ids_are_told_apart_by_their_numbers(notebook: Notebook) -> None:
    notebook.run("def f(): return 1 / 0")
    notebook.run("def g(): return f()")
    for name, cell in notebook.cells.items():
        notebook.cells[name] = CellSource(CellRef(None, cell.cell.execution_count), cell.source)

    failure = notebook.fail("g()")

    assert own(failure).cell == CellRef(None, 1)
    assert [cell.cell for cell in failure.situation.earlier] == [CellRef(None, 1), CellRef(None, 2)]


# ------------------------------------------------------------------------------------------ the line


@pytest.mark.parametrize(
    ("source", "transformed"),
    [
        ("\n\n  def f():\n      return 1 / 0", "def f():\n    return 1 / 0"),
        ("%matplotlib inline\ndef f():\n    return 1 / 0", "None\ndef f():\n    return 1 / 0"),
        ("!ls \\\n  -l\ndef f():\n    return 1 / 0", "None\ndef f():\n    return 1 / 0"),
        ("files = !ls\ndef f():\n    %time 1\n    return 1 / 0", "files = []\ndef f():\n    None\n    return 1 / 0"),
    ],
)
def test_lines_are_those_of_the_raw_earlier_cell(notebook: Notebook, source: str, transformed: str) -> None:
    notebook.run(source, transformed)

    assert failing_line(notebook.fail("f()")) == "return 1 / 0"


def test_a_cell_that_a_magic_ran_is_the_whole_cell(notebook: Notebook) -> None:
    body = "import math\ndef f():\n    return 1 / 0\n"
    notebook.run("%%capture out\n" + body, "None")
    notebook.run(body)  # what the magic runs
    notebook.cells[list(notebook.cells)[1]] = CellSource(CellRef("cell-1", 2), body)

    failure = notebook.fail("f()")

    assert own(failure).cell == CellRef("cell-1", 1)
    assert failing_line(failure) == "return 1 / 0"


def timed(source: str) -> str:
    """What `%%time` makes of a cell, as far as tracebacks know it."""
    return f"exec(compile({source.partition(chr(10))[2]!r}, '<timed exec>', 'exec'))"


def test_a_function_of_an_earlier_timed_cell_is_not_taken_for_one_of_the_failing_cells(notebook: Notebook) -> None:
    earlier, failing = "%%time\nimport math\ndef f(): return 1 / 0", "%%time\nz = 1\nf()"
    notebook.run(earlier, timed(earlier))

    failure = notebook.fail(failing, timed(failing))

    assert [(frame.function, frame.cell and frame.cell.id) for frame in failure.error.frames[-2:]] == [
        ("<module>", "cell-2"),
        ("f", None),
    ]


@pytest.mark.parametrize("function", ["@g\ndef f(x): return x / 0", "f = lambda x: x / 0", "def f(x): return x / 0"])
def test_a_function_of_the_timed_cell_itself_is_its_own(notebook: Notebook, function: str) -> None:
    notebook.run("g = lambda f: f")
    source = f"%%time\n{function}\nf(1)"

    failure = notebook.fail(source, timed(source))

    assert own(failure).function in ("f", "<lambda>")
    assert own(failure).cell == failure.situation.cell
    assert "x / 0" in source.split("\n")[own(failure).lineno - 1]


# ------------------------------------------------------------------------------------------ variables and names


def test_the_variables_are_the_functions_own(notebook: Notebook) -> None:
    notebook.run("amount = 'global'\ndef f(amount):\n    double = amount * 2\n    return double / 0")

    failure = notebook.fail("amount = 7\nf(3)")

    assert variable(failure, "double").text == "6"
    assert [one.text for frame in failure.error.frames for one in frame.variables if one.name == "amount"] == []


def test_a_look_up_is_told_in_the_functions_own_words(notebook: Notebook) -> None:
    notebook.run("def name_of(person):\n    return person['nmae']")

    found = notebook.fail("ann = {'name': 'Ann'}\nname_of(ann)").lookup

    assert found is not None
    assert (found.kind, found.wanted, found.owner, found.available) == ("key", "nmae", "person", ("name",))


@pytest.mark.parametrize(
    "body",
    [
        "return rows * facotr",
        pytest.param("return [row * facotr for row in rows]", marks=before_inlining),
        "return sum(row * facotr for row in rows)",
        "return sorted(rows, key=lambda row: row * facotr)",
    ],
)
def test_a_missing_name_comes_with_those_of_the_function_around_it(notebook: Notebook, body: str) -> None:
    notebook.run(f"def f(rows):\n    factor = 2\n    {body}")

    found = notebook.fail("f([1])").lookup

    assert found is not None
    assert {"rows", "factor"} <= set(found.available[:4])


def test_a_method_does_not_see_the_names_of_its_class(notebook: Notebook) -> None:
    notebook.run(
        "class A:\n    hidden = 1\n    shown = sum(_ + hiden for _ in (1,)) if 0 else 0\n    def f(self): return hiden"
    )

    found = notebook.fail("A().f()").lookup

    assert found is not None
    assert "hidden" not in found.available


def test_the_cache_of_lines_may_be_gone(notebook: Notebook) -> None:
    notebook.run("def f(): return 1 / 0")
    linecache.cache.pop(next(iter(notebook.cells)))

    assert failing_line(notebook.fail("f()")) == "def f(): return 1 / 0"
