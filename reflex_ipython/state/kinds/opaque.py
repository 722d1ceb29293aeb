"""What can't be put back: named in the report, unless it surely has not changed.

Generators that run, files, sockets, connections, threads, processes; the objects of libraries that stand for those; and
every object of an extension module that nobody told us about.
"""

from __future__ import annotations

import contextvars
import gc
import io
import sys
import types
from collections import deque
from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.state.kinds import locks
from reflex_ipython.state.kinds.kind import CannotRestore, Kind, ObjectWalk
from reflex_ipython.state.kinds.layout import identity, layout
from reflex_ipython.state.user_code import owned_class, owned_namespace

_INTERNAL = (list, tuple, dict, set)


def referents(o: Any) -> list[Any]:
    """What an object of C refers to, and may change; not containers: those are its own, and perhaps half made."""
    return [part for part in gc.get_referents(o) if not is_exactly(part, _INTERNAL)]


def _snapshot_unknown(o: Any, walk: ObjectWalk) -> None:
    walk.follow(referents(o))


UNKNOWN = Kind("object of an extension module", "named", _snapshot_unknown, lambda o, saved: False)


def _snapshot_machinery(o: Any, walk: ObjectWalk) -> None:
    attributes = _attributes(o)
    own = set(map(identity, attributes))
    walk.follow([part for part in referents(o) if identity(part) not in own])
    walk.follow([part for part in attributes if _is_users(part)])


def _attributes(o: Any) -> list[Any]:
    """What Python code has set on an object of C."""
    form = layout(type(o))
    fields = form.dictionary.__get__(o) if form.dictionary is not None else {}
    return list(dict.values(fields))


def _is_users(o: Any) -> bool:
    return owned_namespace(o.__globals__) if type(o) is types.FunctionType else owned_class(type(o))


MACHINERY = Kind(UNKNOWN.name, "named", _snapshot_machinery, lambda o, saved: False, instance=False)
"""A library's class upon such an object. What is in C goes on from what is in its attributes, and the other way round:
numba's compiled functions, put back by halves, end the process. They are left as they are."""
LIVE = Kind(
    "connection, thread, process, event loop, widget, … of a library",
    "named",
    lambda o, walk: None,
    lambda o, saved: False,
    instance=False,
)

LIVE_PACKAGES = frozenset(
    [
        "aiohttp",
        "anthropic",
        "anyio",
        "anywidget",
        "asyncio",
        "boto3",
        "botocore",
        "comm",
        "concurrent",
        "contextvars",
        "dask",
        "distributed",
        "duckdb",
        "fsspec",
        "google",
        "grpc",
        "http",
        "httpcore",
        "httpx",
        "ipykernel",
        "IPython",
        "ipywidgets",
        "jupyter_client",
        "kafka",
        "logging",
        "mmap",
        "multiprocessing",
        "mysql",
        "openai",
        "paramiko",
        "playwright",
        "psycopg",
        "psycopg2",
        "py4j",
        "pymongo",
        "pymysql",
        "pyspark",
        "queue",
        "ray",
        "redis",
        "reflex_ipython",
        "requests",
        "sched",
        "selectors",
        "selenium",
        "smtplib",
        "socket",
        "socketserver",
        "sqlalchemy",
        "sqlite3",
        "ssl",
        "subprocess",
        "tempfile",
        "threading",
        "tornado",
        "tqdm",
        "traitlets",
        "trio",
        "urllib",
        "urllib3",
        "websockets",
        "zmq",
    ]
)
"""Packages whose objects stand for something outside the namespace."""

PLAIN_MODULES = (
    "IPython.core.display",
    "IPython.lib.display",
    "IPython.utils.capture",
    "ipywidgets.widgets.trait_types",
    "requests.auth",
    "requests.structures",
    "traitlets.utils.sentinel",
    "traitlets.traitlets",
)
"""Modules of those whose objects are nothing but their attributes: `HTML`, the handle of a display, what was captured,
headers, passwords, the user's own classes with traits."""

PLAIN_CLASSES = frozenset(
    {
        *(("httpx", name) for name in ("Auth", "BasicAuth", "DigestAuth", "FunctionAuth", "Headers", "NetRCAuth")),
        *(("httpx", name) for name in ("AsyncBaseTransport", "BaseTransport", "MockTransport")),
        *(("logging", name) for name in ("BufferingFormatter", "Filter", "Formatter", "LogRecord")),
        *(("logging", name) for name in ("PercentStyle", "StrFormatStyle", "StringTemplateStyle")),
        ("subprocess", "CompletedProcess"),
    }
)
"""Classes of that sort in other modules of those packages."""

IMMUTABLE_PACKAGES = frozenset(["fractions", "ipaddress", "pathlib", "uuid", "zoneinfo"])
"""Packages whose objects never change, as far as a cell can see."""

IMMUTABLE_MODULES = ("reflex_ipython.functions.",)
"""Modules of that sort: what of ours a function that heals holds tells of its code, and that is noted with it."""


