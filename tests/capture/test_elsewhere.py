"""Errors that were raised in another process are led home to the cell of the function that failed there."""

from __future__ import annotations

import re
import traceback
from concurrent.futures import process
from multiprocessing import pool
from typing import Any

import pytest

from reflex_ipython.models import Failure
from tests.capture.conftest import Notebook

DEFINED = "limit = 3\n\ndef double(n):\n    return n * limt"


@pytest.fixture
def notebook() -> Notebook:
    made = Notebook()
    made.run(DEFINED)
    return made


def text_of(notebook: Notebook) -> str:
    """The traceback as another process writes it."""
    try:
        notebook.namespace["double"](2)
    except NameError as error:
        return "".join(traceback.format_exception(error))
    raise AssertionError


def fail(notebook: Notebook, error: BaseException) -> Failure:
    """A cell that raises what has come from elsewhere."""
    notebook.namespace["error"] = error
    return notebook.fail("raise error")


def is_at_home(failure: Failure) -> bool:
    last = failure.error.frames[-1]
    return (last.cell, last.lineno, last.function) == (failure.situation.earlier[0].cell, 4, "double")


@pytest.mark.parametrize("remote", [process._RemoteTraceback, pool.RemoteTraceback], ids=["executor", "pool"])
def test_the_function_that_failed_in_a_pool_is_found_in_its_cell(notebook: Notebook, remote: type[Exception]) -> None:
    error = NameError("name 'limt' is not defined")
    error.__cause__ = remote(f'\n"""\n{text_of(notebook)}"""')
    failure = fail(notebook, error)
    assert is_at_home(failure)
    assert failure.lookup is not None
    assert "limit" in failure.lookup.available
    assert failure.lineno == 1


def as_sent_by_cloudpickle(notebook: Notebook) -> str:
    """The traceback of a function that has lost its file on the way."""
    return re.sub(r'File "[^"]*", (line \d+, in double)', r'File "<dynamic-code>", \1', text_of(notebook))


def test_a_function_without_a_file_is_known_by_its_name_and_line(notebook: Notebook) -> None:
    error = NameError("name 'limt' is not defined")
    error.__cause__ = process._RemoteTraceback(as_sent_by_cloudpickle(notebook))
    assert is_at_home(fail(notebook, error))


def test_of_two_such_functions_none_is_taken(notebook: Notebook) -> None:
    error = NameError("name 'limt' is not defined")
    error.__cause__ = process._RemoteTraceback(as_sent_by_cloudpickle(notebook))
    notebook.run(f"before = double\n\n{DEFINED.partition(chr(10) * 2)[2]}")
    assert not any(frame.function == "double" for frame in fail(notebook, error).error.frames)


def test_a_method_without_a_file_is_found_in_its_class(notebook: Notebook) -> None:
    notebook.run("class Sum:\n    @staticmethod\n    def of(n):\n        return n + limt")
    error = NameError("name 'limt' is not defined")
    error.__cause__ = process._RemoteTraceback('  File "<dynamic-code>", line 4, in of\nNameError: limt')
    last = fail(notebook, error).error.frames[-1]
    assert (last.cell is not None, last.lineno, last.function) == (True, 4, "of")


def test_an_exception_that_stands_for_another_one_is_taken_for_that(notebook: Notebook) -> None:
    remote = pytest.importorskip("ipyparallel.error", reason="ipyparallel is not there")
    failure = fail(notebook, remote.RemoteError("NameError", "name 'limt' is not defined", text_of(notebook), {}))
    assert failure.title == "NameError: name 'limt' is not defined"
    assert is_at_home(failure)
    assert [one.ename for one in failure.exceptions[:2]] == ["NameError", "RemoteError"]


def test_sparks_exception_is_read_by_its_text(notebook: Notebook) -> None:
    spark = type("PythonException", (Exception,), {"__module__": "pyspark.errors.exceptions.captured"})
    failure = fail(notebook, spark(f"An exception was thrown from the Python worker:\n{text_of(notebook)}"))
    assert failure.title == "NameError: name 'limt' is not defined"
    assert is_at_home(failure)


def test_what_is_not_in_a_cell_of_the_users_stays_as_it_is(notebook: Notebook) -> None:
    error: Any = ValueError("bad")
    error.__cause__ = process._RemoteTraceback('Traceback:\n  File "/elsewhere.py", line 3, in f\nValueError: bad')
    failure = fail(notebook, error)
    assert (failure.title, len(failure.error.frames)) == ("ValueError: bad", 1)


def test_an_exception_of_the_users_own_that_has_such_a_name_is_no_wrapper(notebook: Notebook) -> None:
    own = type("RemoteError", (Exception,), {"__module__": "__main__"})
    assert fail(notebook, own(text_of(notebook))).error.ename == "RemoteError"
