"""Which statements a shell is seen to run: its own, each with its tree, whatever else is compiled and run meanwhile."""

from __future__ import annotations

import ast
import textwrap
import threading
from collections.abc import Iterator
from types import CodeType
from typing import Any

import pytest

from reflex_ipython.ipython.statements import Follows, Statements, after_all


@pytest.fixture
def seen() -> Iterator[list[tuple[str, int]]]:
    """What was told of: the text of each statement, and the thread that it was told on."""
    told: list[tuple[str, int]] = []
    failed: list[BaseException] = []

    def follows(code: CodeType, node: ast.stmt) -> bool:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Constant):
            return False
        told.append((ast.unparse(node), threading.get_ident()))
        return True

    def begins(code: CodeType, node: ast.stmt | None) -> Follows:
        assert node is not None
        if follows(code, node):
            return follows
        told.append((ast.unparse(node), threading.get_ident()))
        return after_all

    statements = Statements(begins, failed.append)
    yield told
    statements.close()
    assert not failed


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
        first = 1
        exec(compile(ast.parse("inner = 1"), inspect.currentframe().f_code.co_filename, "exec"))
        eval(compile(ast.Expression(ast.Constant(1, lineno=1, col_offset=0)), "f", "eval"))
        after = 2
        """,
    )
    assert len(seen) == 5
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


def test_what_goes_wrong_in_the_listener_is_told_of_and_is_no_error_of_the_cell(shell: Any) -> None:
    failed: list[BaseException] = []
    statements = Statements(lambda code, node: 1 // 0, failed.append)
    _run(shell, "w = 1")
    statements.close()
    assert shell.user_ns["w"] == 1
    assert [type(error) for error in failed] == [ZeroDivisionError]


def test_a_cell_that_a_statement_runs_does_not_put_its_own_cell_out_of_step(
    shell: Any, seen: list[tuple[str, int]]
) -> None:
    _run(shell, "a = 1\nget_ipython().run_cell('b = 2\\nc = 3')\nd = 4\ne = 5")
    told = [text for text, _ in seen]
    assert told == ["a = 1", "get_ipython().run_cell('b = 2\\nc = 3')", "b = 2", "c = 3", "d = 4", "e = 5"]


def test_what_comes_behind_a_statement_that_was_interrupted_is_told_of_as_it_is(
    shell: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    struck: list[str] = []
    monkeypatch.setattr("reflex_ipython.ipython.statements.hand_on", lambda: struck.append("handed on"))

    def follows(code: CodeType, node: ast.stmt) -> bool:
        if ast.unparse(node) == "b = 2":
            raise KeyboardInterrupt
        told.append(ast.unparse(node))
        return True

    def begins(code: CodeType, node: ast.stmt | None) -> Follows | None:
        return follows if node is not None and follows(code, node) else None

    statements = Statements(begins, lambda error: None)
    _run(shell, "a = 1\nb = 2\nc = 3\nd = 4")
    statements.close()
    assert (told, struck) == (["a = 1", "c = 3", "d = 4"], ["handed on"])


def test_nothing_of_a_cell_is_held_once_it_is_over(shell: Any, seen: list[tuple[str, int]]) -> None:
    statements = Statements(lambda code, node: lambda code, node: True, lambda error: None)
    _run(shell, "a = 1\nb = 2")
    assert statements._frame is not None
    assert statements._file is not None
    statements.cell_is_over()
    statements.close()
    assert statements._frame is None
    assert statements._file is None


def test_what_runs_behind_the_last_statement_is_none(shell: Any, seen: list[tuple[str, int]]) -> None:
    def runs_more() -> None:
        exec(compile("later = 1", shell.user_ns["here"], "exec"))

    shell.events.register("post_run_cell", lambda result: runs_more())
    _run(shell, "import inspect\nhere = inspect.currentframe().f_code.co_filename\nlast = 1")
    assert [text for text, _ in seen][2:] == ["last = 1"]


def test_a_thread_that_runs_nothing_but_exec_is_left_alone(shell: Any, seen: list[tuple[str, int]]) -> None:
    _run(
        shell,
        """
        import _thread, threading
        done = threading.Event()
        _thread.start_new_thread(exec, ("done.set()", {"done": done}))
        assert done.wait(60)
        """,
    )
    assert len(seen) == 4
