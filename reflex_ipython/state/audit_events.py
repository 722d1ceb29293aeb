"""Which audit events are effects, and what they are called."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from importlib.util import source_from_cache
from types import FrameType, MethodType
from typing import Any

from reflex_ipython.base.library_files import is_library
from reflex_ipython.state.commands import changes_nothing, shown_command
from reflex_ipython.state.effect import STARTED_THREAD, WORKERS, OutsideEffect
from reflex_ipython.state.user_code import owned_module, owned_namespace

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_OURS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")
_IMPORT = "<frozen importlib"
"""How the files are called in which Python imports."""
_NO_FILES = (os.devnull, "/dev/tty", "/dev/ptmx")
_TICK = 50_000_000  # nanoseconds: systems note the times of files more coarsely than they run
_POOLS = ("multiprocessing.pool", "concurrent.futures.process", "joblib.")
_Describe = Callable[[tuple[Any, ...]], OutsideEffect | None]


def _full(path: Any, folder: Any = -1) -> str:
    """The whole path, of a name in the folder that a descriptor stands for as well; empty if it can't be told."""
    if type(path) is not str and type(path) is not bytes:
        return ""
    name = os.fsdecode(path)
    if os.path.isabs(name) or type(folder) is not int or folder < 0:
        return os.path.abspath(name)
    try:
        return os.path.join(os.readlink(f"/proc/self/fd/{folder}"), name)
    except OSError:  # no Linux
        return ""


def _shown(path: Any, folder: Any = -1) -> str:
    if type(path) is not str and type(path) is not bytes:  # what it says of itself would be the user's code
        return f"file descriptor {path}" if type(path) is int else "a file"
    name = (_full(path, folder) if type(folder) is int and folder >= 0 else "") or os.fsdecode(path)
    here = os.path.join(os.getcwd(), "")
    return name[len(here) :] if name.startswith(here) else name


def _open(args: tuple[Any, ...]) -> OutsideEffect | None:
    path, mode, flags = args
    if type(path) is str and path.endswith((".py", ".pyc")) and (own := _own_source(path)):
        return OutsideEffect("import", f"imported {own}", loaded=own, script=_as_script())
    if type(path) is int or not (flags & _WRITING if isinstance(flags, int) and flags else _write_mode(mode)):
        return None
    name = _shown(path)
    if name in _NO_FILES or "__pycache__" in name:
        return None
    full = _full(path)
    if full and os.path.isdir(full):  # a temporary file without a name
        return None
    made = _if_new(full)
    begun = full if made or _empties(mode, flags) else ""
    return OutsideEffect("file", f"wrote {name}", made=made, begun=begun, over=_unwritten(full, mode, flags))


def _own_source(path: str) -> str:
    """The source of a module of the user's own that is imported or run just now; empty if it is none."""
    if is_library(path) or not _opened_by_import():
        return ""
    if path.endswith(".pyc"):
        try:
            path = source_from_cache(path)
        except (ValueError, NotImplementedError):
            return ""
    return os.path.abspath(path) if os.path.isfile(path) else ""  # it may be asked for where the cell has moved on


def _opened_by_import() -> bool:
    """Whether Python's import itself, or `runpy.run_path`, opens a file, rather than a module that it runs."""
    frame = _of_event()
    if frame is None:
        return False
    return frame.f_code.co_filename.startswith(_IMPORT) or frame.f_globals.get("__name__") == "runpy"


def _as_script() -> bool:
    """Whether `runpy` does so to run it as `__main__`."""
    frame = _of_event()
    while frame is not None and frame.f_code.co_filename.startswith(_IMPORT):
        frame = frame.f_back
    while frame is not None and frame.f_globals.get("__name__") == "runpy":
        if frame.f_locals.get("run_name") == "__main__":
            return True
        frame = frame.f_back
    return False


def _of_event() -> FrameType | None:
    """The frame of the code that an event is of."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_OURS):
        frame = frame.f_back
    return frame


def imports_library() -> bool:
    """Whether a library does it as it is imported, or Python as it imports: that happens once and for all.

    A module of the user's own is forgotten with its statement, and imported anew: what that does counts.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not _is_own(frame):
        if frame.f_code.co_filename.startswith(_IMPORT):
            return True
        frame = frame.f_back
    return False


def _is_own(frame: FrameType) -> bool:
    """Whether the user's own code runs in it; what a library has made of a text has no name, or that of the library."""
    names = frame.f_globals
    return "__name__" in names and not is_library(frame.f_code.co_filename) and owned_namespace(names)


def _unwritten(full: str, mode: Any, flags: Any) -> Callable[[], bool] | None:
    """Tells whether a file that was there, and is not emptied by opening it, is as it was and nobody has it open.

    None: it is another one in any case.
    """
    if _empties(mode, flags):
        return None
    try:
        before = os.stat(full)
    except (OSError, ValueError):
        return None
    if time.time_ns() - before.st_mtime_ns < _TICK:  # a write now might not show
        return None

    def over() -> bool:
        try:
            now = os.stat(full)
            links = [os.path.join("/proc/self/fd", fd) for fd in os.listdir("/proc/self/fd")]
        except OSError:  # it is gone, or this is no Linux
            return False
        same = (now.st_ino, now.st_size, now.st_mtime_ns) == (before.st_ino, before.st_size, before.st_mtime_ns)
        return same and not any(_leads_to(link, now) for link in links)

    return over


