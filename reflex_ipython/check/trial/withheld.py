"""What writers hold back: compressors, archives and locks between processes, whose use no descriptor shows.

A compressor keeps what it is given until a block is full, or until it is closed; a lock between processes is a number
in memory that is written to even by who only reads; what threads wait for has no effect where they are missing. All of
them count what is done to them, and the counts are compared.
"""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from reflex_ipython.base.article import a
from reflex_ipython.base.classes import inherits, is_exactly

_FILES = (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom, io.FileIO)


@dataclass(frozen=True)
class LateWriter:
    """Something that writes to a descriptor, later.

    Parameters
    ----------
    fd : int
    count : callable
        The bytes that it has been given so far.
    """

    fd: int
    count: Callable[[], int]


@dataclass(frozen=True)
class Semaphore:
    """A lock or semaphore that processes share, or what threads wait for.

    Parameters
    ----------
    kind : str
        "lock", "semaphore" or "thread".
    count : callable
        How often it can be taken now; of threads, how many wait that waited when the copy was made.
    """

    kind: str
    count: Callable[[], int]


# module, class: where the file that it writes to is, and where it counts
_WRITERS = {
    ("gzip", "GzipFile"): (("fileobj",), "offset"),
    ("bz2", "BZ2File"): (("_fp",), "_pos"),
    ("lzma", "LZMAFile"): (("_fp",), "_pos"),
    ("zipfile", "_ZipWriteFile"): (("_zipfile", "fp"), "_file_size"),
    ("tarfile", "_Stream"): (("fileobj",), "pos"),
}


def writer(value: Any) -> LateWriter | None:
    """What of an object has to be counted, if it is one of those; None of any other.

    Parameters
    ----------
    value : object
        The user's. Nothing of theirs runs.
    """
    for (module, name), (path, attribute) in _WRITERS.items():
        kind = getattr(sys.modules.get(module), name, None)
        if kind is not None and inherits(type(value), kind):
            names = vars(value)
            fd = _descriptor(value, path)
            if fd is None or type(names.get(attribute)) is not int:
                return None
            return LateWriter(fd, _counter(names, attribute))
    return None


def _counter(names: dict[str, Any], attribute: str) -> Callable[[], int]:
    return lambda: value if type(value := names.get(attribute)) is int else 0  # the cell may have set it


def _descriptor(value: Any, path: tuple[str, ...]) -> int | None:
    for name in path:
        value = vars(value).get(name) if hasattr(value, "__dict__") else None
    if is_exactly(value, _FILES):
        try:
            return int(value.fileno())
        except (OSError, ValueError):  # it is closed, or detached
            return None
    low = getattr(sys.modules.get("tarfile"), "_LowLevelFile", None)
    return int(value.fd) if low is not None and type(value) is low else None


def semaphore(value: Any) -> Semaphore | None:
    """The same of the locks of `multiprocessing`, and of what threads of the kernel wait for."""
    if type(value) is threading.Condition:  # events, queues and barriers have one
        waiting = set(map(id, vars(value)["_waiters"]))
        return (
            Semaphore("thread", lambda: sum(id(one) in waiting for one in vars(value)["_waiters"])) if waiting else None
        )
    kind = getattr(sys.modules.get("multiprocessing.synchronize"), "SemLock", None)
    if kind is None or not inherits(type(value), kind):
        return None
    inner = vars(value).get("_semlock")
    if inner is None or type(inner).__module__ != "_multiprocessing":
        return None
    return Semaphore("lock" if inner.maxvalue == 1 else "semaphore", inner._get_value)


def is_queue(value: Any) -> bool:
    """Whether the locks in it are not told: a use of a queue shows by its pipe."""
    kind = getattr(sys.modules.get("multiprocessing.queues"), "Queue", None)
    return kind is not None and inherits(type(value), kind)


def changed(before: list[int], now: list[int]) -> Iterator[tuple[int, int]]:
    """The positions where two lists of counts differ, and by how much."""
    for position, (old, new) in enumerate(zip(before, now)):
        if new != old:
            yield position, new - old


def semaphore_words(kind: str, difference: int) -> str:
    """What a changed count is, in words that follow "it"."""
    if kind == "thread":
        return "wakes up a thread of your kernel, whose doings a trial can't see"
    return f"{'takes' if difference < 0 else 'releases'} {a(kind)} that it shares with other processes"
