"""Files that the cell opens, asked about one by one: no pipe with a name and no device, whatever code opens it.

Who opens a pipe to read wakes up whoever writes to it, and what was read is gone. Landlock tells files by their folders
and a filter sees numbers: neither can tell a pipe from a file. Python's own events come without the folder that a path
is relative to, and code in C has none. So the kernel hands each opening to the zygote first, which lets it go on, or
refuses it (`SECCOMP_RET_USER_NOTIF` in seccomp(2)).
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import re
import socket
import stat
import struct
from collections.abc import Iterator

from reflex_ipython.check.trial.libc import PR_SET_NO_NEW_PRIVS, prctl, syscall
from reflex_ipython.check.trial.system_calls import PROCESSORS, Processor

_NOTIFY, _ALLOW = 0x7FC00000, 0x7FFF0000
_SET_FILTER, _ACTION_AVAILABLE = 1, 2
_LISTENER = 1 | 8 | 16  # of all threads; with a descriptor to listen at; an error where a thread can't be included
_RECEIVE, _SEND = 0xC0502100, 0xC0182101  # ioctl: SECCOMP_IOCTL_NOTIF_RECV and _SEND
_QUESTION, _ANSWER = "=QII iIQ6Q", "=QqiI"  # struct seccomp_notif and seccomp_notif_resp of `linux/seccomp.h`
_CONTINUE = 1
_AT_FDCWD = 0xFFFFFF9C
_LONGEST = 4096  # bytes of a path
_LINKS = 40  # followed at most, as in path_resolution(7)
_MAGIC = re.compile(r"/proc/\d+(/task/\d+)?/(cwd|root|exe|fd/\d+)")
_OWN_PIPE = re.compile(r"(/task/\d+)?/fd/pipe:")
_HARMLESS = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"}


def offered(known: Processor) -> bool:
    """Whether the kernel hands system calls to somebody else.

    Parameters
    ----------
    known : Processor
    """
    try:
        syscall(
            known.seccomp, ctypes.c_uint(_ACTION_AVAILABLE), ctypes.c_uint(0), ctypes.byref(ctypes.c_uint32(_NOTIFY))
        )
    except OSError:
        return False
    return True


def hand_over(known: Processor, line: int) -> None:
    """From now on, for good, have every opening of this process asked about. In the candidate.

    Nothing changes where the kernel can't.

    Parameters
    ----------
    known : Processor
    line : int
        A socket, to the one who is to be asked; it is closed.
    """
    with socket.socket(fileno=line) as one, contextlib.suppress(OSError):
        code = b"".join(_program(known))
        buffer = ctypes.create_string_buffer(code, len(code))
        pointer = ctypes.cast(buffer, ctypes.c_void_p).value
        header = ctypes.create_string_buffer(struct.pack("@HP", len(code) // 8, pointer))
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        listener = syscall(known.seccomp, ctypes.c_uint(_SET_FILTER), ctypes.c_uint(_LISTENER), ctypes.byref(header))
        try:
            socket.send_fds(one, [b"."], [listener])
        finally:
            os.close(listener)


def _program(known: Processor) -> Iterator[bytes]:
    """A filter that allows all but the openings: what else is refused is another one's matter."""
    numbers = [known.calls[name] for name in ("open", "openat") if name in known.calls]
    yield struct.pack("=HBBI", 0x20, 0, 0, 0)  # load the number
    for position, number in enumerate(numbers):
        yield struct.pack("=HBBI", 0x15, len(numbers) - position, 0, number)
    yield struct.pack("=HBBI", 0x06, 0, 0, _ALLOW)
    yield struct.pack("=HBBI", 0x06, 0, 0, _NOTIFY)


