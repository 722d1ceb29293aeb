"""Having the memory of this process to itself again, after a copy of it was made.

Both share each page until one of them writes to it, and who is first waits while the system copies that: 3 to 9 µs. As
Python counts references in its objects, it writes to most of their pages: 2,000 for a line that fails, 7,000 for 1,000
statements. The system can do it for many pages in one call (madvise(2), MADV_POPULATE_WRITE, since Linux 5.14).
"""

from __future__ import annotations

import array
import ctypes
import functools
import mmap
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

from reflex_ipython.base.process_memory import MIB, available

_POPULATE_WRITE = 23
_PRESENT, _OF_FILE = 1 << 63, 1 << 61
"""Of an entry of /proc/self/pagemap (proc(5))."""
_PIECE = 256
"""Pages of one call: whoever maps memory meanwhile waits for it, 1 ms at most."""
_DENSE = 0.75
"""Of a mapping's pages, what has to be in memory: a large array that is mostly untouched holds few objects."""
_UNTOUCHED = 16 * MIB // mmap.PAGESIZE
"""Or so many that are not: the system joins what lies side by side, objects and the 8 MiB of a thread's stack."""
_MOST, _SHARE = 128 * MIB, 1 / 32
"""Bytes that are copied at most, and of the memory that is free."""
_GROWN = 64
"""Pages that may have been written to since they were counted."""
_PAGE = mmap.PAGESIZE


@functools.lru_cache(maxsize=None)
def _madvise() -> Callable[[int, int, int], int] | None:
    """The system's call; None where it can't do that."""
    if sys.platform != "linux":
        return None
    found: Any = ctypes.CDLL(None, use_errno=True).madvise  # others run meanwhile
    found.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return found if found(None, 0, _POPULATE_WRITE) == 0 else None


def own_pages(ends: Callable[[], bool], most: int | None = None) -> int | None:
    """Have pages that are in memory copied now, as far as they are shared: no write has to wait for that any more.

    Large objects may be left out, as of those few pages are written to.

    Parameters
    ----------
    ends : callable
        Asked every millisecond: whether to leave it at that.
    most : int or None
        Bytes. None: 128 MiB, but no more than a 32nd of what is free.

    Returns
    -------
    int or None
        How many pages were gone through; None where the system can't do that, or does not let us look.
    """
    madvise = _madvise()
    try:
        return None if madvise is None else _own_pages(madvise, ends, most)
    except (OSError, ValueError, MemoryError):
        return None


def _own_pages(madvise: Callable[[int, int, int], int], ends: Callable[[], bool], most: int | None) -> int:
    left = (min(_MOST, int(available() * _SHARE)) if most is None else most) // _PAGE
    done = 0
    with open("/proc/self/pagemap", "rb", buffering=0) as pagemap:
        for first, last, written in sorted(_dense(), key=lambda mapping: mapping[1] - mapping[0]):
            if written > left:
                break
            os.lseek(pagemap.fileno(), first * 8, os.SEEK_SET)
            entries = array.array("Q", pagemap.read(8 * (last - first)))
            runs = list(_in_memory(entries))
            present = sum(end - begin for begin, end in runs) - _GROWN
            if present > written and present > _written(first):  # other threads may have written to it since
                continue  # some were read alone: they share a page of zeros, and would take memory
            for begin, end in runs:
                for start in range(begin, end, _PIECE):
                    if ends():
                        return done
                    count = min(_PIECE, end - start)
                    madvise((first + start) * _PAGE, count * _PAGE, _POPULATE_WRITE)
                    done += count
                    left -= count
    return done


def _dense() -> Iterator[tuple[int, int, int]]:
    """Where objects are: what is this process's alone, belongs to no file, and is mostly written to.

    From which page to which each reaches, and how many of them were written to.
    """
    first = last = 0
    with open("/proc/self/smaps", encoding="utf-8", errors="surrogateescape") as maps:
        lines = list(maps)
    for line in lines:
        if line.startswith("Anonymous:"):
            written = int(line.split()[1]) * 1024 // _PAGE
            size = last - first
            if written and (written >= _DENSE * size or size - written <= _UNTOUCHED):
                yield first, last, written
        elif line[0] in "0123456789abcdef":
            addresses, permissions, _, _, inode, *name = line.split(None, 5)
            kind = "".join(name).strip()
            is_ours = permissions.startswith("rw") and permissions[3] == "p" and inode == "0"
            if is_ours and (not kind or kind.startswith(("[heap]", "[anon"))):
                first, last = (int(address, 16) // _PAGE for address in addresses.split("-"))
            else:
                first = last = 0


def _written(mapping: int) -> int:
    """To how many pages of the mapping with that page was written by now: it may begin before that since."""
    return next((written for first, last, written in _dense() if first <= mapping < last), 0)


def _in_memory(entries: array.array[int]) -> Iterator[tuple[int, int]]:
    """From where to where pages are in memory: to write to the others would take memory that nobody asked for."""
    begin = None
    for place, entry in enumerate(entries):
        if entry & _PRESENT and not entry & _OF_FILE:
            begin = place if begin is None else begin
        elif begin is not None:
            yield begin, place
            begin = None
    if begin is not None:
        yield begin, len(entries)
