"""What the user's names lead to: open files with text that waits in their buffers, child processes, connections.

Nothing of the user's runs: the collector knows what an object holds. A bounded number is looked at, for a bounded time.
"""

from __future__ import annotations

import contextlib
import gc
import io
import mmap
import socket
import subprocess
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from types import CodeType, FrameType, ModuleType
from typing import Any

from reflex_ipython.base.classes import is_exactly, module_name
from reflex_ipython.check.trial import withheld
from reflex_ipython.check.trial.libc import libc
from reflex_ipython.check.trial.withheld import LateWriter, Semaphore

_MOST = 20_000  # objects
_SECONDS = 0.1  # of the processor
_LONGEST = 10_000  # elements of a container
_BUFFERED = (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom)
_LEAVES = (type, ModuleType, FrameType, CodeType)


@dataclass
class Reached:
    """What was found.

    Parameters
    ----------
    files : list of (type, file object)
        With a buffer of Python's own, and the class that it has it from; those that wrap others first.
    children : list of subprocess.Popen
    names : dict of int to set of str
        Which of the user's names lead to a descriptor.
    databases, maps : set of str
        Those that lead to a database connection, and to a map of memory.
    writers : list of LateWriter
        Those that keep what they are given.
    semaphores : list of (str, Semaphore)
        Of other processes as well, each with one of the user's names that lead there.
    """

    files: list[tuple[Any, Any]] = field(default_factory=list)
    children: list[Any] = field(default_factory=list)
    names: dict[int, set[str]] = field(default_factory=dict)
    databases: set[str] = field(default_factory=set)
    maps: set[str] = field(default_factory=set)
    writers: list[LateWriter] = field(default_factory=list)
    semaphores: list[tuple[str, Semaphore]] = field(default_factory=list)

    def flush(self) -> None:
        """Write out what waits in the files' buffers, and in those of C code."""
        for kind, file in self.files:
            try:
                if not kind.closed.__get__(file) and kind.writable(file):
                    kind.flush(file)
            except (OSError, ValueError):  # the disk of a copy is full; or it is detached
                continue
        libc().fflush(None)

    def counts(self) -> tuple[list[int], list[int]]:
        """What the writers have been given, and how often the semaphores can be taken."""
        return [one.count() for one in self.writers], [one.count() for _, one in self.semaphores]


def reach(names: dict[str, Any]) -> Reached:
    """Look behind some names, but not into modules: every function leads there, and nobody's own are found that way.

    Parameters
    ----------
    names : dict
        The user's.
    """
    found = Reached()
    until = time.thread_time() + _SECONDS
    waiting = deque((name, value) for name, value in names.items())
    seen: set[int] = set()
    while waiting and len(seen) < _MOST and time.thread_time() < until:
        name, value = waiting.popleft()
        if id(value) in seen or issubclass(type(value), _LEAVES) or _is_of_module(value):
            continue
        seen.add(id(value))
        _keep(found, name, value)
        if withheld.is_queue(value):  # of its parts, the pipe alone: a use shows there, and the locks are its own
            waiting.extend((name, vars(value).get(end)) for end in ("_reader", "_writer"))
        elif _size(value) <= _LONGEST:
            waiting.extend((name, one) for one in gc.get_referents(value) if gc.is_tracked(one))
    return found


def _is_of_module(value: Any) -> bool:
    """Whether it has all names of a module. That one is asked: to ask all 2,000 would touch, and so copy, each page."""
    name = value.get("__name__") if type(value) is dict else None
    module = sys.modules.get(name) if type(name) is str else None
    return type(module) is ModuleType and vars(module) is value


def _keep(found: Reached, name: str, value: Any) -> None:
    kind = type(value)
    if buffered := _buffered(kind, value):
        found.files.append((buffered, value))
    elif issubclass(kind, subprocess.Popen):
        found.children.append(value)
    elif (writer := withheld.writer(value)) is not None:
        found.writers.append(writer)
        found.names.setdefault(writer.fd, set()).add(name)
    elif (semaphore := withheld.semaphore(value)) is not None:
        found.semaphores.append((name, semaphore))
    if buffered or is_exactly(value, (io.FileIO, io.BufferedReader, socket.socket)):
        with contextlib.suppress(OSError, ValueError):  # it is closed, or detached
            found.names.setdefault((buffered or kind).fileno(value), set()).add(name)
    elif issubclass(kind, mmap.mmap):
        found.maps.add(name)
    elif module_name(kind) == "sqlite3":
        found.databases.add(name)


def _buffered(kind: type, value: Any) -> Any:
    """The class that a file has its buffer from; None: it has none, or its flush would lead to code of the user's."""
    if is_exactly(value, _BUFFERED):
        return kind
    if issubclass(kind, io.TextIOWrapper):
        with contextlib.suppress(ValueError):  # it is detached
            return io.TextIOWrapper if is_exactly(io.TextIOWrapper.buffer.__get__(value), _BUFFERED) else None
    return None


def _size(value: Any) -> int:
    return len(value) if is_exactly(value, (list, tuple, dict, set, frozenset, deque)) else 0
