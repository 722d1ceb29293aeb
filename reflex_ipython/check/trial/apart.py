"""A copy of this process that is no child of it, so that whoever waits for his children never meets it.

A cell that has made processes waits for them with `os.wait()`, until there is none left or as often as it has made one:
that would last for as long as our copy is there, or take ours for one of its own. So it is made as daemons are: a copy
that ends at once leaves all to the one that stays (`orphan`), and whoever adopts orphans waits for that one. Only who
waits in another thread at that very moment may meet the first one, as one that was killed.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import select
import signal
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType

from reflex_ipython.check.trial import after_fork
from reflex_ipython.check.trial.fork_signals import blocked
from reflex_ipython.check.trial.orphan import become_orphan, library, untraced
from reflex_ipython.check.trial.process import is_running, is_there

_PATIENCE = 10.0
"""Seconds within which whoever adopts a process waits for it, if he does so at all: some look once in a while."""
_LONGEST = 10.0
"""Seconds that the first copy may take: what a library does in each process that is forked may hang there."""
_left_lying: dict[int, float] = {}
"""When those ended (`time.monotonic`) for whom nobody had waited yet when we last looked."""


@dataclass(frozen=True)
class Apart:
    """A process that was made here.

    Parameters
    ----------
    pid : int
    handle : int or None
        A descriptor of the process, which no other can have, as its number can (pidfd_open(2)). None: it is a child.
    """

    pid: int
    handle: int | None = None

    def kill(self) -> None:
        """End it. To be called before `bury`."""
        if self.handle is None:
            os.kill(self.pid, signal.SIGKILL)
        else:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.handle, signal.SIGKILL)

    def wait(self) -> None:
        """Wait for its end, whatever the cause; its number stays its own if it is a child."""
        if self.handle is None:
            with contextlib.suppress(ChildProcessError):  # the user's code waited for all children, this one included
                os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        else:
            poll = select.poll()
            poll.register(self.handle, select.POLLIN)
            poll.poll()

    def bury(self) -> None:
        """Leave nothing of it, once it has ended."""
        with contextlib.suppress(ChildProcessError):  # as above; or somebody else has adopted it
            if self.handle is None:
                os.waitpid(self.pid, 0)
            else:
                os.waitid(os.P_PIDFD, self.handle, os.WEXITED)
        if self.handle is not None:
            os.close(self.handle)
            _left_lying[self.pid] = time.monotonic()


def fork() -> Apart | None:
    """Copy this process; None in the copy.

    It is a child after all where the system has no descriptors of processes, or where nobody buries orphans, as in a
    container whose first process does not know of them: each would be listed for ever.

    Raises
    ------
    OSError
        If there is no memory or no room for another process, or it takes too long.
    """
    if not _is_possible():
        with blocked():
            pid = after_fork.fork()
        return Apart(pid) if pid else None
    libc, (ours, theirs) = library(), socket.socketpair()
    ours.settimeout(_LONGEST)
    with ours, theirs, _unheard():
        with blocked():
            pid = after_fork.fork()
        if pid == 0:
            _go_on_as_orphan(libc, theirs)
            return None
        theirs.close()
        try:
            number, handles, _, _ = socket.recv_fds(ours, 32, 1, socket.MSG_CMSG_CLOEXEC)
        except BaseException as error:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            if isinstance(error, TimeoutError):
                raise TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT)) from None
            raise
        finally:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
    if not handles:
        why_not = int(number or errno.EAGAIN)
        raise OSError(why_not, os.strerror(why_not))
    return Apart(int(number), *handles)


def _is_possible() -> bool:
    for pid in list(_left_lying):
        if not is_there(pid) or is_running(pid):  # it is gone, and the number may be somebody else's
            del _left_lying[pid]
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return False
    return all(time.monotonic() - ended < _PATIENCE for ended in _left_lying.values())


def _go_on_as_orphan(libc: ctypes.PyDLL, line: socket.socket) -> None:
    """In the first copy; who comes back is the second one. Says which process that is, or why there is none."""
    problem = errno.EAGAIN
    try:
        with untraced():
            if (problem := become_orphan(libc)) == 0:
                handle = os.pidfd_open(os.getpid())
                socket.send_fds(line, [b"%d" % os.getpid()], [handle])
                os.close(handle)
    finally:
        if problem:
            line.send(b"%d" % problem)
            os._exit(0)


@contextlib.contextmanager
def _unheard() -> Iterator[None]:
    """Have no handler of the user's told that a child has ended, if it is ours and no other."""
    handler = signal.getsignal(signal.SIGCHLD)
    if not callable(handler) or threading.current_thread() is not threading.main_thread():
        yield
        return
    copied, told = os.getpid(), 0

    def count(number: int, frame: FrameType | None) -> None:
        nonlocal told
        told += 1

    signal.signal(signal.SIGCHLD, count)
    try:
        yield
    finally:
        signal.signal(signal.SIGCHLD, handler)
        if os.getpid() == copied and (told > 1 or _another_has_ended()):
            signal.raise_signal(signal.SIGCHLD)


def _another_has_ended() -> bool:
    with contextlib.suppress(ChildProcessError):
        return os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None
    return False
