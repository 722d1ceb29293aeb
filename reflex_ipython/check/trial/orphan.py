"""A process that leaves all that it is to a new one, which is nobody's child, and ends.

Mostly nothing is copied for that. As vfork(2) makes it, the new process has the memory of the old one, which waits in
the system until the new one lets go of it. It never does: it ends the old one first of all, which so runs no more. To
copy the tables of a gigabyte of small objects would take 20 ms, while the kernel waits.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import signal
import sys
import threading
import time

_CLONE = {"x86_64": 56, "aarch64": 220}
"""The number of the system call clone(2)."""
_SAME_MEMORY, _WAITING = 0x100, 0x4000
"""Its flags CLONE_VM and CLONE_VFORK."""
_GET_TID_ADDRESS = 40
"""The operation PR_GET_TID_ADDRESS of prctl(2)."""
_LOOK = 0.0001  # seconds


def library() -> ctypes.PyDLL:
    """The C library, found before the process is copied: another thread may have locked the table of all libraries."""
    return ctypes.PyDLL(None, use_errno=True)  # it keeps the interpreter's lock


def become_orphan(libc: ctypes.PyDLL) -> int:
    """Go on as another process, whose parent has ended. To be called where there is a single thread.

    Parameters
    ----------
    libc : PyDLL
        The `library`.

    Returns
    -------
    int
        0, or an error's number if there is no room for another process. Then this is still the old one.
    """
    if _is_taken_over(libc):
        return 0
    # Not by `os.fork`, which would have hooks of the user's run once more, nor with those of C libraries where that is
    # possible (_Fork(3)).
    pid = getattr(libc, "_Fork", libc.fork)()
    if pid > 0:
        os._exit(0)
    return (ctypes.get_errno() or errno.EAGAIN) if pid else 0


def _is_taken_over(libc: ctypes.PyDLL) -> bool:
    """Whether this is the new process by now, with the memory of the old one. False where the system knows no such way.

    The C library notes the number of each thread in its memory. As the old process ends, the system clears that note,
    since it is the old thread's; in the new one it would lead nowhere, and no signal could be raised.
    """
    clone, noted, old = _CLONE.get(platform.machine(), 0), ctypes.c_void_p(), os.getpid()
    if not clone or sys.maxsize < 2**32 or libc.prctl(_GET_TID_ADDRESS, ctypes.byref(noted), 0, 0, 0) != 0:
        return False
    if not noted.value:
        return False
    # If the new one ended first, the old one would go on with a memory that is not as it left it.
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        if libc.syscall(clone, _SAME_MEMORY | _WAITING | int(signal.SIGCHLD), 0, 0, 0, 0) != 0:
            return False
        os.kill(old, signal.SIGKILL)
        while os.getppid() == old:
            time.sleep(_LOOK)
        ctypes.c_int.from_address(noted.value).value = threading.get_native_id()
        return True
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
