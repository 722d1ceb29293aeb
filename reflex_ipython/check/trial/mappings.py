"""Shared memory: numpy.memmap, shared_memory, multiprocessing's values, SQLite's write-ahead log.

A fork shares it with its parent, for reading and for writing. Each shared mapping becomes a private one at the same
address: small ones are copied, so that the copy is frozen too; large ones of a file are mapped anew from the file.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from dataclasses import dataclass

from reflex_ipython.check.trial import libc

COPIED = 64 << 20
"""Bytes up to which a mapping is copied."""

_ANONYMOUS, _PRIVATE, _FIXED = mmap.MAP_ANONYMOUS, mmap.MAP_PRIVATE, 0x10
_PAGE = mmap.PAGESIZE


@dataclass(frozen=True)
class Mapping:
    """A line of /proc/self/maps."""

    start: int
    end: int
    protection: int
    offset: int
    path: str

    @property
    def size(self) -> int:
        """In bytes."""
        return self.end - self.start


class NotDetached(OSError):
    """A shared mapping can't be made private; the text says why."""


def detach(maps: list[str]) -> list[Mapping]:
    """Make every shared mapping of this process private.

    Parameters
    ----------
    maps : list of str
        Its `lines`.

    Returns
    -------
    list of Mapping
        As they were.

    Raises
    ------
    NotDetached
        If one can't be: then nothing may be run.
    """
    found = [_parsed(line) for line in maps if line.split(None, 2)[1][3] == "s"]
    for mapping in found:
        _make_private(mapping)
    return found


def libraries(maps: list[str]) -> frozenset[str]:
    """The paths of the shared libraries that a process with these `lines` has loaded."""
    return frozenset(line.split(None, 5)[5].rstrip("\n") for line in maps if ".so" in line)


def lines() -> list[str]:
    """All mappings of this process, as /proc says: the system takes 1-2 ms to tell of 800."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        return list(maps)


def _parsed(line: str) -> Mapping:
    addresses, permissions, offset, _, _, *rest = line.rstrip("\n").split(None, 5)
    start, end = (int(number, 16) for number in addresses.split("-"))
    bits = {"r": mmap.PROT_READ, "w": mmap.PROT_WRITE, "x": mmap.PROT_EXEC}
    protection = sum(bits.get(letter, 0) for letter in permissions[:3])
    return Mapping(start, end, protection, int(offset, 16), rest[0] if rest else "")


def _make_private(mapping: Mapping) -> None:
    try:
        if mapping.size > COPIED:
            _map_file(mapping)
        else:
            _map_copy(mapping)
    except OSError as error:
        name = mapping.path.removesuffix(" (deleted)") or "anonymous memory"
        raise NotDetached(
            error.errno, f"{mapping.size / (1 << 20):,.0f} MB of shared memory can't be copied ({name})"
        ) from error


def _map_file(mapping: Mapping) -> None:
    """The file's content, privately. Pages that nobody has touched here still follow the file."""
    fd = os.open(mapping.path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        libc.mmap(mapping.start, mapping.size, mapping.protection, _PRIVATE | _FIXED, fd, mapping.offset)
    finally:
        os.close(fd)


def _map_copy(mapping: Mapping) -> None:
    copy = libc.mmap(0, mapping.size, mmap.PROT_READ | mmap.PROT_WRITE, _PRIVATE | _ANONYMOUS)
    if mapping.protection & mmap.PROT_READ:
        _read(mapping, copy)
    libc.protect(copy, mapping.size, mapping.protection)
    libc.move_mapping(copy, mapping.size, mapping.start)


def _read(mapping: Mapping, copy: int) -> None:
    """Read what is mapped. Through /proc, since a plain read beyond a file's end would kill the process."""
    target = memoryview((ctypes.c_char * mapping.size).from_address(copy)).cast("B")
    memory = os.open("/proc/self/mem", os.O_RDONLY | os.O_CLOEXEC)
    try:
        for offset in range(0, mapping.size, _PAGE * 256):
            piece = target[offset : offset + _PAGE * 256]
            if _read_at(memory, piece, mapping.start + offset) < len(piece):
                for page in range(0, len(piece), _PAGE):
                    _read_at(memory, piece[page : page + _PAGE], mapping.start + offset + page)
    finally:
        os.close(memory)


def _read_at(memory: int, into: memoryview, address: int) -> int:
    try:
        return os.preadv(memory, [into], address)
    except OSError:  # beyond the file's end: it reads as zeros
        return 0
