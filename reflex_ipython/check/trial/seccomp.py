"""seccomp: this process, and all that it starts, makes no system call that reaches out of it.

The filter is a program of the kernel's classic packet filter. Calls about files are left to Landlock where there is
one, since the filter sees numbers, not paths; where there is none, every way to change a file is refused.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterator

from reflex_ipython.check.trial.libc import PR_SET_NO_NEW_PRIVS, PR_SET_PDEATHSIG, prctl, syscall
from reflex_ipython.check.trial.system_calls import FILES, PROCESSORS, REFUSED, Processor

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in the kernel's `struct seccomp_data`
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_REFUSE, _NO_SUCH_CALL = 0x00050000 | errno.EACCES, 0x00050000 | errno.ENOSYS
_X32 = 0x40000000  # the second set of numbers on x86_64
_CLONE_THREAD = 0x00010000
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C  # would type into a terminal
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_SET_FILTER, _ALL_THREADS = 1, 1


def processor() -> Processor | None:
    """What we know of this machine's processor."""
    return PROCESSORS.get(os.uname().machine)


def offered() -> bool:
    """Whether the kernel takes filters, and we know this processor's system calls."""
    if processor() is None:
        return False
    action = ctypes.c_uint32(_REFUSE & 0xFFFF0000)
    try:
        syscall(_seccomp_number(), ctypes.c_uint(2), ctypes.c_uint(0), ctypes.byref(action))
    except OSError:
        return False
    return True


def restrict(*, files: bool) -> None:
    """From now on, for good: no connections, processes, signals to others, shared memory, changes to the machine.

    Parameters
    ----------
    files : bool
        Whether to refuse every change of a file as well.

    Raises
    ------
    OSError
        If the kernel does not take the filter.
    """
    known = processor()
    if known is None:
        raise OSError(errno.ENOSYS, f"the system calls of {os.uname().machine} are not known")
    code = b"".join(program(known, os.getpid(), files=files))
    buffer = ctypes.create_string_buffer(code, len(code))
    pointer = ctypes.cast(buffer, ctypes.c_void_p).value
    header = ctypes.create_string_buffer(struct.pack("@HP", len(code) // 8, pointer))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    stuck = syscall(_seccomp_number(), ctypes.c_uint(_SET_FILTER), ctypes.c_uint(_ALL_THREADS), ctypes.byref(header))
    if stuck:
        raise OSError(errno.ESRCH, f"the thread {stuck} could not be shut in")


def program(known: Processor, pid: int, *, files: bool) -> Iterator[bytes]:
    """The filter, an instruction of eight bytes at a time."""
    calls = known.calls
    yield from (_do(_LOAD, _ARCHITECTURE), _if(_EQUAL, known.audit, 1, 0), _do(_RETURN, _KILL), _do(_LOAD, _NUMBER))
    if "fork" in calls:
        yield from (_if(_AT_LEAST, _X32, 0, 1), _do(_RETURN, _REFUSE))
    for name in sorted(REFUSED | set(FILES.split() if files else ())):
        if name in calls:
            yield from _for(calls[name], _do(_RETURN, _REFUSE))
    yield from (part for name in ("clone3", "openat2") for part in _for(calls[name], _do(_RETURN, _NO_SUCH_CALL)))
    yield from _for(calls["clone"], *_unless_bit(0, _CLONE_THREAD))
    yield from (part for name in ("kill", "tgkill") for part in _for(calls[name], *_only(0, pid)))
    yield from _for(calls["sched_setaffinity"], *_only(0, pid, 0))
    yield from _for(calls["prctl"], *_not(0, PR_SET_PDEATHSIG))
    yield from _for(calls["ioctl"], *_not(1, _TIOCSTI, _TIOCLINUX))
    yield from _for(calls["sendto"], *_only_null(4))
    yield from _for(calls["prlimit64"], *_only_null(2))
    if files:
        for name, argument in (("openat", 2), ("open", 1)):
            if name in calls:
                yield from _for(calls[name], *_unless_no_bit(argument, _WRITING))
    yield _do(_RETURN, _ALLOW)


def _do(code: int, value: int) -> bytes:
    return struct.pack("=HBBI", code, 0, 0, value)


def _if(code: int, value: int, then: int, otherwise: int) -> bytes:
    """Compare; skip so many instructions."""
    return struct.pack("=HBBI", code, then, otherwise, value)


def _for(number: int, *block: bytes) -> tuple[bytes, ...]:
    """Do a block, which must end with a return, for one system call alone."""
    return (_if(_EQUAL, number, 0, len(block)), *block)


def _argument(position: int, high: bool = False) -> bytes:
    return _do(_LOAD, _ARGUMENTS + 8 * position + (4 if high else 0))


def _unless_bit(position: int, bits: int) -> tuple[bytes, ...]:
    return _argument(position), _if(_ANY_BIT, bits, 1, 0), _do(_RETURN, _REFUSE), _do(_RETURN, _ALLOW)


def _unless_no_bit(position: int, bits: int) -> tuple[bytes, ...]:
    return _argument(position), _if(_ANY_BIT, bits, 0, 1), _do(_RETURN, _REFUSE), _do(_RETURN, _ALLOW)


def _only(position: int, *values: int) -> tuple[bytes, ...]:
    tests = [_if(_EQUAL, value, len(values) - index, 0) for index, value in enumerate(values)]
    return _argument(position), *tests, _do(_RETURN, _REFUSE), _do(_RETURN, _ALLOW)


def _not(position: int, *values: int) -> tuple[bytes, ...]:
    tests = [_if(_EQUAL, value, len(values) - index, 0) for index, value in enumerate(values)]
    return _argument(position), *tests, _do(_RETURN, _ALLOW), _do(_RETURN, _REFUSE)


def _only_null(position: int) -> tuple[bytes, ...]:
    """Allow if a pointer is null."""
    low, high = _argument(position), _argument(position, high=True)
    return low, _if(_EQUAL, 0, 0, 2), high, _if(_EQUAL, 0, 1, 0), _do(_RETURN, _REFUSE), _do(_RETURN, _ALLOW)


def _seccomp_number() -> int:
    return 317 if os.uname().machine == "x86_64" else 277
