"""What a call asks of the world outside: the clock, and files. What depends on them is another thing tomorrow."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import time
from collections.abc import Iterator
from types import FrameType
from typing import Any

from reflex_ipython.base.library_files import is_library

CLOCK = "asks the clock what time it is ({})"
FILE = "opens a file ({})"
_TIMES = frozenset(("time", "time_ns", "localtime", "gmtime", "ctime", "asctime", "strftime"))
_DATES = frozenset(("now", "utcnow", "today"))
_MODULES = (".py", ".pyc", ".so")


class Outside:
    """Watches one call, on this thread. The process must be one that ends soon: what sees files stays."""

    def __init__(self) -> None:
        self.reasons: list[str] = []
        """What it asked for, in words that follow the function's name."""
        self._is_on = False

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Until the end of the block."""
        sys.addaudithook(self._audit)
        self._is_on = True
        sys.setprofile(self._profile)
        try:
            yield
        finally:
            sys.setprofile(None)
            self._is_on = False

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._is_on and event == "open" and isinstance(arguments[0], (str, bytes)):
            path = os.fsdecode(arguments[0])
            if not path.endswith(_MODULES) and not is_library(path):
                self.reasons.append(FILE.format(path))

    def _profile(self, frame: FrameType, event: str, called: Any) -> None:
        if event != "c_call" or frame.f_code.co_filename == logging.__file__:  # the time of a line in a log
            return
        owner, name = getattr(called, "__self__", None), called.__name__
        if (owner is time and name in _TIMES) or (name in _DATES and isinstance(owner, type)):
            self.reasons.append(CLOCK.format(f"{owner.__name__}.{name}"))
