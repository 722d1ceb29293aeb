"""Which statements a shell is seen to run: its own, each with its tree, whatever else is compiled and run meanwhile."""

from __future__ import annotations

import ast
import textwrap
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from reflex_ipython.ipython.statements import on_statement


@pytest.fixture
def seen() -> Iterator[list[tuple[str, int]]]:
    """What was told of: the text of each statement, and the thread that it was told on."""
    told: list[tuple[str, int]] = []
    stop = on_statement(lambda code, node: told.append((ast.unparse(node), threading.get_ident())))
    yield told
    stop()


@pytest.fixture
def shell(plain_shell: Any) -> Any:
    """Without the extension, which listens as well."""
    return plain_shell


def _run(shell: Any, cell: str) -> None:
    shell.run_cell(textwrap.dedent(cell)).raise_error()


def test_each_statement_is_told_of(shell: Any, seen: list[tuple[str, int]]) -> None:
    _run(shell, "x = 1\nx += 1\nx")
    assert [text for text, _ in seen] == ["x = 1", "x += 1", "x"]


def test_what_the_users_code_compiles_and_runs_is_none_of_its_statements(
    shell: Any, seen: list[tuple[str, int]]
) -> None:
    _run(
        shell,
        """
        import ast, inspect
        exec(compile(ast.parse("inner = 1"), inspect.currentframe().f_code.co_filename, "exec"))
        eval(compile(ast.Expression(ast.Constant(1, lineno=1, col_offset=0)), "f", "eval"))
        after = 2
        """,
    )
    assert len(seen) == 4
    assert seen[-1][0] == "after = 2"
    assert not any(text == "inner = 1" for text, _ in seen)


def test_another_thread_that_compiles_meanwhile_hides_none(shell: Any, seen: list[tuple[str, int]]) -> None:
    stop = threading.Event()
    begun = threading.Event()

    def compiles() -> None:
        while not stop.is_set():
            exec(compile(ast.parse("elsewhere = 1"), "<elsewhere>", "exec"), {})
            begun.set()

    thread = threading.Thread(target=compiles)
    thread.start()
    begun.wait()
    lines = [f"y{place} = {place}" for place in range(300)]
    _run(shell, "\n".join(lines))
    stop.set()
    thread.join()
    assert [text for text, _ in seen] == lines
    assert {ident for _, ident in seen} == {threading.get_ident()}


def test_a_statement_that_awaits_is_told_of(shell: Any, seen: list[tuple[str, int]]) -> None:
    _run(shell, "import asyncio\nawait asyncio.sleep(0)\nz = 1")
    assert [text for text, _ in seen] == ["import asyncio", "await asyncio.sleep(0)", "z = 1"]


def test_what_goes_wrong_in_the_listener_is_no_error_of_the_cell(shell: Any) -> None:
    stop = on_statement(lambda code, node: 1 / 0)
    _run(shell, "w = 1")
    stop()
    assert shell.user_ns["w"] == 1