def _empties(mode: Any, flags: Any) -> bool:
    """Whether opening a file takes away what was in it."""
    return "w" in mode if isinstance(mode, str) else not isinstance(flags, int) or bool(flags & os.O_TRUNC)


def _leads_to(link: str, file: os.stat_result) -> bool:
    try:
        there = os.stat(link)
    except OSError:
        return False
    return (there.st_dev, there.st_ino) == (file.st_dev, file.st_ino)


def _write_mode(mode: Any) -> bool:
    return isinstance(mode, str) and not set(mode).isdisjoint("wax+")


def _if_new(path: str) -> str:
    return path if path and not os.path.lexists(path) else ""


def _made_folder(args: tuple[Any, ...]) -> OutsideEffect | None:
    folder = args[2] if len(args) > 2 else -1
    full = _full(args[0], folder)
    if os.path.isdir(full or args[0]):  # `exist_ok=True`
        return None
    return OutsideEffect("folder", f"made {_shown(args[0], folder)}", made=full)


def _removed(kind: str, text: str = "removed") -> _Describe:
    def describe(args: tuple[Any, ...]) -> OutsideEffect | None:
        folder = args[1] if len(args) > 1 else -1
        name = _shown(args[0], folder)
        return None if "__pycache__" in name else OutsideEffect(kind, f"{text} {name}", removed=_full(args[0], folder))

    return describe


def _one(kind: str, verb: str) -> _Describe:
    def describe(args: tuple[Any, ...]) -> OutsideEffect | None:
        name = _shown(args[0])
        return None if "__pycache__" in name else OutsideEffect(kind, f"{verb} {name}")

    return describe


def _two(kind: str, verb: str) -> _Describe:
    def describe(args: tuple[Any, ...]) -> OutsideEffect | None:
        some, other = _shown(args[0]), _shown(args[1])
        made = _if_new(_full(args[1]))
        return None if "__pycache__" in other else OutsideEffect(kind, f"{verb} {some} to {other}", made=made)

    return describe


def _moved(args: tuple[Any, ...]) -> OutsideEffect | None:
    """What was moved away is not where it was: that the goal is gone again does not make it harmless."""
    found = _two("file", "moved")(args)
    return OutsideEffect(found.kind, found.text) if found is not None else None


# ------------------------------------------------------------------------------------------ processes


def _process(args: tuple[Any, ...]) -> OutsideEffect | None:
    command = args[1] if len(args) > 1 and args[1] else args[0]
    words = [os.fsdecode(word) for word in command] if isinstance(command, (list, tuple)) else [_shown(command)]
    return _ran(words)


def _ran(words: list[str]) -> OutsideEffect | None:
    return None if changes_nothing(words) else OutsideEffect("process", f"ran `{shown_command(words)}`")


def _terminal(args: tuple[Any, ...]) -> OutsideEffect | None:
    """`!command` of a kernel: the event has no arguments, but IPython's function has."""
    frame = sys._getframe()
    while frame is not None:
        if frame.f_globals.get("__name__") == "IPython.utils._process_posix":
            command = frame.f_locals.get("cmd")
            if type(command) is str:
                return _ran([command])
        frame = frame.f_back  # type: ignore[assignment]  # None ends the loop
    return OutsideEffect("process", "started a process")


def _forked(args: tuple[Any, ...]) -> OutsideEffect:
    return OutsideEffect("process", WORKERS if _in_pool() else "started a process")


def _killed(args: tuple[Any, ...]) -> OutsideEffect:
    return (
        OutsideEffect("process", WORKERS)
        if _in_pool()
        else OutsideEffect("signal", f"sent signal {args[1]} to process {args[0]}")
    )


