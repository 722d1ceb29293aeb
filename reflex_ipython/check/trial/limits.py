"""What a trial may use: time, memory, room for files."""

from __future__ import annotations

import math
import os
import resource
import time
from dataclasses import dataclass

from reflex_ipython.base import process_memory

MIB = 1 << 20
_LEAST = 64 * MIB  # of memory, on top of what the kernel uses: with less, nothing runs
_MOST = 4  # trials at once


@dataclass(frozen=True)
class Limits:
    """The bounds of one trial.

    Parameters
    ----------
    seconds : float
        On the wall, from where the cell begins; looking at the result included.
    set_up : float
        Seconds until the cell begins: putting the state back, and all walls up. A busy machine may take a while.
    memory : int
        Bytes on top of what the kernel uses.
    scratch : int
        Bytes of temporary files.
    output : int
        Characters of what is printed, and of the last expression.
    among : int
        Trials that run at once: the memory is divided among them.
    """

    seconds: float = 10.0
    set_up: float = 10.0
    memory: int = 4096 * MIB
    scratch: int = 256 * MIB
    output: int = 20_000
    among: int = 1


def most_at_once() -> int:
    """How many trials can run at once: more than there are processors would be no faster."""
    return min(_MOST, len(os.sched_getaffinity(0)))


def at_once(limits: Limits) -> int:
    """How many trials are to run at once in copies of this process.

    Each is to have as much memory as this process holds: an expression of all its values may need that.

    Parameters
    ----------
    limits : Limits
        Of one that runs alone.
    """
    return max(1, min(most_at_once(), _room(limits) // max(_LEAST, process_memory.rewritable())))


def impose(limits: Limits, largest_file: int) -> None:
    """Bound this process, for good.

    Parameters
    ----------
    limits : Limits
    largest_file : int
        Bytes of the largest file that is written to already.

    Raises
    ------
    OSError, ValueError
        If the kernel refuses.
    """
    _bound(resource.RLIMIT_AS, process_memory.address_space() + max(_LEAST, _room(limits) // limits.among))
    _bound(resource.RLIMIT_CPU, math.ceil(time.process_time() + limits.seconds) + 1, more=1)
    _bound(resource.RLIMIT_CORE, 0)
    _bound(resource.RLIMIT_FSIZE, largest_file + 64 * MIB)


def _room(limits: Limits) -> int:
    """Bytes for all trials that run at once."""
    return min(limits.memory, process_memory.available() // 2)


def _bound(which: int, value: int, more: int = 0) -> None:
    """Never more than before: a user's own bound stays. The hard one is by so much larger."""
    _, hard = resource.getrlimit(which)
    soft, most = (one if hard == resource.RLIM_INFINITY else min(one, hard) for one in (value, value + more))
    resource.setrlimit(which, (soft, most))
