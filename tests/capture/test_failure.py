from __future__ import annotations

import gc
import json
import os
import pathlib
import subprocess
import sys
import weakref
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reflex_ipython import capture
from reflex_ipython.capture import capture_failure, exception_info
from reflex_ipython.models import CellRef, Failure, from_json, to_json
from tests.capture.conftest import Notebook, variable


def through_json(failure: Failure) -> Failure:
    return from_json(Failure, json.loads(json.dumps(to_json(failure), ensure_ascii=False).encode()))


def test_a_failure_tells_the_cell_the_line_the_error_and_the_variables(notebook: Notebook) -> None:
    notebook.run("values = [1, 2, 3]")

    failure = notebook.fail("position = 7\n# comment\nprint(values[position])")

    assert failure.title == "IndexError: list index out of range"
    assert failure.situation.cell == CellRef("cell-2", 2)
    assert failure.lineno == 3
    assert failure.stage == "run"
    [frame] = failure.error.frames
    assert (frame.function, frame.lineno, frame.cell) == ("<module>", 3, CellRef("cell-2", 2))
    assert [(one.name, one.text) for one in frame.variables] == [("values", "list of 3: [1, 2, 3]"), ("position", "7")]
    assert [cell.source for cell in failure.situation.earlier] == ["values = [1, 2, 3]"]
    assert failure.situation.names == ("values", "position")


def test_the_line_is_the_cells_own_and_not_that_of_the_function_it_called(notebook: Notebook) -> None:
    notebook.run("def divide(a, b):\n    'doc'\n    return a / b")

    failure = notebook.fail("x = 1\ndivide(x, 0)")

    assert failure.lineno == 2
    assert [(frame.function, frame.lineno, frame.cell) for frame in failure.error.frames] == [
        ("<module>", 2, CellRef("cell-2", 2)),
        ("divide", 3, CellRef("cell-1", 1)),
    ]
    assert variable(failure, "b").text == "0"


def test_lines_are_those_of_the_raw_cell_where_ipython_dropped_empty_ones(notebook: Notebook) -> None:
    failure = notebook.fail("\n\n  x = 1\n  y = x / 0", "x = 1\ny = x / 0")

    assert failure.lineno == 4
    assert failure.error.frames[0].source.splitlines()[-1] == "  y = x / 0"


def test_a_line_after_a_joined_shell_command_is_found_by_its_text(notebook: Notebook) -> None:
    failure = notebook.fail("!ls \\\n  -l\nx = 1\ny = x / 0", "None\nx = 1\ny = x / 0")

    assert failure.lineno == 4


def test_a_timed_cell_has_the_lines_of_its_body(notebook: Notebook) -> None:
    body = "exec(compile('x = 1\\ny = x / 0', '<timed exec>', 'exec'))"

    failure = notebook.fail("%%time\nx = 1\ny = x / 0", body)

    assert failure.error.frames[-1].cell == CellRef("cell-1", 1)
    assert failure.error.frames[-1].lineno == 3
    assert failure.lineno == 3
    assert variable(failure, "x").text == "1"


def test_a_failure_round_trips_through_json_and_utf8(notebook: Notebook) -> None:
    notebook.run("import math\ntable = {'a': [1, (2, {3})], 'b': {'c': None}}")

    failure = notebook.fail("table['c'][math.pi]")

    assert through_json(failure) == failure


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(st.text(st.characters()), st.dictionaries(st.text(st.characters()), st.integers() | st.text(st.characters())))
def test_any_text_round_trips_through_json_and_utf8(notebook: Notebook, text: str, table: dict[str, Any]) -> None:
    notebook.namespace.update(text=text, table=table)
    error = notebook.error("table, text\nraise ValueError(text)")

    failure = notebook.capture(error, f"raise ValueError({text})")

    assert through_json(failure) == failure
    assert "\0" not in json.dumps(to_json(failure), ensure_ascii=False)


def test_nothing_of_the_users_is_held_afterwards(notebook: Notebook) -> None:
    notebook.run("class Thing: pass\nthing = Thing()")
    thing = weakref.ref(notebook.namespace["thing"])
    error = notebook.error("thing.missing")

    failure = notebook.capture(error, "thing.missing")
    del error
    notebook.namespace.clear()
    gc.collect()

    assert failure.lookup is not None
    assert thing() is None


def test_a_failure_without_cells_is_told_all_the_same() -> None:
    try:
        int("x")
    except ValueError as error:
        failure = capture_failure(error, source="int('x')", cell=CellRef(), namespace={})

    assert failure.title == "ValueError: invalid literal for int() with base 10: 'x'"
    assert 'int("x")' in failure.error.frames[-1].source
    assert failure.lineno is None


def test_the_names_in_the_namespace_are_the_users(notebook: Notebook) -> None:
    notebook.namespace.update({"exit": 1, "_private": 2, "__x": 3, "df": 4, "x" * 500: 5})

    failure = notebook.fail("1 / 0")

    assert failure.situation.names == ("df", "x" * 199 + "…")


def test_an_exceptions_info_is_told_without_frames() -> None:
    assert exception_info(KeyError("a")).evalue == "'a'"
    assert exception_info(KeyError("a")).frames == ()


def test_the_list_of_names_is_complete() -> None:
    assert sorted(capture.__all__) == capture.__all__
    assert all(hasattr(capture, name) for name in capture.__all__)


@pytest.mark.parametrize("heavy", ["pandas", "numpy", "openai", "pydantic", "IPython", "inspect"])
def test_importing_the_capture_and_a_failure_import_nothing_heavy(heavy: str) -> None:
    program = f"""
import sys
from reflex_ipython.capture import capture_failure
from reflex_ipython.models import CellRef
before = {heavy!r} in sys.modules
try:
    undefined
except NameError as error:
    capture_failure(error, source="undefined", cell=CellRef(), namespace={{}})
assert not before or {heavy!r} == "inspect", "at import"  # dataclasses needs inspect
assert {heavy!r} not in sys.modules or before, "at capture"
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_names_of_modules_and_of_what_they_define_are_told(notebook: Notebook) -> None:
    notebook.namespace.update(o=os, run=os.system, e=os.environ, Path=pathlib.Path, mine=lambda: None, x=1)
    failure = notebook.fail("undefined_name")
    expected = {"o": "os", "run": f"{os.system.__module__}.system", "e": "os.environ", "Path": "pathlib.Path"}
    assert {name: failure.situation.meanings.get(name) for name in expected} == expected
    assert "x" not in failure.situation.meanings
