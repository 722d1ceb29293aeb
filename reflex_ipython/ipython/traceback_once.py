"""A failed cell's traceback is made once, where IPython makes it twice: to show it, and to keep it with the history.

Making it takes longer than all that we do: 60 ms for an error inside pandas. What is kept is the very text that was
shown, as nothing of the user's runs in between; so the panel need not wait for it to be made again.

Nothing of ours stands on the stack while it is made, where an interrupt or an error would show it: IPython asks for the
method that makes it, gets its own, and what that made is found where ipykernel has it for its reply. A terminal has it
nowhere, and goes on making it twice.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from IPython.core.interactiveshell import InteractiveShell

from reflex_ipython.ipython.interrupts import hand_on

_NAME = "structured_traceback"
_SHOWN = "_last_traceback"
"""Of an ipykernel's shell: the lines that it has sent."""
_KEEPER = getattr(InteractiveShell, "_format_exception_for_storage", None)
"""What makes it for the history; older versions of IPython keep none."""
_OFFSET = 1
"""Of the traceback, how many frames it leaves out; what is shown leaves out as many as the shell says."""


class _Asked(NamedTuple):
    """What is about to be shown, and what had been before."""

    error: Any
    traceback: Any
    before: Any


class TracebackOnce:
    """Remembers what was shown last, no longer than its cell runs.

    Parameters
    ----------
    shell : InteractiveShell
    depth : callable
        How many cells run inside each other just now.
    """

    def __init__(self, shell: Any, depth: Callable[[], int]) -> None:
        self._shell = shell
        self._depth = depth
        self._asked: _Asked | None = None

    def install(self) -> Callable[[], None]:
        """Begin; gives the function that ends it."""
        if _KEEPER is None or getattr(self._shell, "kernel", None) is None:
            return lambda: None
        maker = self._shell.InteractiveTB
        usual = type(maker)
        try:
            once = type(usual.__name__, (usual,), {_NAME: _Once(usual, self._instead), "__module__": usual.__module__})
            maker.__class__ = once
        except Exception:  # noqa: BLE001 - it is the user's, of a class that can't be that of another; made twice then
            return lambda: None

        def uninstall() -> None:
            self.forget()
            if type(maker) is once:  # else somebody has replaced it since
                maker.__class__ = usual

        return uninstall

    def _instead(self) -> Callable[..., list[str]] | None:
        """Gives what is kept, if it is asked for in order to keep it; None if it is to be made."""
        frame, asked, shown = sys._getframe(2), self._asked, getattr(self._shell, _SHOWN, None)
        if _KEEPER is None or frame.f_code is not _KEEPER.__code__:
            last = getattr(sys, "last_value", None), getattr(sys, "last_traceback", None)
            self._asked = _Asked(*last, shown) if self._depth() else None
            return None
        error = frame.f_locals.get("exception")
        if asked is None or shown is asked.before or type(shown) is not list or asked.error is not error:
            return None
        shell = self._shell
        if getattr(shell._showtraceback, "__func__", None) is not type(shell)._showtraceback:
            return None  # somebody else may have shown other lines
        is_same = asked.traceback is frame.f_locals.get("tb") and shell.InteractiveTB.tb_offset == _OFFSET
        return shown.copy if is_same else None

    def forget(self) -> None:
        """Let go of the error: its traceback holds what its functions had."""
        self._asked = None


class _Once:
    """The method that makes a traceback; one that somebody has set in its place comes before it.

    Parameters
    ----------
    usual : type
        Whose method it is without us.
    instead : callable
        Gives what to call in its place, or None.
    """

    def __init__(self, usual: type, instead: Callable[[], Callable[[], list[str]] | None]) -> None:
        self._usual = usual
        self._instead = instead

    def __get__(self, maker: Any, owner: Any = None) -> Any:
        if maker is None:
            return getattr(self._usual, _NAME)
        try:
            kept = self._instead()
        except KeyboardInterrupt:  # it is the user's, and strikes what makes the traceback
            hand_on()
            kept = None
        return getattr(self._usual, _NAME).__get__(maker, owner) if kept is None else lambda *_, **__: kept()
