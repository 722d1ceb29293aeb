from __future__ import annotations

import codeop
import linecache
from typing import Any

import pytest

from reflex_ipython.models import CellRef, CellSource, ExceptionInfo, Failure, Situation, SyntaxProblem
from tests.capture.conftest import Notebook


def broken(notebook: Notebook, source: str, transformed: str | None = None) -> Failure:
    """The failure of a cell that does not compile, in the way of IPython: it is cached, then compiled."""
    text = source if transformed is None else transformed
    name = "<ipython-input-1-broken>"
    notebook.cells[name] = CellSource(CellRef("cell-1", 1), source)
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    with pytest.raises(SyntaxError) as caught:
        compile(text, name, "exec")
    return notebook.capture(caught.value.with_traceback(None), source, stage="syntax")


def problem(failure: Failure) -> SyntaxProblem:
    assert failure.syntax is not None
    return failure.syntax


def test_the_place_is_told_in_lines_and_columns_from_one(notebook: Notebook) -> None:
    failure = broken(notebook, "x = 1\ny = = 2\n")

    assert (problem(failure).message, problem(failure).lineno, problem(failure).offset) == ("invalid syntax", 2, 5)
    assert failure.lineno == 2
    assert failure.error.frames == ()


def test_the_compilers_own_frames_are_left_out(notebook: Notebook) -> None:
    source = "x = 1\ny = = 2\n"
    name = "<ipython-input-1-compiled>"
    notebook.cells[name] = CellSource(CellRef("cell-1", 1), source)
    with pytest.raises(SyntaxError) as caught:
        codeop.Compile()(source, name, "exec")
    error = caught.value.with_traceback(caught.value.__traceback__.tb_next)  # type: ignore[union-attr]  # it was raised

    failure = notebook.capture(error, source, stage="syntax")

    assert problem(failure).lineno == 2
    assert failure.error.frames == ()


def test_a_bracket_that_is_not_closed_has_a_start_alone(notebook: Notebook) -> None:
    found = problem(broken(notebook, "a = 1\nb = (2\nc = 3\n"))

    assert (found.lineno, found.offset) == (2, 5)
    assert (found.end_lineno, found.end_offset) == (None, None)


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("if 1:\nx = 1", "IndentationError"),
        ("if 1:\n\tx = 1\n        y = 2\n", "TabError"),
        ("x = 'abc", "SyntaxError"),
    ],
)
def test_errors_of_the_tokenizer_are_told_too(notebook: Notebook, source: str, kind: str) -> None:
    failure = broken(notebook, source)

    assert failure.error.ename == kind
    assert problem(failure).lineno == failure.lineno is not None


def test_empty_lines_and_indentation_that_ipython_dropped_are_counted(notebook: Notebook) -> None:
    found = problem(broken(notebook, "\n\n  a = 1\n  b = = 2\n", "a = 1\nb = = 2\n"))

    assert (found.lineno, found.offset) == (4, 7)


def test_in_a_line_that_a_magic_made_the_column_is_unknown(notebook: Notebook) -> None:
    found = problem(broken(notebook, "x = !ls $(\ny = 1", "x = get_ipython().getoutput('ls' = (\ny = 1"))

    assert (found.lineno, found.offset) == (1, None)


def test_a_line_that_does_not_correspond_is_unknown(notebook: Notebook) -> None:
    found = problem(broken(notebook, "%%magic\na\nb\nc", "f('''a\nb'''))"))

    assert (found.lineno, found.offset) == (None, None)


def test_an_error_before_the_cell_was_transformed_is_the_cells(notebook: Notebook) -> None:
    source = "if 1:\n    x = 1\n  y = 2\n"
    notebook.cells["<x>"] = CellSource(CellRef("cell-1", 1), source)
    error = IndentationError("unindent does not match", ("<tokenize>", 3, 2, "  y = 2\n"))

    failure = notebook.capture(error, source, stage="syntax")

    assert problem(failure).lineno == 3


def test_a_syntax_error_in_another_text_says_nothing_of_the_cell(notebook: Notebook) -> None:
    failure = notebook.fail("x = 1\nexec('y = = 1')")

    assert failure.syntax is None
    assert failure.lineno == 2


@pytest.mark.parametrize("details", [("f", "x", None, 3), ("f", -1, -1, None), ("f", 10**9, 1, "x"), (None,) * 4])
def test_odd_positions_are_unknown(notebook: Notebook, details: Any) -> None:
    notebook.run("x = 1")

    found = problem(notebook.capture(SyntaxError("odd", details), "x = 1", stage="syntax"))

    assert (found.message, found.lineno) == ("odd", None)


def test_the_title_of_a_cell_that_does_not_compile_names_no_file() -> None:
    error = ExceptionInfo("SyntaxError", "invalid syntax (1234567.py, line 1)")
    failure = Failure("f", "2024-01-01T00:00:00+00:00", Situation(CellRef("c", 1), "x ="), "syntax", (error,))
    assert failure.title == "SyntaxError: invalid syntax"


def test_the_title_of_an_error_that_a_cell_raised_keeps_its_words() -> None:
    error = ExceptionInfo("ValueError", "no date (table.py, line 1)")
    failure = Failure("f", "2024-01-01T00:00:00+00:00", Situation(CellRef("c", 1), "x()"), "run", (error,))
    assert failure.title == "ValueError: no date (table.py, line 1)"
