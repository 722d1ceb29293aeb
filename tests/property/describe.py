"""What is in an object of Python's own: plain data and children. By public faces, not by the journal's means."""

from __future__ import annotations

import array
import collections
import contextvars
import ctypes
import decimal
import dis
import enum
import functools
import hashlib
import io
import itertools
import logging
import mmap
import random
import sqlite3
import threading
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from tests.property.contents import (
    Contents,
    attributes,
    keyed,
    numbered,
    own_class,
    own_module_name,
    text_of,
    unordered,
    without_addresses,
)
from tests.property.describe_libraries import LIBRARIES
from tests.property.graph import type_text


def describe(o: Any) -> Contents:
    """The contents of any object."""
    for cls in type.__dict__["__mro__"].__get__(type(o)):
        if cls in _OF_TYPES:
            payload, children = _OF_TYPES[cls](o)
            if cls in _WHOLE:
                return payload, children
            return payload, [*children, *attributes(o), *_class_edge(o)]
    if isinstance(o, weakref.ProxyTypes):
        return _proxy(o)
    return _by_name(o)


def _class_edge(o: Any) -> list[tuple[str, Any]]:
    return [("class", type(o))] if own_class(type(o)) else []


def _by_name(o: Any) -> Contents:
    found = None
    for cls in type.__dict__["__mro__"].__get__(type(o)):
        found = found or LIBRARIES.get(type_text(cls)) or _BY_NAME.get(type_text(cls))
    payload, children = found(o) if found is not None else (None, attributes(o))
    return payload, [*children, *_class_edge(o)]


def _class(o: type) -> Contents:
    skipped = (
        "__dict__",
        "__weakref__",
        "__firstlineno__",
        "_abc_impl",
        "__annotate_func__",
        "__static_attributes__",
        "__annotations_cache__",
    )
    own = type.__dict__["__dict__"].__get__(o)
    payload: list[Any] = [type.__dict__["__name__"].__get__(o), sorted(cls.__name__ for cls in type.__subclasses__(o))]
    if "_abc_impl" in own:
        import _abc

        payload.append(sorted(str(r()) for r in _abc._get_dump(o)[0]))
    return payload, [
        ("bases", type.__dict__["__bases__"].__get__(o)),
        *((f".{k}", v) for k, v in own.items() if k not in skipped),
    ]


def _function(o: Any) -> Contents:
    code = o.__code__
    cells = zip(code.co_freevars, o.__closure__ or ())
    known = o.__globals__.get("__name__")
    scope = o.__globals__ if not isinstance(known, str) or (known != "__main__" and own_module_name(known)) else known
    return (o.__name__, o.__qualname__, o.__doc__, _code(code)), [
        ("defaults", o.__defaults__),
        ("kwdefaults", o.__kwdefaults__),
        ("globals", scope),
        *((f"cell {name}", cell) for name, cell in cells),
        ("annotations", text_of(o.__annotations__)),
    ]


def _code(code: types.CodeType) -> Any:
    """What a function's code does. A NOP stands for a line on which nothing happens: the layout decides on it."""
    consts = tuple(_code(c) if isinstance(c, types.CodeType) else repr(c) for c in code.co_consts)
    return (code.co_name, tuple(_does(code)), consts, code.co_names, code.co_varnames, code.co_freevars)


def _does(code: types.CodeType) -> Iterator[tuple[str, Any]]:
    instructions = list(dis.get_instructions(code))
    places, count = {}, 0
    for each in instructions:
        places[each.offset] = count
        count += each.opname != "NOP"
    for each in instructions:
        if each.opname != "NOP":
            yield each.opname, places[each.argval] if each.opcode in _JUMPS else each.arg


_JUMPS = frozenset((*dis.hasjrel, *dis.hasjabs))


def _cell(o: Any) -> Contents:
    try:
        return None, [("contents", o.cell_contents)]
    except ValueError:
        return "empty", []


def _generator(o: Any) -> Contents:
    prefix = {"generator": "gi", "coroutine": "cr", "async_generator": "ag"}[type(o).__name__]
    frame = getattr(o, f"{prefix}_frame")
    if frame is None:
        return (o.__qualname__, "finished"), []
    return (o.__qualname__, frame.f_lasti), sorted((f"local {k}", v) for k, v in frame.f_locals.items())


