"""What a call asks of the world outside, clock, chance, files, environment: what depends on it is another tomorrow."""

from __future__ import annotations

import contextlib
import datetime
import logging
import os
import random
import sys
import time
from collections.abc import Iterator
from types import FrameType
from typing import Any
from unittest.mock import patch

from reflex_ipython.base.library_files import is_library
from reflex_ipython.traces import environment

CLOCK = "asks the clock what time it is ({})"
FILE = "opens a file ({})"
FOLDER = "looks into a folder ({})"
MACHINE = "asks for this machine's name"
SETS = "sets an environment variable ({})"
_TIMES = frozenset(("time", "time_ns", "localtime", "gmtime", "ctime", "asctime", "strftime"))
_DATES = frozenset(("now", "utcnow", "today"))
STOPPED = frozenset(("time", "time_ns", *_DATES))
"""What a test can have say one and the same time."""
_MODULES = (".py", ".pyc", ".so")
_ZONES = "/usr/share/zoneinfo/"
_WRITES = os.O_WRONLY | os.O_RDWR
_SETTERS = frozenset(("os.putenv", "os.unsetenv"))
_FOLDERS = frozenset(("os.listdir", "os.scandir", "glob.glob"))
_CLIENTS = frozenset(("http", "urllib", "urllib3", "requests", "httpx", "httpcore"))
GENERATOR = "numpy.random.default_rng"


class Outside:
    """Watches one call, on this thread. The process must be one that ends soon: what sees files stays.

    Parameters
    ----------
    folder : str
        Its files may be opened.
    """

    def __init__(self, folder: str = "") -> None:
        self.reasons: list[str] = []
        """What it asked for that no test can give it, in words that follow the function's name."""
        self.clock: list[tuple[str, str, str]] = []
        """The module that asked for the time, and whom: `("shop.prices", "datetime", "now")`."""
        self.files: list[str] = []
        """The paths that it read, as it named them."""
        self.chance: list[str] = []
        """Where it drew random numbers from."""
        self.environment: list[str] = []
        """The names of the environment variables that it asked for."""
        self._folder = os.path.join(folder, "") if folder else ""
        self._is_on = False

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Until the end of the block."""
        sys.addaudithook(self._audit)
        states = _states()
        with self._generators(), contextlib.ExitStack() as stack:
            stack.callback(environment.listen(self))
            self._is_on = True
            sys.setprofile(self._profile)
            try:
                yield
            finally:
                sys.setprofile(None)
                self._is_on = False
        self.chance += [name for name, state in _states().items() if name in states and state != states[name]]

    def asked(self, name: str, value: str | None) -> None:
        """An environment variable was asked for."""
        if name == environment.ALL:
            self.reasons.append(environment.GOES_THROUGH)
        elif self._is_on and name not in self.environment:
            self.environment.append(name)

    @contextlib.contextmanager
    def _generators(self) -> Iterator[None]:
        """Sees generators that numpy seeds with what nobody knows: its functions are none that a profiler sees."""
        numpy = sys.modules.get("numpy")
        if numpy is None:
            yield
            return
        make = numpy.random.default_rng

        def seen(seed: Any = None) -> Any:
            if seed is None and GENERATOR not in self.chance:
                self.chance.append(GENERATOR)
            return make(seed)

        with patch(GENERATOR, seen):
            yield

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._is_on:
            return
        if event == "open" and isinstance(arguments[0], (str, bytes, os.PathLike)):
            self._opened(os.fsdecode(arguments[0]), arguments[1], arguments[2])
        elif event == "socket.gethostname":
            if environment.asks_itself(sys._getframe(1)):
                self.reasons.append(MACHINE)
        elif event in _SETTERS:
            if environment.asks_itself(sys._getframe(1)):
                self.reasons.append(SETS.format(os.fsdecode(arguments[0])))
        elif event in _FOLDERS and (is_library(str(arguments[0])) or _imports(sys._getframe(1))):
            return
        elif event in _FOLDERS or event == "sqlite3.connect":
            words = FILE if event == "sqlite3.connect" else FOLDER
            self.reasons.append(words.format(arguments[0]))

    def _opened(self, path: str, mode: Any, flags: Any) -> None:
        if path.endswith(_MODULES) or path.startswith(_ZONES) or is_library(path):
            return
        if self._folder and os.path.realpath(path).startswith(self._folder):
            return
        writes = bool(set(mode) & set("wax+")) if isinstance(mode, str) else bool(flags & _WRITES)
        if writes:
            self.reasons.append(FILE.format(path))
        elif path not in self.files:
            self.files.append(path)

    def _profile(self, frame: FrameType, event: str, called: Any) -> None:
        if event != "c_call" or frame.f_code.co_filename == logging.__file__:  # the time of a line in a log
            return
        if str(frame.f_globals.get("__name__")).partition(".")[0] in _CLIENTS:  # of cookies, and of connections
            return
        owner, name = getattr(called, "__self__", None), called.__name__
        if (owner is time and name in _TIMES) or (name in _DATES and isinstance(owner, type)):
            asked = str(frame.f_globals.get("__name__")), owner.__name__, name
            is_known = owner in (time, datetime.datetime, datetime.date) and name in STOPPED
            if not is_known or is_library(frame.f_code.co_filename):
                self.reasons.append(CLOCK.format(f"{owner.__name__}.{name}"))
            elif asked not in self.clock:
                self.clock.append(asked)


def _imports(frame: FrameType) -> bool:
    """Whether Python itself looks for a module here: anew where a folder has changed since it last looked."""
    return frame.f_globals.get("__name__") == "importlib._bootstrap_external"


def _states() -> dict[str, str]:
    """Where the random numbers stand that nobody has made a generator of his own for."""
    found = {"random": repr(random.getstate())}
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        found["numpy.random"] = repr(
            [part.tolist() if hasattr(part, "tolist") else part for part in numpy.random.get_state()]
        )
    return found
