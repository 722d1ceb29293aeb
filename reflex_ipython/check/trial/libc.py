"""The few system calls that Python does not offer, through the C library."""

from __future__ import annotations

import ctypes
import functools
import os
from typing import Any

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38


@functools.lru_cache(maxsize=None)
def libc() -> Any:
    """The C library. Not at import, since it can't be opened in this way on every system."""
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    library.mmap.restype = ctypes.c_void_p
    library.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    library.mremap.restype = ctypes.c_void_p
    library.mremap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p]
    library.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    library.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    return library


def prctl(option: int, value: Any = 0, pointer: Any = 0) -> None:
    """Change a property of this process or thread.

    Raises
    ------
    OSError
        If the kernel refuses.
    """
    if libc().prctl(option, value, pointer, 0, 0):
        raise _error()


def syscall(number: int, *arguments: Any) -> int:
    """Call the kernel by number; pointers and sizes are passed as they are.

    Raises
    ------
    OSError
        If the kernel refuses.
    """
    result = int(libc().syscall(ctypes.c_long(number), *arguments))
    if result < 0:
        raise _error()
    return result


def mmap(address: int, size: int, protection: int, flags: int, fd: int = -1, offset: int = 0) -> int:
    """Map memory, as mmap(2).

    Raises
    ------
    OSError
        If the kernel refuses.
    """
    return _mapped(libc().mmap(address or None, size, protection, flags, fd, offset))


def move_mapping(source: int, size: int, target: int) -> None:
    """Put a mapping into another one's place, as mremap(2) does with MREMAP_FIXED.

    Raises
    ------
    OSError
        If the kernel refuses.
    """
    _mapped(libc().mremap(source, size, size, 3, target))


def protect(address: int, size: int, protection: int) -> None:
    """Set what may be done with some pages, as mprotect(2).

    Raises
    ------
    OSError
        If the kernel refuses.
    """
    if libc().mprotect(address, size, protection):
        raise _error()


def _mapped(address: int | None) -> int:
    if address is None or address == ctypes.c_void_p(-1).value:
        raise _error()
    return address


def _error() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))
