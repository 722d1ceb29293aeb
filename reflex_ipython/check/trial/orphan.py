"""A process that leaves all that it is to a new one, which is nobody's child, and ends.

Mostly nothing is copied for that. As vfork(2) makes it, the new process has the memory of the old one, which waits in
the system until the new one lets go of it. It never does: it ends the old one first of all, which so runs no more. To
copy the tables of a gigabyte of small objects would take 20 ms, while the kernel waits.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import itertools
import os
import platform
import signal
import sys
import threading
import time
from collections.abc import Iterator

_CALLS = {"x86_64": (56, 62, 334)}
"""The numbers of the system calls clone(2), kill(2) and rseq(2)."""
_SAME_MEMORY, _WAITING = 0x100, 0x4000
"""The flags CLONE_VM and CLONE_VFORK."""
_GET_TID_ADDRESS = 40
"""The operation PR_GET_TID_ADDRESS of prctl(2)."""
_RSEQ_SIZE, _RSEQ_SIGN, _NO_RSEQ = 32, 0x53053053, -2
"""Of the area of rseq(2): its size, the C library's signature, what stands for a processor where there is none."""
_LOOK = 0.0001  # seconds


def library() -> ctypes.PyDLL:
    """The C library, found before the process is copied: another thread may have locked the table of all libraries."""
    return ctypes.PyDLL(None, use_errno=True)  # it keeps the interpreter's lock


@contextlib.contextmanager
def untraced() -> Iterator[None]:
    """Have neither tracer nor profiler of the user's called: it may raise, or take its time."""
    tracer, profiler = sys.gettrace(), sys.getprofile()
    sys.settrace(None)
    sys.setprofile(None)
    try:
        yield
    finally:
        sys.setprofile(profiler)
        sys.settrace(tracer)


def become_orphan(libc: ctypes.PyDLL) -> int:
    """Go on as another process, whose parent has ended. To be called `untraced`, where there is a single thread.

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

    If the new one ended before it has ended the old one, that would go on with a memory that is not as it left it. So
    nothing comes in between: no signal, no tracer, no audit hook, no line of Python.
    """
    clone, kill, rseq = _CALLS.get(platform.machine(), (0, 0, 0))
    noted, old = ctypes.c_void_p(), os.getpid()
    if not clone or sys.maxsize < 2**32 or libc.prctl(_GET_TID_ADDRESS, ctypes.byref(noted), 0, 0, 0) != 0:
        return False
    if not noted.value or ctypes.c_int.from_address(noted.value).value != threading.get_native_id():
        return False
    calls = (clone, _SAME_MEMORY | _WAITING | int(signal.SIGCHLD), 0, 0, 0, 0), (kill, old, int(signal.SIGKILL))
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        # The second one only in the new process, where the first one gives 0.
        if any(itertools.starmap(libc.syscall, calls)):
            if os.getpid() != old:
                os._exit(1)
            return False
        while os.getppid() == old:
            time.sleep(_LOOK)
        _repair_thread(libc, noted.value, rseq)
        return True
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def _repair_thread(libc: ctypes.PyDLL, noted: int, rseq: int) -> None:
    """Put right what the C library knows of this thread, which was another one's: its number, and its processor.

    As the old process ended, the system cleared the number, since it was that of its thread: no signal could be raised.
    On which processor it runs is told in an area that the system knows by a call.
    """
    ctypes.c_int.from_address(noted).value = threading.get_native_id()
    try:
        size = ctypes.c_uint.in_dll(libc, "__rseq_size").value
        offset = ctypes.c_ssize_t.in_dll(libc, "__rseq_offset").value
    except ValueError:  # an older C library uses none
        return
    if size:
        libc.pthread_self.restype = ctypes.c_void_p
        area = libc.pthread_self() + offset
        if libc.syscall(rseq, ctypes.c_void_p(area), _RSEQ_SIZE, 0, _RSEQ_SIGN) != 0:
            ctypes.c_int32.from_address(area + 4).value = _NO_RSEQ