def _in_pool() -> bool:
    """Whether a pool does it with its processes: not these matter then, but what they are given to do."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        name = frame.f_globals.get("__name__")
        if type(name) is str and name.startswith(_POOLS):
            return True
        frame = frame.f_back
    return False


def _system(args: tuple[Any, ...]) -> OutsideEffect | None:
    return _ran([os.fsdecode(args[0])])


def _fixed(kind: str, text: str) -> Callable[[tuple[Any, ...]], OutsideEffect]:
    return lambda args: OutsideEffect(kind, text)


def _thread(args: tuple[Any, ...]) -> OutsideEffect | None:
    """Those that `threading` starts are looked at when the statement is over: then it is known whether they go on."""
    start = args[0] if args else None
    return None if type(start) is MethodType and start.__func__.__module__ == "threading" else STARTED_THREAD


# ------------------------------------------------------------------------------------------ the network


def _connect(args: tuple[Any, ...]) -> OutsideEffect:
    address = args[1]
    place = f"{address[0]}:{address[1]}" if isinstance(address, tuple) else _shown(address)
    return OutsideEffect("network", f"connected to {place}")


def _send(args: tuple[Any, ...]) -> OutsideEffect:
    return OutsideEffect(
        "network", f"sent to {args[1][0]}:{args[1][1]}" if isinstance(args[1], tuple) else "sent a message"
    )


def _import(args: tuple[Any, ...]) -> OutsideEffect | None:
    name = str(args[0])
    return OutsideEffect("import", f"imported {name}") if "." not in name and name not in sys.modules else None


def _database(args: tuple[Any, ...]) -> OutsideEffect | None:
    name = _shown(args[0])
    return None if name in (":memory:", "") else OutsideEffect("database", f"opened the database {name}")


UNPICKLING = "pickle.find_class"
CLOUDPICKLE = "cloudpickle.cloudpickle"
DILL = "dill._dill"
_MAKING = {CLOUDPICKLE: ("_make_skeleton_class", "_make_skeleton_enum"), DILL: ("_create_function",)}
"""What their data names in the place of a class or function: a class that this process has is set to what it was as it
was pickled; a function that dill makes anew has the notebook's names.
"""


def _unpickled(args: tuple[Any, ...]) -> OutsideEffect | None:
    """What data names is about to be used: of the user's, or it may be."""
    module, name = args
    own = owned_module(module) or name in _MAKING.get(module, ())
    return OutsideEffect("unpickled", f"unpickled {module}:{name}") if own else None


_buffers: list[int] = []
"""The address within an object's buffer for which `ctypes` is about to tell that it is got at, if there is one."""


def _at_buffer(args: tuple[Any, ...]) -> None:
    """The object is at hand, and noted as any other."""
    start, _, offset = args
    _buffers[:] = [start + offset]


def _at_address(args: tuple[Any, ...]) -> OutsideEffect | None:
    """What the user's code does there can't be looked at; libraries have memory of their own in such a way."""
    buffer = _buffers == [args[0]]
    _buffers.clear()
    frame = None if buffer else _of_event()
    return OutsideEffect("other", "got at memory by its address") if frame is not None and _is_own(frame) else None


EVENTS: dict[str, _Describe] = {
    "open": _open,
    "os.remove": _removed("file"),
    "os.rmdir": _removed("folder"),
    "os.mkdir": _made_folder,
    "os.truncate": _one("file", "truncated"),
    "os.chmod": _one("file", "changed the mode of"),
    "os.chown": _one("file", "changed the owner of"),
    "os.chflags": _one("file", "changed the flags of"),
    "os.setxattr": _one("file", "changed an attribute of"),
    "os.removexattr": _one("file", "changed an attribute of"),
    "os.rename": _moved,
    "os.link": _two("file", "linked"),
    "os.symlink": _two("file", "linked"),
    "shutil.rmtree": _removed("folder"),
    "shutil.move": _moved,
    "shutil.copyfile": _two("file", "copied"),
    "shutil.chown": _one("file", "changed the owner of"),
    "subprocess.Popen": _process,
    "os.system": _system,
    "os.posix_spawn": _process,
    "os.spawn": lambda args: _process((args[1], args[2])),
    "os.exec": _process,
    "os.fork": _forked,
    "os.forkpty": _terminal,
    "os.startfile": _one("process", "opened"),
    "os.startfile/2": _one("process", "opened"),
    "os.kill": _killed,
    "os.killpg": lambda args: OutsideEffect("signal", f"sent signal {args[1]} to process group {args[0]}"),
    "signal.pthread_kill": lambda args: OutsideEffect("signal", f"sent signal {args[1]} to a thread"),
    "syslog.syslog": _fixed("other", "wrote to the system's log"),
    "socket.connect": _connect,
    "socket.bind": _fixed("network", "opened a port"),
    "socket.sendto": _send,
    "socket.sendmsg": _send,
    "smtplib.send": _fixed("network", "sent mail"),
    "ftplib.sendcmd": _fixed("network", "sent an FTP command"),
    "imaplib.send": _fixed("network", "sent an IMAP command"),
    "poplib.putline": _fixed("network", "sent a POP command"),
    "nntplib.putline": _fixed("network", "sent an NNTP command"),
    "telnetlib.Telnet.write": _fixed("network", "sent over telnet"),
    "http.client.send": _fixed("network", "sent an HTTP request"),
    "webbrowser.open": _one("process", "opened in the browser:"),
    "sqlite3.connect": _database,
    "ctypes.cdata": _at_address,
    "ctypes.cdata/buffer": _at_buffer,
    "winreg.CreateKey": _fixed("other", "changed the registry"),
    "winreg.DeleteKey": _fixed("other", "changed the registry"),
    "winreg.DeleteValue": _fixed("other", "changed the registry"),
    "winreg.SetValue": _fixed("other", "changed the registry"),
    "_thread.start_new_thread": _thread,
    "import": _import,
    UNPICKLING: _unpickled,
}
