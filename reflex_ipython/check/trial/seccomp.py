"""seccomp: this process, and all that it starts, makes no system call that reaches out of it."""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from reflex_ipython.check.trial.allowed import ABSENT, rules
from reflex_ipython.check.trial.libc import PR_SET_NO_NEW_PRIVS, prctl, syscall
from reflex_ipython.check.trial.packet_filter import Answers, program
from reflex_ipython.check.trial.system_calls import LAST, PROCESSORS, Processor

_ERRNO = 0x00050000
ANSWERS = Answers(allow=0x7FFF0000, refuse=_ERRNO | errno.EACCES, no_such_call=_ERRNO | errno.ENOSYS, kill=0x80000000)
_SET_FILTER, _ACTION_AVAILABLE, _ALL_THREADS = 1, 2, 1


def processor() -> Processor | None:
    """What we know of this machine's processor."""
    return PROCESSORS.get(os.uname().machine)


def offered() -> bool:
    """Whether the kernel takes filters, and we know this processor's system calls."""
    known = processor()
    if known is None:
        return False
    action = ctypes.c_uint32(_ERRNO)
    try:
        syscall(known.seccomp, ctypes.c_uint(_ACTION_AVAILABLE), ctypes.c_uint(0), ctypes.byref(action))
    except OSError:
        return False
    return True


def restrict(*, files: bool, network: bool = False) -> None:
    """From now on, for good: no connections, processes, signals to others, shared memory, changes to the machine.

    Parameters
    ----------
    files : bool
        Whether to refuse every change of a file as well.
    network : bool
        Whether connections over the network are allowed after all.

    Raises
    ------
    OSError
        If the kernel does not take the filter.
    """
    known = processor()
    if known is None:
        raise OSError(errno.ENOSYS, f"the system calls of {os.uname().machine} are not known")
    code = filter_for(known, os.getpid(), files=files, network=network)
    buffer = ctypes.create_string_buffer(code, len(code))
    pointer = ctypes.cast(buffer, ctypes.c_void_p).value
    header = ctypes.create_string_buffer(struct.pack("@HP", len(code) // 8, pointer))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    stuck = syscall(known.seccomp, ctypes.c_uint(_SET_FILTER), ctypes.c_uint(_ALL_THREADS), ctypes.byref(header))
    if stuck:
        raise OSError(errno.ESRCH, f"thread {stuck} could not be put into the sandbox")


def filter_for(known: Processor, pid: int, *, files: bool, network: bool = False) -> bytes:
    """The filter of a process.

    Parameters
    ----------
    known : Processor
    pid : int
        The process, as it sees itself.
    files : bool
        Whether to refuse every change of a file as well.
    network : bool
        Whether to allow connections over the network.
    """
    named = {**rules(pid, files=files, network=network), **dict.fromkeys(ABSENT)}
    numbered = {known.calls[name]: rule for name, rule in named.items() if name in known.calls}
    return b"".join(program(known.audit, numbered, LAST, ANSWERS))