def _module(o: types.ModuleType) -> Contents:
    skipped = ("__builtins__", "__spec__", "__loader__", "__cached__", "__file__")
    return o.__name__, [(f".{k}", v) for k, v in vars(o).items() if k not in skipped]


def _weak_set(o: Any) -> Contents:
    return len(o), unordered(list(o))


def _weak_values(o: Any) -> Contents:
    return len(o), keyed(list(o.items()))


def _proxy(o: Any) -> Contents:
    try:
        return "alive", [("attributes", o.__dict__)]
    except ReferenceError:
        return "dead", []
    except AttributeError:
        return "alive", []


def _memoryview(o: Any) -> Contents:
    try:
        return (o.tobytes(), o.shape, o.readonly), [("of", o.obj)]
    except ValueError:
        return "released", []


def _buffer(o: Any) -> Contents:
    return ("closed" if o.closed else (o.getvalue(), o.tell())), []


def _file(o: Any) -> Contents:
    if o.closed:
        return ("closed", str(getattr(o, "name", ""))), []
    try:
        where: Any = o.tell() if o.seekable() else None
    except (OSError, io.UnsupportedOperation):
        where = "iterating"
    name = getattr(o, "name", "")  # the writer below another one of Python's may have neither name nor mode
    return (name if isinstance(name, str) else "descriptor", getattr(o, "mode", ""), where), []


def _exception(o: BaseException) -> Contents:
    return None, [("args", o.args), ("cause", o.__cause__), ("context", o.__context__)]


def _lru(o: Any) -> Contents:
    return tuple(o.cache_info())[2:], [("wrapped", o.__wrapped__)]


def _context_var(o: Any) -> Contents:
    return o.name, [("value", o.get(None))]


def _logger(o: logging.Logger) -> Contents:
    return (o.name, o.level, o.propagate, o.disabled), [("handlers", o.handlers), ("filters", o.filters)]


def _handler(o: logging.Handler) -> Contents:
    stream = getattr(o, "stream", None)
    formatter = o.formatter._fmt if o.formatter else None
    return (o.level, o.name, formatter, len(o.filters)), [("stream", stream)] if isinstance(stream, io.StringIO) else []


def _database(o: sqlite3.Connection) -> Contents:
    try:
        return (list(o.iterdump()), o.total_changes, o.in_transaction, str(o.row_factory)), []
    except sqlite3.ProgrammingError:
        return "closed", []


def _thread(o: threading.Thread) -> Contents:
    return (o.is_alive(), o.daemon), []


def _local(o: Any) -> Contents:
    return None, keyed(sorted(o.__dict__.items()))


def _context(o: Any) -> Contents:
    return None, [(var.name, value) for var, value in o.items() if var.name in ("cvar",)]


def _member(o: enum.Enum) -> Contents:
    return o._name_, [
        ("value", o._value_),
        *attributes(o, frozenset({"_value_", "_name_", "__objclass__", "_sort_order_"})),
    ]


