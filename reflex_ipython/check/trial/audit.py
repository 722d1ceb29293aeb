"""What a trial wants to touch outside, in words, by Python's audit events. Landlock and seccomp do the shutting in."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import socket
import stat
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from reflex_ipython.check.trial import events, integrity, introspection, testimony
from reflex_ipython.check.trial.channel import Send
from reflex_ipython.check.trial.origins import Origin
from reflex_ipython.check.trial.process import signalled
from reflex_ipython.models import Access

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_HARMLESS = {"null", "zero", "full", "random", "urandom", "tty"}  # in /dev
_O_PATH = getattr(os, "O_PATH", 0)
_LOCKING = (fcntl.F_SETLK, fcntl.F_SETLKW, 37, 38)  # the last two: F_OFD_SETLK and F_OFD_SETLKW of `linux/fcntl.h`
_MOST = 50  # accesses recorded
_LONGEST = 200  # characters of one

Kind = str
_Arguments = tuple[Any, ...]


class Blocked(PermissionError):
    """A trial was not allowed to touch something. To the code it is the operating system's refusal."""


class AccessWatch:
    """Records what is wanted, and refuses it before the operating system does.

    Parameters
    ----------
    scratch : str or None
        The folder where files may be changed; None: there is none.
    origins : mapping of int to Origin
        What was open before the copy, by the descriptors' numbers.
    files : iterable of str
        More files and folders that may be changed.
    network : bool
        Whether new connections may be opened.
    """

    def __init__(
        self, scratch: str | None, origins: Mapping[int, Origin], files: Iterable[str] = (), *, network: bool = False
    ) -> None:
        self.accesses: list[Access] = []
        self.databases = 0
        self._places = [os.path.realpath(path) for path in (*files, *([scratch] if scratch else []))]
        self._network = network
        self._origins = origins
        self._busy = False
        self._noticed: set[str] = set()

    @contextlib.contextmanager
    def refusing(self) -> Iterator[None]:
        """Refuse what a trial is refused, and tell nobody: it has not begun. Another watch is for the trial itself."""
        on = [True]  # whoever finds it later can have more refused, not less

        def hear(event: str, arguments: _Arguments) -> None:
            if not on or self._busy or event not in _EVENTS:
                return
            self._busy = True
            try:
                wanted = self._wanted(event, arguments)
            finally:
                self._busy = False
            if wanted is not None:
                raise _refusal(wanted[1])

        sys.addaudithook(hear)
        try:
            yield
        finally:
            on.clear()

    def start(self, send: Send) -> None:
        """Watch this process, for good.

        Parameters
        ----------
        send : callable
            Takes what is seen, at once: by the end, the cell's code could have it forgotten.
        """
        hook = self._hook

        def hear(event: str, arguments: _Arguments) -> None:  # in no object, so that only the interpreter leads here
            if not testimony.pass_on(event, arguments, send):
                hook(event, arguments)

        sys.addaudithook(hear)

    def refuse(self, kind: Any, text: str) -> Blocked:
        """Record an access; the exception that stands for its refusal."""
        access = Access(kind, text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")
        if access not in self.accesses and len(self.accesses) < _MOST:
            self.accesses.append(access)
            events.tell("access", kind, access.text)
        return _refusal(access.text)

    def _hook(self, event: str, arguments: _Arguments) -> None:
        if self._busy:
            return
        self._busy = True  # what is done in here is nobody's wish
        try:
            wanted = self._wanted(event, arguments)
            self._notice(introspection.seen(event, arguments))
            if words := integrity.attacked(event, arguments):
                events.tell("tampered", words)
        finally:
            self._busy = False
        if wanted is not None:
            raise self.refuse(*wanted)

    def _wanted(self, event: str, arguments: _Arguments) -> tuple[Kind, str] | None:
        """What an event wants that is to be refused."""
        wanted = _EVENTS[event](self, arguments) if event in _EVENTS else None
        return None if wanted is not None and wanted[0] == "network" and self._network else wanted

    def _notice(self, words: str) -> None:
        if words and words not in self._noticed:
            self._noticed.add(words)
            events.tell("effect", words)

    # ---- each gives None for what is allowed, else the kind and the words

    def _open(self, arguments: _Arguments) -> tuple[Kind, str] | None:
        path, _, flags = arguments
        if not isinstance(flags, int) or isinstance(path, int):
            return None
        return self._change("write to", path) if flags & _WRITING else self._consume(path, flags)

    def _consume(self, path: Any, flags: int) -> tuple[Kind, str] | None:
        """Pipes and devices: who opens one to read wakes up the other side, and what was read is gone."""
        if flags & _O_PATH or self._is_ours(os.fsdecode(path)):
            return None
        try:
            mode = os.stat(path).st_mode
        except (OSError, ValueError):  # it fails by itself, as it would for real
            return None
        device = stat.S_ISCHR(mode) and os.path.basename(os.fsdecode(path)) not in _HARMLESS
        return ("file", f"read from {os.fsdecode(path)}") if stat.S_ISFIFO(mode) or device else None

    def _change(self, verb: str, path: Any) -> tuple[Kind, str] | None:
        if isinstance(path, int):  # a descriptor: it is the copy's own by now
            return None
        name = os.fsdecode(path) if isinstance(path, (str, bytes, os.PathLike)) else "a file"
        return None if self._is_ours(name) else ("file", f"{verb} {name}")

    def _is_ours(self, name: str) -> bool:
        if name == os.devnull:
            return True
        folder, last = os.path.split(os.path.abspath(name))
        place = os.path.join(os.path.realpath(folder), last)  # a link is changed itself, not what it leads to
        return any(place == ours or place.startswith(ours + os.sep) for ours in self._places)

    def _make_folder(self, arguments: _Arguments) -> tuple[Kind, str] | None:
        if os.path.isdir(_full(arguments[0], arguments[-1])):
            return None  # it fails by itself, as it would for real
        return self._change("make the folder", _full(arguments[0], arguments[-1]))

    def _move(self, arguments: _Arguments) -> tuple[Kind, str] | None:
        source, target = (os.fsdecode(path) for path in arguments[:2])
        ours = self._is_ours(source) and self._is_ours(target)
        return None if ours else ("file", f"move {source} to {target}")

    def _create_socket(self, arguments: _Arguments) -> tuple[Kind, str] | None:
        family = arguments[1] if len(arguments) > 1 else None
        local = family in (socket.AF_UNIX, -1)
        return None if local else ("network", "open a network connection")

    def _reach(self, arguments: _Arguments) -> tuple[Kind, str] | None:
        if arguments[1] is None:
            return None  # to whom it is connected already: the other end of its own pair
        return "network", f"connect to {_address(arguments[1])}"

    def _offer(self, arguments: _Arguments) -> tuple[Kind, str] | None:
        return "network", f"listen on {_address(arguments[1])}"

    def _look_up(self, arguments: _Arguments) -> tuple[Kind, str] | None:
        host, port = arguments[0], arguments[1] if len(arguments) > 1 else None
        if isinstance(host, bytes):
            host = host.decode("ascii", "replace")
        return "network", f"connect to {host}:{port}" if port else f"look up the address of {host}"

    def _spawn(self, arguments: _Arguments) -> tuple[Kind, str] | None:
        command = arguments[1] if len(arguments) > 1 else arguments[0]
        words = command if isinstance(command, (list, tuple)) else [command]
        return "process", f"start a process: {' '.join(_word(word) for word in words)}"

    def _system(self, arguments: _Arguments) -> tuple[Kind, str] | None:
        return "process", f"start a process: {_word(arguments[0])}"

    def _fork(self, arguments: _Arguments) -> tuple[Kind, str] | None:
        return "process", "start a process"

    def _signal(self, arguments: _Arguments) -> tuple[Kind, str] | None:
        pid, number = arguments
        return None if pid == os.getpid() else ("signal", signalled(abs(pid), number))

    def _lock(self, arguments: _Arguments) -> tuple[Kind, str] | None:
        """Nobody else sees the lock of a stand-in; for real, others would wait."""
        fd, operation = arguments[:2]
        origin = self._origins.get(fd)
        if origin is not None and not operation & fcntl.LOCK_UN:
            self._notice(f"locks {origin.name}")
        return None

    def _control(self, arguments: _Arguments) -> tuple[Kind, str] | None:
        """The same by `fcntl.fcntl`, whose locks are structures."""
        fd, command, value = arguments[:3]
        kind = struct.unpack_from("h", value)[0] if type(value) is bytes and len(value) >= 2 else fcntl.F_UNLCK
        return self._lock((fd, fcntl.LOCK_UN if kind == fcntl.F_UNLCK else 0)) if command in _LOCKING else None

    def _database(self, arguments: _Arguments) -> tuple[Kind, str] | None:
        self.databases += 1  # SQLite itself finds out whether it needs to write
        return None


def _refusal(text: str) -> Blocked:
    return Blocked(errno.EACCES, f"not in a trial: {text}")


def _on_path(verb: str) -> Callable[[AccessWatch, _Arguments], tuple[Kind, str] | None]:
    return lambda watch, arguments: watch._change(verb, arguments[0])


def _in_folder(verb: str) -> Callable[[AccessWatch, _Arguments], tuple[Kind, str] | None]:
    """For the events whose last argument is the descriptor of the folder that a path is relative to, or -1."""
    return lambda watch, arguments: watch._change(verb, _full(arguments[0], arguments[-1]))


def _full(path: Any, folder: Any) -> Any:
    if isinstance(folder, int) and folder >= 0 and isinstance(path, (str, bytes)):
        return os.path.join(os.readlink(f"/proc/self/fd/{folder}"), os.fsdecode(path))
    return path


def _address(address: Any) -> str:
    if isinstance(address, tuple) and len(address) >= 2:
        return f"{address[0]}:{address[1]}"
    return _word(address)


def _word(value: Any) -> str:
    return os.fsdecode(value) if isinstance(value, (str, bytes, os.PathLike)) else type(value).__name__


_EVENTS: dict[str, Callable[[AccessWatch, _Arguments], tuple[Kind, str] | None]] = {
    "open": AccessWatch._open,
    "os.mkdir": AccessWatch._make_folder,
    "os.remove": _in_folder("delete"),
    "os.rmdir": _in_folder("delete"),
    "shutil.rmtree": _on_path("delete all of"),
    "os.truncate": _on_path("shorten"),
    "os.chmod": _on_path("change the permissions of"),
    "os.chown": _on_path("change the owner of"),
    "os.chflags": _on_path("change the flags of"),
    "os.utime": _on_path("change the times of"),
    "os.setxattr": _on_path("change the attributes of"),
    "os.removexattr": _on_path("change the attributes of"),
    "os.rename": AccessWatch._move,
    "os.link": AccessWatch._move,
    "os.symlink": AccessWatch._move,
    "socket.__new__": AccessWatch._create_socket,
    "socket.connect": AccessWatch._reach,
    "socket.sendto": AccessWatch._reach,
    "socket.sendmsg": AccessWatch._reach,
    "socket.bind": AccessWatch._offer,
    "socket.getaddrinfo": AccessWatch._look_up,
    "socket.gethostbyname": AccessWatch._look_up,
    "socket.gethostbyaddr": AccessWatch._look_up,
    "subprocess.Popen": AccessWatch._spawn,
    "os.posix_spawn": AccessWatch._spawn,
    "os.spawn": AccessWatch._spawn,
    "os.exec": AccessWatch._spawn,
    "os.system": AccessWatch._system,
    "os.fork": AccessWatch._fork,
    "os.forkpty": AccessWatch._fork,
    "pty.spawn": AccessWatch._system,
    "os.kill": AccessWatch._signal,
    "os.killpg": AccessWatch._signal,
    "fcntl.fcntl": AccessWatch._control,
    "fcntl.flock": AccessWatch._lock,
    "fcntl.lockf": AccessWatch._lock,
    "sqlite3.connect": AccessWatch._database,
}
"""By the event's name, as Python's documentation lists them."""
