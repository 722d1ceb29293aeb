"""`%%reflex trace` above a cell records it and changes nothing else about it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.ipython.acceptance import is_request
from reflex_ipython.ipython.traced_cells import trace_options, without_line
from reflex_ipython.traces import hook
from reflex_ipython.traces.documents import read

CELL = """\
def double(number):
    return number * 2

"""


@pytest.mark.parametrize(
    ("cell", "options"),
    [
        ("%%reflex trace\nf()", (False, False, "", "")),
        ("\n%%reflex  trace --values --to orders -o a.json\nf()", (True, False, "orders", "a.json")),
        ("%%reflex trace --lines \nf()", (False, True, "", "")),
        ("%%reflex trace the ball\nthat flies", None),
        ("%%reflex trace --vales\nf()", None),
        ("%%reflex trace\n", None),
        ("%%reflex trace", None),
        ("%reflex trace\nf()", None),
    ],
)
def test_only_options_make_a_traced_cell_of_a_request(cell: str, options: tuple[Any, ...] | None) -> None:
    assert trace_options(cell) == options
    assert is_request(cell) is (options is None and cell.lstrip().startswith("%%"))


def test_the_lines_of_a_traced_cell_keep_their_numbers() -> None:
    assert without_line("\n%%reflex trace\na\nb") == "\n# traced\na\nb"


def test_a_cell_of_another_magic_is_traced_as_well(run: Any) -> None:
    assert without_line("%%reflex trace\n\n%%time\nf()") == "%%time\nf()"
    run(CELL)
    _, shown = run("%%reflex trace\n%%time\ndouble(4)")
    assert "Wall time" in shown
    assert "double(4) → 8" in shown
    _, shown = run("%%time\n%%reflex trace --to kept\nfound = double(5)")
    assert "Wall time" in shown
    assert "double(5) → 10" in shown
    _, shown = run("%%capture\n%%time\n%%reflex trace\ndouble(6)")
    assert "double(6) → 12" in shown
    assert trace_options("%%writefile a.py\n%%reflex trace\nf()") is None


def test_a_cell_runs_as_it_would_and_its_calls_are_shown(run: Any, shell: Any) -> None:
    result, shown = run(f"%%reflex trace\n{CELL}double(4)")
    assert result.result == 8
    assert "1 call of 1 function" in shown
    assert "double(4) → 8" in shown
    assert shell.user_ns["double"](1) == 2
    _, shown = run("%reflex trace")
    assert "double(4) → 8" in shown


def test_the_options_keep_name_and_write_the_trace(run: Any, shell: Any, tmp_path: Path) -> None:
    path = tmp_path / "orders.json"
    _, shown = run(f"%%reflex trace --values --lines --to orders -o {path}\n{CELL}double(4)")
    assert f"Wrote {path}." in shown
    (call,) = read(path).calls
    assert call.arguments[0].value.payload
    assert call.lines == (3,)  # as the cell has them
    assert shell.user_ns["orders"].calls[0].result.text == "8"
    function = shell.user_ns["orders"].functions[0]
    assert (function.module, function.source, function.cell) == ("__main__", CELL.rstrip() + "\n", 1)
    _, shown = run(f"%reflex trace -o {tmp_path}/missing/a.json")
    assert "can't be written: No such file" in shown
    _, shown = run(f"%%reflex trace -o {tmp_path}/missing/a.json\ndouble(3)")
    assert "double(3) → 6" in shown
    assert "can't be written: No such file" in shown


def test_tests_of_the_calls_are_written_from_the_notebook(run: Any, tmp_path: Path) -> None:
    (tmp_path / "tills_of_a_cell.py").write_text("def double(number):\n    return number * 2\n", encoding="utf-8")
    run(f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\nfrom tills_of_a_cell import double")
    run("%%reflex trace --values --to calls\ndouble(4)")
    _, shown = run(f"%reflex trace --tests {tmp_path}/tests")
    assert "Wrote 1 test of 1 call into" in shown
    assert "assert double(number) == expected" in (tmp_path / "tests/test_tills_of_a_cell.py").read_text("utf-8")
    run("from reflex_ipython.testwriting.from_trace import write_tests")
    _, shown = run(f"write_tests(calls, {str(tmp_path / 'tests')!r})")
    assert "is tested with these arguments already" in shown
    _, shown = run(f"%reflex trace --tests {tmp_path}/tests/test_x.py")
    assert "is no folder" in shown
    run("del sys.path[0]")


def test_the_call_that_fails_is_there_after_many_that_were_only_counted(run: Any) -> None:
    run("def inverse(number):\n    return 1 / number")
    _, shown = run("%%reflex trace\nfor number in range(500, -1, -1):\n    inverse(number)")
    assert "inverse(0) ✗ ZeroDivisionError" in shown
    assert "400 more calls were made than the 100 of one function" in shown


def test_a_cell_that_fails_is_mended_as_ever(run: Any, shell: Any) -> None:
    run(f"{CELL}total = 3")
    result, shown = run("%%reflex trace\ndouble(1)\ndouble(toatl)")
    assert isinstance(result.error_in_exec, NameError)
    assert "double(1) → 2" in shown
    repair = shell.reflex_extension.assembly.session.repairs.latest()
    assert repair.fixes[0].edits[0].source == "%%reflex trace\ndouble(1)\ndouble(total)"
    result, shown = run("%reflex accept")
    assert result.success
    assert "double(3) → 6" in shown


def test_an_option_that_is_none_is_refused_in_words(run: Any) -> None:
    _, shown = run("%%reflex trace --vales\ndouble(1)")
    assert "nrecognized arguments: --vales" in shown


def test_there_is_no_last_trace_before_the_first(run: Any) -> None:
    _, shown = run("%reflex trace")
    assert "No cell was traced: write `%%reflex trace`" in shown


def test_a_traced_cell_may_unload_us(run: Any) -> None:
    before = sys.gettrace()
    run("%%reflex trace\n%unload_ext reflex_ipython")
    assert sys.gettrace() is before
    assert not hook._hooks
