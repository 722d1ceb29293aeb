"""What a cell does to the world outside its namespace, seen by an audit hook.

An audit hook can't be removed. One is added in a process, when the first cell is watched; it costs one look at a
variable for each event while nobody watches. What C libraries do by themselves (HDF5, a database's own client) is not
seen; the objects that stand for such things are named by the journal.
"""

from __future__ import annotations

import dataclasses
import os
import sys
import threading
from collections.abc import Callable
from typing import Any


@dataclasses.dataclass(frozen=True)
class Effect:
    """Something that was done outside the namespace.

    Parameters
    ----------
    kind : str
        "file", "folder", "process", "network", "database", "thread", "task", "signal", or "import".
    text : str
        In words, past tense: `wrote out.csv`.
    """

    kind: str
    text: str

    @property
    def harmless(self) -> bool:
        """Whether nobody minds if it happens twice, or is not undone: an import is one once and for all."""
        return self.kind == "import"


STARTED_THREAD = Effect("thread", "started a thread")

Sink = Callable[[Effect], None]
Folders = Callable[[], tuple[str, ...]]

_MOST = 200
"""Effects told of in one watch; a loop that writes 10,000 files is told of well enough by then."""


class _Watch:
    """Who is watching, on which thread."""

    def __init__(self, sink: Sink, own_folders: Folders) -> None:
        self._sink = sink
        self._own_folders = own_folders
        self._thread = threading.get_ident()
        self._told: set[Effect] = set()

    def event(self, name: str, args: tuple[Any, ...]) -> None:
        if name not in _EVENTS or threading.get_ident() != self._thread or len(self._told) >= _MOST:
            return
        try:
            effect = self._effect(name, args)
        except Exception:  # noqa: BLE001 - an error in here would break the user's call
            effect = Effect("other", name)
        if effect is not None and effect not in self._told:
            self._told.add(effect)
            self._sink(effect)

    def _effect(self, name: str, args: tuple[Any, ...]) -> Effect | None:
        effect = _EVENTS[name](args)
        if effect is None or effect in self._told or self._own(args):
            return None
        return effect if effect.harmless or not _importing() else None

    def _own(self, args: tuple[Any, ...]) -> bool:
        """Whether it is about a file in one of those folders. Some events, `os.forkpty`, come without arguments."""
        return bool(args) and type(args[0]) is str and args[0].startswith(self._own_folders())


def _importing() -> bool:
    """Whether a module is being imported: what it does by then it does once and for all, as the import itself."""
    frame = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back  # type: ignore[assignment]  # None ends the loop
    return False


_watch: _Watch | None = None
_installed = False


def watch(sink: Sink, own_folders: Folders = tuple) -> Callable[[], None]:
    """Tell `sink` of each effect that happens on this thread from now on; call what is returned to stop.

    Parameters
    ----------
    sink : callable
    own_folders : callable
        Gives folders; files below these are the shell's own business: its history, its directory stack.
    """
    global _watch, _installed
    if not _installed:
        _installed = True
        sys.addaudithook(_hook)
    mine = _watch = _Watch(sink, own_folders)

    def stop() -> None:
        global _watch
        if _watch is mine:
            _watch = None

    return stop


def _hook(event: str, args: tuple[Any, ...]) -> None:
    watching = _watch
    if watching is not None:
        watching.event(event, args)


# ------------------------------------------------------------------------------------------ events

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_NO_FILES = (os.devnull, "/dev/tty", "/dev/ptmx")


def _shown(path: Any) -> str:
    if type(path) is not str and type(path) is not bytes:  # what it says of itself would be the user's code
        return f"file descriptor {path}" if type(path) is int else "a file"
    name = os.fsdecode(path)
    here = os.path.join(os.getcwd(), "")
    return name[len(here) :] if name.startswith(here) else name


def _open(args: tuple[Any, ...]) -> Effect | None:
    path, mode, flags = args
    if type(path) is int or not (flags & _WRITING if isinstance(flags, int) and flags else _write_mode(mode)):
        return None
    name = _shown(path)
    return None if name in _NO_FILES or "__pycache__" in name else Effect("file", f"wrote {name}")