class Openings:
    """The one who is asked, in the zygote.

    Parameters
    ----------
    pid : int
        The candidate.
    line : int
        The other end of the candidate's socket. It is closed, as is what comes out of it, by `close`.
    scratch : str
        The folder where pipes may be opened.
    """

    def __init__(self, pid: int, line: int, scratch: str) -> None:
        self.refused: list[str] = []
        """In words that follow "wants to", each once."""
        self._pid = pid
        self._line = socket.socket(fileno=line)
        self._scratch = os.path.realpath(scratch)
        known = PROCESSORS.get(os.uname().machine)
        self._at = known.calls["openat"] if known is not None else -1
        self._listener = self._memory = -1

    @property
    def descriptor(self) -> int:
        """Where a question can be read; -1: none will come."""
        return self._listener if self._listener >= 0 else self._line.fileno()

    def answer(self) -> None:
        """One question, which is there; or take what they come from."""
        if self._listener < 0:
            self._take()
            return
        question = bytearray(struct.calcsize(_QUESTION))
        try:
            fcntl.ioctl(self._listener, _RECEIVE, question)
        except OSError as error:
            if error.errno != errno.ENOENT:  # who asked was interrupted, and asks again
                self.close()
            return
        number, thread, _, call, _, _, *arguments = struct.unpack(_QUESTION, question)
        refused = self._is_refused(thread, call == self._at, arguments)
        reply = struct.pack(_ANSWER, number, 0, -errno.EACCES if refused else 0, 0 if refused else _CONTINUE)
        with contextlib.suppress(OSError):  # who asked has ended
            fcntl.ioctl(self._listener, _SEND, reply)

    def close(self) -> None:
        """No more questions: who asks is told that there is no such call."""
        self._line.close()
        for fd in (self._listener, self._memory):
            if fd >= 0:
                os.close(fd)
        self._listener = self._memory = -1

    def _take(self) -> None:
        try:
            _, found, _, _ = socket.recv_fds(self._line, 1, 1)
            self._memory = os.open(f"/proc/{self._pid}/mem", os.O_RDONLY | os.O_CLOEXEC) if found else -1
        except OSError:
            found = []
        if found:
            self._listener = found[0]
        self._line.close()

    def _is_refused(self, thread: int, at: bool, arguments: list[int]) -> bool:
        folder, address, flags = arguments[:3] if at else (_AT_FDCWD, *arguments[:2])
        if flags & os.O_PATH:
            return False
        path = self._read(address)
        place = self._place(path, folder & 0xFFFFFFFF, thread)
        try:
            status = os.stat(place)
        except (OSError, ValueError):  # it fails by itself, as it would for real
            return False
        special = stat.S_ISFIFO(status.st_mode) or stat.S_ISCHR(status.st_mode)
        if not special or not self._is_others(place, status):
            return False
        words = f"{'write to' if flags & os.O_ACCMODE else 'read from'} {path}"
        if words not in self.refused:
            self.refused.append(words)
        return True

    def _is_others(self, place: str, status: os.stat_result) -> bool:
        """Whether it is a pipe or a device of somebody else's: the cell's own have no names, or are in its folder."""
        try:
            leads_to = os.path.realpath(place)  # of a descriptor's number, what is open there
        except OSError:  # its folder has no name, or one that is too long
            return True
        if stat.S_ISCHR(status.st_mode):
            return leads_to not in _HARMLESS
        process, _, rest = leads_to.partition(f"/proc/{self._pid}")
        own = leads_to.startswith(self._scratch + os.sep) or (not process and _OWN_PIPE.match(rest))
        return not own

    def _read(self, address: int) -> str:
        """The text at an address of the candidate's; empty if there is none."""
        data = b""
        try:
            while b"\0" not in data and len(data) < _LONGEST:
                room = 4096 - (address + len(data)) % 4096  # up to the page's end: the next one may not be there
                piece = os.pread(self._memory, room, address + len(data))
                if not piece:
                    break
                data += piece
        except (OSError, OverflowError):
            return ""
        return os.fsdecode(data.partition(b"\0")[0])

    def _place(self, path: str, folder: int, thread: int) -> str:
        """Where a path leads to from there: links are followed as that process sees them, /proc/self above all."""
        base = f"/proc/{self._pid}/" + ("cwd" if folder == _AT_FDCWD else f"fd/{folder}")
        waiting = [*reversed((path if path.startswith("/") else f"{base}/{path}").split("/"))]
        own = {"/proc/self": f"{self._pid}", "/proc/thread-self": f"{self._pid}/task/{thread}"}
        place, links = "", 0
        while waiting:
            name = waiting.pop()
            if name in ("", "."):
                continue
            if name == ".." and not _MAGIC.search(place):
                place = os.path.dirname(place).rstrip("/")
                continue
            here = f"{place}/{name}"
            target = own.get(here) or ("" if _MAGIC.fullmatch(here) or name == ".." else _link(here))
            if not target:
                place = here
                continue
            links += 1
            if links > _LINKS:
                break
            if target.startswith("/"):
                place = ""
            waiting.extend(reversed(target.split("/")))
        return place or "/"


def _link(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return ""
