"""Syntax trees that are built on a thread beside the user's, so that none that is being built there comes to harm.

Python 3.11 counts in one place for all threads how deep the tree is that it builds. No other thread runs while it does,
unless garbage is collected amid it and that calls Python code: ipykernel 6 has such a callback, and any object may have
a finalizer. Where another thread builds a tree just then, the first one fails with `SystemError: AST constructor
recursion depth mismatch`: that of the cell that is about to run, or of the traceback that IPython is about to show.
So on our threads none begins while another may be amid one, and no garbage is collected amid it.

Python 3.10 does not count, and since 3.12 no garbage is collected there.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import operator
import sys
import time
from collections.abc import Callable
from functools import partial
from threading import Lock, get_ident, main_thread
from types import CodeType, FrameType
from typing import Any

_COUNTS_FOR_ALL = sys.version_info[:2] == (3, 11)
_MOST_WAITS = 1000
"""Of a millisecond. A finalizer that takes longer is one that waits for something."""
_MOST_TRIES = 100
_one_of_ours = Lock()
_FINALIZER = "__del__"
_BEGINS = "start"
"""What the collector says to its callbacks at first."""
_none_since = {_BEGINS: True}
_notice = _none_since.pop
"""As a callback of the collector, no Python code: whenever garbage is collected, the key is gone."""


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
    if get_ident() != main_thread().ident:
        return _beside(build)
    for _ in range(_MOST_TRIES - 1):
        with contextlib.suppress(SystemError):  # the user's own threads get into each other's way as well
            return build()
    return build()


def _beside(build: Callable[[], Any]) -> Any:
    with _one_of_ours:
        try:
            for _ in range(_MOST_WAITS):
                if not _another_is_amid():  # nor goes through the collector's callbacks, which are about to change
                    if _notice not in gc.callbacks:
                        gc.callbacks.insert(0, _notice)
                    _none_since[_BEGINS] = True
                    if not _another_is_amid():
                        with contextlib.suppress(KeyError):  # garbage is collected since: another may be amid it
                            return _in_one_breath(build)
                        continue
                time.sleep(0.001)
            return build()
        finally:
            with contextlib.suppress(ValueError):
                gc.callbacks.remove(_notice)


def _in_one_breath(build: Callable[[], Any]) -> Any:
    """Call it if no garbage is collected since we looked, and let none be amid it; else raise KeyError."""
    collects = gc.isenabled()
    again = gc.enable if collects else gc.disable
    none_since = partial(_none_since.__getitem__, _BEGINS)
    done: list[Any] = []
    call = operator.call  # type: ignore[attr-defined]  # since Python 3.11, which this is for
    try:
        # One call of C: a thread gives way between the steps of Python code alone.
        done.extend(map(call, (none_since, gc.isenabled, gc.disable, build, again)))
    finally:
        if len(done) > 1 and (len(done) < 5 or done[1] != collects):  # not built; or the user has switched it since
            (gc.enable if done[1] else gc.disable)()
    return done[3]


def _another_is_amid() -> bool:
    """Whether another thread may be amid a tree: it collects garbage, or parses."""
    known = (getattr(each, "__code__", None) for each in (ast.parse, *gc.callbacks))
    codes = [code for code in known if isinstance(code, CodeType)]
    names = {_FINALIZER, *(code.co_name for code in codes)}
    own = get_ident()
    return any(_is_amid(frame, codes, names) for thread, frame in sys._current_frames().items() if thread != own)


def _is_amid(frame: FrameType | None, codes: list[CodeType], names: set[str]) -> bool:
    while frame is not None:
        code = frame.f_code
        # By its name first, then by identity: to hash code, or to compare it, goes through all that it holds.
        if code.co_name in names and (code.co_name == _FINALIZER or any(code is each for each in codes)):
            return True
        frame = frame.f_back
    return False
