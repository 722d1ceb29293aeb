"""Which statement failed: exact where Python knows, None where it does not."""

from __future__ import annotations

import ast
import asyncio
import inspect
import sys
from typing import Any

import pytest

from reflex_ipython.state.statement import failed_statement

COLUMNS = sys.version_info >= (3, 11)

CLEAR = [
    ("x = 1\n1 / 0\ny = 2", 1),
    ("@staticmethod\n@nope\ndef f(): pass", 0),
    ("x = 1\nx\n@nope(\n 1)\nclass A: pass", 2),
    ("match 3:\n case 3:\n  1 / 0", 0),
    ("match 3:\n case nope.x:\n  pass", 0),
    ("x = 0\nf'''\n{x}\n\n{1 / x}'''\nq = 1", 1),
    ("with open('/no/such/file') as f:\n  pass", 0),
    ("class A:\n  def __enter__(s): pass\n  def __exit__(s, *a): 1 / 0\nwith A():\n  pass\nx = 2", 1),
    ("exec('a = 1\\nb = 2\\n1 / 0')\nz = 1", 0),
    ("z = 1\nexec(compile('\\n\\n\\n1 / 0', 'other', 'exec'))", 1),
    ("def g():\n 1 / 0\nx = 1\n\ng()\ny = 2", 2),
    ("for i in range(3):\n  if i == 2:\n    1 / 0\nx = 2", 0),
    ("try:\n  1 / 0\nexcept Exception as e:\n  saved = e\nraise saved", 1),
    ("try:\n  1 / 0\nexcept Exception:\n  raise KeyError from None\nx = 1", 0),
    ("[\n1 / 0\nfor x in (1,)\n]\ny = 1", 0),
    ("x: int = 1 / 0", 0),
    ("a = 1\nimport no_such_module\nb = 2", 1),
    ("from os import nope", 0),
    ("a = 1\nassert a == 2, (\n f'{a!r}')\nb = 2", 1),
    ("x = 1\neval('1 +')\nb = 1", 1),
    ("x = 1\nx = [1, 2][\n5\n]\ny = 1", 1),
    ("x = 1\n\nawait nope()\ny = 2", 1),
    ("async def f():\n  1 / 0\nx = 1\nawait f()", 2),
    ("x = 1\nreturn 5", 1),
    ("x = 1\nget_ipython().run_line_magic('nope', '')\ny = 1", 1),
]
ON_ONE_LINE = [
    ("a = 1; b = 2; 1 / 0; c = 3", 2),
    ("x = 0; y = f'{1 / x}'; z = 2", 1),
    ("x = 0; print(f'{x}'); print(f'{1 / x}'); print(f'{1 / x}')", 2),
    ("print(f'{nope}'); print(f'{nope}')", 0),
    ("x = 0\ny = f'''\n{x}\n\n{1 / x}'''; z = 2\nq = 1", 1),
    ("x = [1, 2]; x[\n5\n]; y = 1", 1),
    ("é = 'ü'; 1 / 0; x = 2", 1),
    ("y = 1; exec('1 / 0')", 1),
    ("a = 1; import no_such_module; b = 2", 1),
    ("a = 1; eval('1 +'); b = 1", 1),
    ("a = 1; lambda x: 1 / 0; (lambda: 1 / 0)()", 2),
    ("é = 1; print(); return 5", 2),
    ("await nope(); x = 1", 0),
]


def fails(cell: str) -> tuple[BaseException, list[ast.stmt]]:
    """Run the cell as IPython does, statement by statement, each compiled just before it runs."""
    body = ast.parse(cell).body
    names: dict[str, Any] = {}
    for statement in body:
        try:
            flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            code = compile(ast.Module([statement], []), "<cell>", "exec", flags)
            result = eval(code, names)
            if inspect.iscoroutine(result):
                asyncio.run(result)
        except Exception as error:  # noqa: BLE001 - what the cell fails with is what is looked at
            return error, body
    raise AssertionError("the cell must fail")


@pytest.mark.parametrize(("cell", "index"), CLEAR, ids=[cell for cell, _ in CLEAR])
def test_the_statement_that_failed_is_found(cell: str, index: int) -> None:
    error, body = fails(cell)
    assert failed_statement(error, body, "<cell>") == index


@pytest.mark.parametrize(("cell", "index"), ON_ONE_LINE, ids=[cell for cell, _ in ON_ONE_LINE])
def test_on_one_line_it_is_found_by_the_column_or_said_to_be_unknown(cell: str, index: int) -> None:
    error, body = fails(cell)
    compiled_late = isinstance(error, SyntaxError) and error.filename == "<cell>"
    assert failed_statement(error, body, "<cell>") == (index if COLUMNS or compiled_late else None)


def test_an_error_from_elsewhere_is_unknown() -> None:
    with pytest.raises(KeyboardInterrupt) as caught:
        raise KeyboardInterrupt
    assert failed_statement(caught.value, ast.parse("x = 1").body, "<cell>") is None


def test_an_error_without_a_traceback_is_unknown() -> None:
    assert failed_statement(ValueError(), ast.parse("x = 1").body, "<cell>") is None


def test_a_syntax_error_in_another_file_that_the_cell_never_reached_is_unknown() -> None:
    error = SyntaxError("bad", ("other.py", 1, 1, "x", 1, 2))
    assert failed_statement(error, ast.parse("x = 1").body, "<cell>") is None
