"""A failed cell's traceback is made once, where IPython makes it twice: to show it, and to keep it with the history.

Making it takes longer than all that we do: 60 ms for an error inside pandas. What is kept is the very text that was
shown, as nothing of the user's runs in between; so the panel need not wait for it to be made again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from IPython.core.interactiveshell import InteractiveShell

_NAME = "structured_traceback"
_KEEPER = getattr(InteractiveShell, "_format_exception_for_storage", None)
"""What makes it for the history; older versions of IPython keep none."""


class _Made(NamedTuple):
    error: Any
    traceback: Any
    offset: int | None
    lines: list[str]


class TracebackOnce:
    """Remembers what was shown last, no longer than its cell runs.

    Parameters
    ----------
    shell : InteractiveShell
    depth : callable
        How many cells run inside each other just now.
    """

    def __init__(self, shell: Any, depth: Callable[[], int]) -> None:
        self._maker = shell.InteractiveTB
        self._depth = depth
        self._made: _Made | None = None

    def install(self) -> Callable[[], None]:
        """Begin; gives the function that ends it."""
        if _KEEPER is None:
            return lambda: None
        maker, keeper, make = self._maker, _KEEPER.__code__, getattr(self._maker, _NAME)
        own = vars(maker).get(_NAME)

        def made_once(etype: Any, value: Any, tb: Any, tb_offset: int | None = None, *rest: Any, **named: Any) -> Any:
            offset, made = maker.tb_offset if tb_offset is None else tb_offset, self._made
            if sys._getframe(1).f_code is not keeper:
                self._made = None
                lines = make(etype, value, tb, tb_offset, *rest, **named)
                if self._depth() and not rest and not named and type(lines) is list:
                    self._made = _Made(value, tb, offset, lines[:])
                return lines
            if made is not None and made.error is value and made.traceback is tb and made.offset == offset:
                return made.lines[:]
            return make(etype, value, tb, tb_offset, *rest, **named)

        setattr(maker, _NAME, made_once)

        def uninstall() -> None:
            self.forget()
            if vars(maker).get(_NAME) is made_once:  # else somebody has replaced it since
                if own is None:
                    delattr(maker, _NAME)
                else:
                    setattr(maker, _NAME, own)

        return uninstall

    def forget(self) -> None:
        """Let go of the error: its traceback holds what its functions had."""
        self._made = None
