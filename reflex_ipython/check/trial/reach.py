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
import weakref
from collections import deque
from collections.abc import Collection
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


class _Modules:
    """Those that were looked at last: to ask 2,000 touches, and so copies, as many pages after each copy."""

    count = 0
    latest: weakref.ref[ModuleType] | None = None
    names: frozenset[int] = frozenset()


def of_modules() -> frozenset[int]:
    """Where the names of all modules are: every function leads there, and nobody's own are found that way.

    In the kernel, before the copy is made, and anew only once another module was imported.
    """
    latest = next((module for module in reversed(sys.modules.values()) if type(module) is ModuleType), None)
    same = _Modules.latest is not None and _Modules.latest() is latest and _Modules.count == len(sys.modules)
    if latest is not None and not same:
        modules = [module for module in list(sys.modules.values()) if type(module) is ModuleType]
        _Modules.names = frozenset(id(vars(module)) for module in modules)
        _Modules.count, _Modules.latest = len(sys.modules), weakref.ref(latest)
    return _Modules.names


def reach(names: dict[str, Any], stop: Collection[int]) -> Reached:
    """Look behind some names.

    Parameters
    ----------
    names : dict
        The user's.
    stop : collection of int
        Those `of_modules`, behind which nobody looks.
    """
    found = Reached()
    until = time.thread_time() + _SECONDS
    waiting = deque((name, value) for name, value in names.items())
    seen: set[int] = set()
    while waiting and len(seen) < _MOST and time.thread_time() < until:
        name, value = waiting.popleft()
        if id(value) in seen or id(value) in stop or issubclass(type(value), _LEAVES):
            continue
        seen.add(id(value))
        _keep(found, name, value)
        if withheld.is_queue(value):  # of its parts, the pipe alone: a use shows there, and the locks are its own
            waiting.extend((name, vars(value).get(end)) for end in ("_reader", "_writer"))
        elif _size(value) <= _LONGEST:
            waiting.extend((name, one) for one in gc.get_referents(value) if gc.is_tracked(one))
    return found


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
