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
from types import BuiltinFunctionType, CodeType, FrameType, ModuleType
from typing import Any

_MOST = 20_000  # objects
_SECONDS = 0.1  # of the processor
_LONGEST = 10_000  # elements of a container
_BUFFERED = (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom)
_LEAVES = (type, ModuleType, FrameType, CodeType, BuiltinFunctionType)


@dataclass
class Reached:
    """What was found.

    Parameters
    ----------
    files : list of file objects
        Python's own, with a buffer; those that wrap others first.
    children : list of subprocess.Popen
    names : dict of int to set of str
        Which of the user's names lead to a descriptor.
    databases, maps : set of str
        Those that lead to a database connection, and to a map of memory.
    """

    files: list[Any] = field(default_factory=list)
    children: list[Any] = field(default_factory=list)
    names: dict[int, set[str]] = field(default_factory=dict)
    databases: set[str] = field(default_factory=set)
    maps: set[str] = field(default_factory=set)

    def flush(self) -> None:
        """Write out what waits in the files' buffers."""
        for file in self.files:
            try:
                if not file.closed and file.writable():
                    type(file).flush(file)
            except (OSError, ValueError):  # the disk of a copy is full; or it is detached
                continue


def reach(names: dict[str, Any]) -> Reached:
    """Look behind some names.

    Parameters
    ----------
    names : dict
        The user's.
    """
    found = Reached()
    end = time.thread_time() + _SECONDS
    stop = {id(vars(module)) for module in list(sys.modules.values()) if type(module) is ModuleType}
    waiting = deque((name, value) for name, value in names.items())
    seen: set[int] = set()
    while waiting and len(seen) < _MOST and time.thread_time() < end:
        name, value = waiting.popleft()
        if id(value) in seen or id(value) in stop or issubclass(type(value), _LEAVES):
            continue
        seen.add(id(value))
        _keep(found, name, value)
        if _size(value) <= _LONGEST:
            waiting.extend((name, one) for one in gc.get_referents(value) if gc.is_tracked(one))
    return found


def _keep(found: Reached, name: str, value: Any) -> None:
    kind = type(value)
    if kind in _BUFFERED:
        found.files.append(value)
    elif issubclass(kind, subprocess.Popen):
        found.children.append(value)
    if kind in (*_BUFFERED, io.FileIO, io.BufferedReader, socket.socket):
        with contextlib.suppress(OSError, ValueError):  # it is closed, or detached
            found.names.setdefault(value.fileno(), set()).add(name)
    elif issubclass(kind, mmap.mmap):
        found.maps.add(name)
    elif kind.__module__ == "sqlite3":
        found.databases.add(name)


def _size(value: Any) -> int:
    return len(value) if type(value) in (list, tuple, dict, set, frozenset, deque) else 0