# ------------------------------------------------------------------------------------------ generators


def _progress(frame: Any, suspended: bool | None) -> object:
    """ "new" or "finished", which say all; else something that is equal to nothing."""
    if frame is None:
        return "finished"
    new = frame.f_lasti < 0 if suspended is None else not suspended
    return "new" if new else object()


def _generator(prefix: str, name: str) -> Kind:
    def now(o: Any) -> object:
        suspended = getattr(o, f"{prefix}_suspended", None)  # since Python 3.11
        return object() if getattr(o, f"{prefix}_running") else _progress(getattr(o, f"{prefix}_frame"), suspended)

    def snapshot(o: Any, walk: ObjectWalk) -> object:
        frame = getattr(o, f"{prefix}_frame")
        if frame is not None:
            walk.run(frame.f_code, frame.f_globals)
            walk.follow(_inside(o, frame))
        return now(o)

    return Kind(name, "named", snapshot, lambda o, saved: now(o) == saved)


def _inside(o: Any, frame: types.FrameType) -> list[object]:
    """The variables and the function of a generator, as the collector sees them: `f_locals` would keep them alive."""
    found = [*gc.get_referents(o), *gc.get_referents(frame)]
    known = (frame.f_globals, frame.f_builtins)
    variables = [
        one
        for one in found
        if not is_exactly(one, (types.FrameType, types.CodeType)) and not any(one is other for other in known)
    ]
    looping = [one for one in variables if is_exactly(one, _LOOPS)]
    kept = [one for one in variables if not is_exactly(one, _LOOPS)]
    return [*kept, *(part for one in looping for part in gc.get_referents(one))]


_LOOPED: tuple[Any, ...] = (range(0), range(1 << 64), {}, {}.values(), {}.items(), set(), deque())
_LOOPS = tuple(dict.fromkeys(type(iter(each)) for each in _LOOPED))
"""They can't go back, no more than the generator that loops over something by them, and go on with it: it is named."""


# ------------------------------------------------------------------------------------------ tokens


def _is_used(o: contextvars.Token[Any]) -> bool:
    """Whether its variable was reset with it. To be refused tells: the context is another one, so nothing is set."""
    try:
        contextvars.Context().run(o.var.reset, o)
    except RuntimeError:
        return True
    except ValueError:
        pass
    return False


def _snapshot_token(o: contextvars.Token[Any], walk: ObjectWalk) -> bool:
    walk.follow((o.old_value,))
    return _is_used(o)


_TOKEN = Kind(
    "token of a context variable", "named", _snapshot_token, lambda o, saved: _is_used(o) == saved, instance=False
)


# ------------------------------------------------------------------------------------------ files

_LAYERS: tuple[Any, ...] = (io.FileIO, io.BufferedReader, io.TextIOWrapper)


def _read_only(o: Any) -> bool:
    """Whether it is a plain file for reading: only then can it be asked where it stands without writing anything."""
    if type(o) is io.TextIOWrapper:
        o = o.buffer
    if type(o) is io.BufferedReader:
        o = o.raw
    return type(o) is io.FileIO and not o.closed and not o.writable() and o.seekable()


def _place(o: Any) -> int | None:
    if not is_exactly(o, _LAYERS) or not _read_only(o):
        return None
    try:
        return int(o.tell())
    except OSError:  # in the middle of a loop over its lines
        return None


def _same_file(o: Any, saved: tuple[bool, int | None]) -> bool:
    return o.closed is saved[0] and (o.closed or (saved[1] is not None and _place(o) == saved[1]))


def _restore_file(o: Any, saved: tuple[bool, int | None]) -> None:
    if saved[1] is None or o.closed:
        raise CannotRestore("open file")
    o.seek(saved[1])


def _snapshot_file(o: Any, walk: ObjectWalk) -> tuple[bool, int | None]:
    return o.closed, _place(o)


_FILE = Kind(
    "open file",
    "partial",
    _snapshot_file,
    _same_file,
    _restore_file,
    unrestorable=lambda o, saved: saved[1] is None and not o.closed,
    limit="the position in a file being read is put back; what was written or closed is not",
)


def _busy() -> tuple[type, ...]:
    """Types whose presence in an object of a library says that threads or the world outside share it."""
    found: list[type] = [*locks.KINDS]
    if "_socket" in sys.modules:
        found.append(sys.modules["_socket"].socket)
    if "threading" in sys.modules:
        threading = sys.modules["threading"]
        found += [threading.Thread, threading.Condition, threading.Event]
    return tuple(found)


BUSY = frozenset(map(identity, _busy()))

KINDS: dict[type, Kind] = {
    contextvars.Token: _TOKEN,
    types.GeneratorType: _generator("gi", "generator"),
    types.CoroutineType: _generator("cr", "coroutine"),
    types.AsyncGeneratorType: _generator("ag", "asynchronous generator"),
    **dict.fromkeys((io.FileIO, io.BufferedReader, io.BufferedWriter, io.BufferedRandom, io.TextIOWrapper), _FILE),
}
