"""Syntax trees that are built on a thread beside the user's, so that none that is being built there comes to harm.

Python 3.11 counts in one place for all threads how deep the tree is that it builds. No other thread runs while it does,
unless garbage is collected amid it and that calls Python code: ipykernel 6 has such a callback, and any object may have
a finalizer. Where another thread builds a tree just then, the first one fails with `SystemError: AST constructor
recursion depth mismatch`: that of the cell that is about to run, or of the traceback that IPython is about to show.
So on our threads no garbage is collected amid it, and none begins while another is amid it.

Python 3.10 does not count, and since 3.12 no garbage is collected there.
"""

from __future__ import annotations

import ast
import gc
import operator
import sys
import time
from collections.abc import Callable
from functools import partial
from threading import get_ident, main_thread
from types import CodeType, FrameType
from typing import Any

_COUNTS_FOR_ALL = sys.version_info[:2] == (3, 11)
_MOST_WAITS = 1000
"""Of a millisecond. A finalizer that takes longer is one that waits for something."""
_MOST_TRIES = 10
"""The user's own threads may get into each other's way as well."""


def syntax_tree(source: str | bytes, filename: str = "<unknown>", mode: str = "exec", flags: int = 0) -> Any:
    """The syntax tree of a source, as `ast.parse` gives it.

    Parameters
    ----------
    source : str or bytes
    filename : str
        What its error would name.
    mode : str
        "exec", "eval" or "single".
    flags : int
        Of the compiler, besides the one for a tree.

    Returns
    -------
    ast.Module, ast.Expression or ast.Interactive

    Raises
    ------
    SyntaxError, ValueError, RecursionError, MemoryError
        As `compile` does.
    """
    build = partial(compile, source, filename, mode, flags | ast.PyCF_ONLY_AST, dont_inherit=True)
    return _harmless(build) if _COUNTS_FOR_ALL else build()


def expression(text: str) -> ast.expr:
    """The tree of an expression. Raises as `syntax_tree` does."""
    found: ast.expr = syntax_tree(text, mode="eval").body
    return found


def literal_value(written: str | ast.expr) -> Any:
    """The value of a literal, as `ast.literal_eval` gives it, and with the same errors."""
    return ast.literal_eval(syntax_tree(written.lstrip(" \t"), mode="eval") if isinstance(written, str) else written)


def _harmless(build: Callable[[], Any]) -> Any:
    beside = get_ident() != main_thread().ident
    for _ in range(_MOST_TRIES - 1):
        try:
            if not beside:
                return build()
            _wait_for_others()
            return _in_one_breath(build)
        except SystemError:
            continue
    return build()


def _in_one_breath(build: Callable[[], Any]) -> Any:
    """Call it while no garbage is collected, and nothing runs between that and what was before."""
    collects = gc.isenabled()
    again = gc.enable if collects else gc.disable
    try:
        # One call of C: a thread gives way between the steps of Python code alone.
        collected, _, built, _ = map(operator.call, (gc.isenabled, gc.disable, build, again))  # type: ignore[attr-defined]
    except BaseException:
        again()
        raise
    if collected != collects:  # the user has switched it since we looked
        (gc.enable if collected else gc.disable)()
    return built


def _wait_for_others() -> None:
    for _ in range(_MOST_WAITS):
        callbacks = [getattr(each, "__code__", None) for each in gc.callbacks]
        amid = {ast.parse.__code__, *callbacks}
        if not any(_is_amid(frame, amid) for thread, frame in sys._current_frames().items() if thread != get_ident()):
            return
        time.sleep(0.001)


def _is_amid(frame: FrameType | None, codes: set[CodeType | None]) -> bool:
    while frame is not None:
        if frame.f_code in codes or frame.f_code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False
