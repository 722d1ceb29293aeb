"""The traceback of a failed cell is made once, and kept as it would be without us."""

from __future__ import annotations

from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

import reflex_ipython

KEEPS = hasattr(InteractiveShell, "_format_exception_for_storage")
pytestmark = pytest.mark.skipif(not KEEPS, reason="this IPython keeps no tracebacks")
TWO_FRAMES = "def inner():\n    return {}['key']\ninner()"


def _kept(shell: Any, source: str) -> Any:
    count = shell.execution_count
    shell.run_cell(source, store_history=True)
    return shell.history_manager.exceptions[count]


def _of_all(shell: Any) -> list[Any]:
    shell.execution_count = 1
    sources = [TWO_FRAMES, "1 +", "try:\n    1 / 0\nexcept Exception as e:\n    raise ValueError(2) from e", "%nothing"]
    return [_kept(shell, source) for source in sources]


def test_what_is_kept_is_what_ipython_keeps_without_us(plain_shell: Any) -> None:
    without = _of_all(plain_shell)
    reflex_ipython.load_ipython_extension(plain_shell)
    try:
        assert _of_all(plain_shell) == without
    finally:
        reflex_ipython.unload_ipython_extension(plain_shell)


def test_it_is_made_once(plain_shell: Any) -> None:
    made = []
    maker = plain_shell.InteractiveTB
    make = maker.structured_traceback
    maker.structured_traceback = lambda *arguments, **named: made.append(1) or make(*arguments, **named)
    ours = maker.structured_traceback
    reflex_ipython.load_ipython_extension(plain_shell)
    try:
        _kept(plain_shell, TWO_FRAMES)
        assert len(made) == 1
    finally:
        reflex_ipython.unload_ipython_extension(plain_shell)
    assert maker.structured_traceback is ours


def test_an_error_shown_before_in_the_same_cell_is_not_kept_for_the_one_that_ends_it(shell: Any) -> None:
    source = "try:\n    1 / 0\nexcept Exception:\n    get_ipython().showtraceback()\nraise KeyError('other')"
    assert _kept(shell, source)["ename"] == "KeyError"
    assert "ZeroDivisionError" not in "".join(_kept(shell, source)["traceback"])


def test_an_error_that_is_shown_and_then_raised_on_is_made_again(shell: Any) -> None:
    shown = "get_ipython().showtraceback()"
    source = f"try:\n    1 / 0\nexcept Exception as e:\n    {shown}\n    e.args = ('new words',)\n    raise"
    assert "new words" in "".join(_kept(shell, source)["traceback"])


def test_nothing_of_the_error_is_held_when_its_cell_is_over(shell: Any) -> None:
    _kept(shell, TWO_FRAMES)
    assert shell.reflex_extension._traceback._made is None


def test_unloading_leaves_nothing(plain_shell: Any) -> None:
    reflex_ipython.load_ipython_extension(plain_shell)
    assert "structured_traceback" in vars(plain_shell.InteractiveTB)
    reflex_ipython.unload_ipython_extension(plain_shell)
    assert "structured_traceback" not in vars(plain_shell.InteractiveTB)