def _write_mode(mode: Any) -> bool:
    return isinstance(mode, str) and not set(mode).isdisjoint("wax+")


def _made_folder(args: tuple[Any, ...]) -> Effect | None:
    return None if os.path.isdir(args[0]) else Effect("folder", f"made {_shown(args[0])}")  # `exist_ok=True`


def _one(kind: str, verb: str) -> Callable[[tuple[Any, ...]], Effect | None]:
    def describe(args: tuple[Any, ...]) -> Effect | None:
        name = _shown(args[0])
        return None if "__pycache__" in name else Effect(kind, f"{verb} {name}")

    return describe


def _two(kind: str, verb: str) -> Callable[[tuple[Any, ...]], Effect | None]:
    def describe(args: tuple[Any, ...]) -> Effect | None:
        some, other = _shown(args[0]), _shown(args[1])
        return None if "__pycache__" in other else Effect(kind, f"{verb} {some} to {other}")

    return describe


def _process(args: tuple[Any, ...]) -> Effect:
    command = args[1] if len(args) > 1 and args[1] else args[0]
    words = [os.fsdecode(word) for word in command] if isinstance(command, (list, tuple)) else [_shown(command)]
    text = " ".join(words)
    return Effect("process", f"ran `{text[:80]}{'…' if len(text) > 80 else ''}`")


def _fixed(kind: str, text: str) -> Callable[[tuple[Any, ...]], Effect]:
    return lambda args: Effect(kind, text)


def _connect(args: tuple[Any, ...]) -> Effect:
    address = args[1]
    place = f"{address[0]}:{address[1]}" if isinstance(address, tuple) else _shown(address)
    return Effect("network", f"connected to {place}")


def _send(args: tuple[Any, ...]) -> Effect:
    return Effect("network", f"sent to {args[1][0]}:{args[1][1]}" if isinstance(args[1], tuple) else "sent a message")


def _import(args: tuple[Any, ...]) -> Effect | None:
    name = str(args[0])
    return Effect("import", f"imported {name}") if "." not in name and name not in sys.modules else None


def _database(args: tuple[Any, ...]) -> Effect | None:
    name = _shown(args[0])
    return None if name == ":memory:" else Effect("database", f"opened the database {name}")


_EVENTS: dict[str, Callable[[tuple[Any, ...]], Effect | None]] = {
    "open": _open,
    "os.remove": _one("file", "removed"),
    "os.rmdir": _one("folder", "removed"),
    "os.mkdir": _made_folder,
    "os.truncate": _one("file", "truncated"),
    "os.chmod": _one("file", "changed the mode of"),
    "os.chown": _one("file", "changed the owner of"),
    "os.rename": _two("file", "moved"),
    "os.link": _two("file", "linked"),
    "os.symlink": _two("file", "linked"),
    "shutil.rmtree": _one("folder", "removed"),
    "shutil.move": _two("file", "moved"),
    "shutil.copyfile": _two("file", "copied"),
    "subprocess.Popen": _process,
    "os.system": lambda args: _process((args[0],)),
    "os.posix_spawn": _process,
    "os.spawn": lambda args: _process((args[1], args[2])),
    "os.exec": _process,
    "os.fork": _fixed("process", "started a process"),
    "os.forkpty": _fixed("process", "started a process"),
    "os.startfile": _one("process", "opened"),
    "os.kill": lambda args: Effect("signal", f"sent signal {args[1]} to process {args[0]}"),
    "os.killpg": lambda args: Effect("signal", f"sent signal {args[1]} to process group {args[0]}"),
    "socket.connect": _connect,
    "socket.bind": _fixed("network", "opened a port"),
    "socket.sendto": _send,
    "socket.sendmsg": _send,
    "smtplib.send": _fixed("network", "sent mail"),
    "ftplib.sendcmd": _fixed("network", "sent an FTP command"),
    "webbrowser.open": _one("process", "opened in the browser:"),
    "sqlite3.connect": _database,
    "_thread.start_new_thread": lambda args: STARTED_THREAD,
    "_thread.start_joinable_thread": lambda args: STARTED_THREAD,
    "import": _import,
}