_OF_TYPES: dict[type, Callable[[Any], Contents]] = {
    float: lambda o: (repr(float(o)), []),
    int: lambda o: (int(o), []),
    str: lambda o: (without_addresses(str.__str__(o)), []),
    bytes: lambda o: (bytes(o), []),
    enum.Enum: _member,
    list: lambda o: (None, numbered(list.__iter__(o))),
    tuple: lambda o: (None, numbered(tuple.__iter__(o))),
    collections.deque: lambda o: (o.maxlen, numbered(o)),
    collections.OrderedDict: lambda o: (None, keyed(o.items())),
    collections.defaultdict: lambda o: (None, [("default", o.default_factory), *keyed(dict.items(o))]),
    dict: lambda o: (None, keyed(dict.items(o))),
    set: lambda o: (None, unordered(set.__iter__(o))),
    frozenset: lambda o: (None, unordered(frozenset.__iter__(o))),
    types.MappingProxyType: lambda o: (None, keyed(o.items())),
    type({}.keys()): lambda o: (None, [("of", dict(o.mapping))]),
    bytearray: lambda o: (bytes(o), []),
    array.array: lambda o: ((o.typecode, o.tobytes()), []),
    memoryview: _memoryview,
    io.StringIO: _buffer,
    io.BytesIO: _buffer,
    io.TextIOWrapper: _file,
    io.BufferedReader: _file,
    io.BufferedWriter: _file,
    io.BufferedRandom: _file,
    mmap.mmap: lambda o: ((o[:], o.tell()), []),
    type: lambda o: _class(o),
    types.FunctionType: _function,
    types.CellType: _cell,
    types.CodeType: lambda o: (_code(o), []),
    types.MethodType: lambda o: (None, [("self", o.__self__), ("func", o.__func__)]),
    types.BuiltinFunctionType: lambda o: (o.__name__, [("self", o.__self__)]),
    functools.partial: lambda o: (None, [("func", o.func), ("args", o.args), ("keywords", o.keywords)]),
    property: lambda o: (None, [("get", o.fget), ("set", o.fset)]),
    staticmethod: lambda o: (None, [("func", o.__func__)]),
    classmethod: lambda o: (None, [("func", o.__func__)]),
    functools._lru_cache_wrapper: _lru,
    types.GeneratorType: _generator,
    types.CoroutineType: _generator,
    types.ModuleType: _module,
    weakref.WeakSet: _weak_set,
    weakref.WeakValueDictionary: _weak_values,
    weakref.WeakKeyDictionary: lambda o: (
        len(o),
        [pair for p in enumerate(o.items()) for pair in ((f"key {p[0]}", p[1][0]), (f"value {p[0]}", p[1][1]))],
    ),
    weakref.ReferenceType: lambda o: ("alive" if o() is not None else "dead", [("target", o())]),
    weakref.finalize: lambda o: (o.alive, [("what", o.peek())]),
    BaseException: _exception,
    random.Random: lambda o: (o.getstate(), []),
    contextvars.ContextVar: _context_var,
    contextvars.Context: _context,
    logging.Logger: _logger,
    logging.Handler: _handler,
    sqlite3.Connection: _database,
    sqlite3.Cursor: lambda o: (o.rowcount, [("connection", o.connection)]),
    threading.Thread: _thread,
    threading.local: _local,
    type(threading.Lock()): lambda o: (o.locked(), []),
    type(threading.RLock()): lambda o: (text_of(o), []),
    type(hashlib.sha256()): lambda o: (o.digest(), []),
    ctypes.Array: lambda o: (bytes(o), []),
    ctypes._SimpleCData: lambda o: (bytes(o), []),
    itertools.count: lambda o: (repr(o), []),
    decimal.Context: lambda o: (repr(o), []),
}
"""By the nearest base."""
_WHOLE = frozenset(
    [
        type,
        types.ModuleType,
        enum.Enum,
        threading.Thread,
        logging.Logger,
        logging.Handler,
        weakref.finalize,
        weakref.WeakSet,
        weakref.WeakValueDictionary,
        weakref.WeakKeyDictionary,
        threading.local,
    ]
)
"""Of which nothing more is to be looked at."""

_BY_NAME: dict[str, Callable[[Any], Contents]] = {
    "asyncio.events.AbstractEventLoop": lambda o: (None, []),
    "_asyncio.Task": lambda o: (o.done(), []),
    "_asyncio.Future": lambda o: (o.done(), []),
    "concurrent.futures._base.Future": lambda o: (o.done(), []),
    "concurrent.futures.thread.ThreadPoolExecutor": lambda o: (o._shutdown, []),
    "_queue.SimpleQueue": lambda o: (o.qsize(), []),
    "_io.FileIO": _file,
    "tempfile._TemporaryFileWrapper": lambda o: (o.closed, []),
    "tempfile.TemporaryDirectory": lambda o: (None, []),
    "_asyncio.Lock": lambda o: (o.locked(), []),
    "asyncio.queues.Queue": lambda o: (list(map(text_of, o._queue)), []),
    "asyncio.locks.Event": lambda o: (o.is_set(), []),
}
"""By the full name of the nearest base."""
