"""Shared memory that a candidate changed: its own copies of the pages tell, seen from outside.

A page that nobody wrote since the fork is still shared with the zygote, or is the file's. The kernel marks the others
as mapped by one process alone (`pagemap` in proc(5)).
"""

from __future__ import annotations

import array
import mmap
import os

from reflex_ipython.check.trial.mappings import Mapping

_PRESENT, _SWAPPED, _OF_FILE, _ALONE = 1 << 63, 1 << 62, 1 << 61, 1 << 56
_MOST = 1 << 22  # pages that are looked at: 16 GB
_PIECE = 1 << 16
_UNTOLD = "/dev/shm/sem."  # locks between processes: progress bars take one for each line
_NAMELESS = ("/dev/zero", "/dev/shm/pym-", "/SYSV", "/memfd:", "/tmp/pymp-")


def watched(found: list[Mapping]) -> list[Mapping]:
    """Those of the mappings that somebody else would see changes of.

    Parameters
    ----------
    found : list of Mapping
        All shared ones.
    """
    return [
        one
        for one in found
        if one.protection & mmap.PROT_WRITE
        and not one.path.startswith(_UNTOLD)
        and not one.path.endswith("-shm")  # SQLite's index of a log: readers write there too
    ]


def written(pid: int, mapping: Mapping) -> int:
    """How many pages of a mapping a process wrote since it was forked; 0 where that can't be told.

    Parameters
    ----------
    pid : int
    mapping : Mapping
        A private one by now.
    """
    count, left = 0, min(mapping.size // mmap.PAGESIZE, _MOST)
    try:
        with open(f"/proc/{pid}/pagemap", "rb", buffering=0) as pages:
            os.lseek(pages.fileno(), mapping.start // mmap.PAGESIZE * 8, os.SEEK_SET)
            while left > 0:
                data = pages.read(8 * min(left, _PIECE))
                if not data:
                    break
                left -= len(data) // 8
                count += _alone(array.array("Q", data))
    except OSError:
        return 0
    return count


def _alone(entries: array.array[int]) -> int:
    if max(entries) < _SWAPPED:  # nothing is there
        return 0
    return sum(1 for entry in entries if entry & (_PRESENT | _SWAPPED) and entry & _ALONE and not entry & _OF_FILE)


def words(mapping: Mapping) -> str:
    """What a change of a mapping is, in words that follow "it"."""
    path = mapping.path.removesuffix(" (deleted)")
    name = os.path.basename(path)
    if not path or path.startswith(_NAMELESS):
        return "changes memory that it shares with other processes"
    if path.startswith("/dev/shm/"):
        return f"changes the shared memory {name}"
    return f"changes the mapped file {name}"
