"""Processes that belong to us: they die with their parent, and no descendant of theirs is left."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from reflex_ipython.check.trial.libc import PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG, prctl

_ENDING = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGABRT, signal.SIGKILL, signal.SIGTERM)
_VERBS: dict[int, str] = {0: "look for", **dict.fromkeys(map(int, _ENDING), "end")}


def die_with_parent(parent: int) -> None:
    """End this process when `parent` ends, even by a kill.

    Parameters
    ----------
    parent : int
        The process that forked this one; it may have ended by now.
    """
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends, so that `end` finds it."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def sacrifice_first() -> None:
    """If memory runs out, this process is the one to go, not the user's kernel."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")


@dataclass(frozen=True)
class Ended:
    """How a process ended.

    Parameters
    ----------
    code : int
        Its exit code; negative: the signal.
    peak_bytes : int
        The most memory that it held.
    cpu_seconds : float
        Processor time.
    runnable : bool
        Whether it ran just before, or would have if a processor had been free.
    """

    code: int
    peak_bytes: int
    cpu_seconds: float
    runnable: bool


def kill(pid: int) -> None:
    """Have a child of this process run no further, nor its group; it stays to be waited for."""
    for send in (os.killpg, os.kill):  # a group exists only once the child has made it
        with contextlib.suppress(ProcessLookupError, PermissionError):
            send(pid, signal.SIGKILL)


def end(pid: int, spare: Collection[int] = ()) -> Ended:
    """Kill a child of this process with all that it started, and wait until all are gone.

    Parameters
    ----------
    pid : int
    spare : collection of int
        Other children, which stay.
    """
    runnable = wants_processor(pid)
    kill(pid)
    _, status, usage = os.wait4(pid, 0)
    _end_orphans(spare)
    processor = usage.ru_utime + usage.ru_stime
    return Ended(os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024, processor, runnable)


def wants_processor(pid: int) -> bool:
    """Whether the kernel has the process as running or ready to (proc(5), `stat`: R)."""
    return _status(pid)[:1] == ["R"]


def step_back(pid: int) -> None:
    """Have a group of processes give way to others: ten steps behind this one (setpriority(2))."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PGRP, pid, min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10))


def wait(pid: int, seconds: float) -> bool:
    """Whether a child ends by itself within so long; it is not reaped."""
    deadline = time.monotonic() + seconds
    while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.001)
    return True


def _end_orphans(spare: Collection[int], seconds: float = 2.0) -> None:
    deadline = time.monotonic() + seconds
    while (orphans := set(children()) - set(spare)) and time.monotonic() < deadline:
        for child in orphans:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, os.WNOHANG)
        time.sleep(0.002)


def named(pid: int) -> str:
    """A process in words: its number and, while it is there, its name."""
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
            return f"{pid} ({file.read().strip()})"
    except OSError:
        return str(pid)


def signalled(pid: int, number: int) -> str:
    """What a signal to a process means, in words that follow "wants to"."""
    return f"{_VERBS.get(number, 'send a signal to')} the process {named(pid)}"


def is_running(pid: int) -> bool:
    """Whether a process is there and has not ended: one that nobody has waited for is still listed."""
    return (_status(pid) or "Z")[0] not in "ZX"


def is_there(pid: int) -> bool:
    """Whether a process is listed, if only because nobody has waited for it since it ended."""
    return bool(_status(pid))


class Other:
    """A process that is not ours, and is not taken for another one that gets its number.

    Parameters
    ----------
    pid : int
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._begun = self._when()

    def is_there(self) -> bool:
        """Whether it has not ended yet."""
        return self._when() == self._begun and (not self._begun or is_running(self._pid))

    def _when(self) -> str:
        return "".join(_status(self._pid)[19:20])  # `starttime`; nothing where processes are not listed


def _status(pid: int) -> list[str]:
    """What the kernel tells of a process from its state on (proc(5), `stat`); empty if there is none."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return []


def descendants(pid: int) -> list[int]:
    """The children of a process, and theirs."""
    found = children(pid)
    return [*found, *(one for child in found for one in descendants(child))]


def children(pid: int | None = None) -> list[int]:
    """The children of a process; None: of this one."""
    pid = pid or os.getpid()
    try:
        tasks = [f"/proc/{pid}/task/{task}/children" for task in os.listdir(f"/proc/{pid}/task")]
        return [int(child) for path in tasks for child in Path(path).read_text(encoding="ascii").split()]
    except OSError:  # a kernel that does not list them, or a thread that has just ended
        return _children_of_all(pid)


def _children_of_all(pid: int) -> list[int]:
    """The same, from the list of all processes."""
    return [int(name) for name in filter(str.isdigit, os.listdir("/proc")) if _status(int(name))[1:2] == [str(pid)]]
