"""Objects of C whose state can be asked for: hashes, readers, contexts, elements of XML, context variables, …

Some can be put back; the others are named only if they have moved.
"""

from __future__ import annotations

import _thread
import contextvars
import decimal
import functools
import gc
import operator
import sys
import threading
from collections.abc import Callable
from typing import Any

from reflex_ipython.state.kinds.buffers import MEMORY
from reflex_ipython.state.kinds.functions import through
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.kind import CannotRestore, Kind, ObjectWalk
from reflex_ipython.state.kinds.opaque import referents


def _shown(name: str, state: Callable[[Any], Any]) -> Kind:
    """A kind that tells how far it has got, and can't go back."""

    def snapshot(o: Any, walk: ObjectWalk) -> Any:
        walk.follow(referents(o))
        return state(o)

    return Kind(name, "named", snapshot, lambda o, saved: bool(state(o) == saved))


# ------------------------------------------------------------------------------------------ decimal.Context

_PRESENT = "decimal_context"
"""How CPython calls the variable, in C and in Python; nobody else gets at the one in C."""
_NUMBERS = ("prec", "rounding", "Emin", "Emax", "capitals", "clamp")


def arithmetic(context: Any) -> tuple[Any, ...]:
    """All that a context of decimal consists of."""
    signals = tuple(dict(signs) for signs in (context.flags, context.traps))
    return (*(getattr(context, name) for name in _NUMBERS), *signals)


def present_arithmetic() -> Any:
    """The context that decimal calculates with; None: none yet. `getcontext` would make one.

    Made out here, it would be shared by all cells that await, which have one each else.
    """
    here = contextvars.copy_context()
    return next((here[one] for one in here if one.name == _PRESENT), None)


def set_arithmetic(context: Any, saved: tuple[Any, ...]) -> None:
    """The same, the other way round."""
    *numbers, flags, traps = saved
    for name, value in zip(_NUMBERS, numbers):
        setattr(context, name, value)
    context.flags, context.traps = flags, traps


# ------------------------------------------------------------------------------------------ context variables


def _snapshot_variable(o: Any, walk: ObjectWalk) -> tuple[int, Any]:
    value = o.get(MISSING)
    walk.follow((value, *gc.get_referents(o)))  # its default is among these
    return threading.get_ident(), value


def _same_variable(o: Any, saved: tuple[int, Any]) -> bool:
    return saved[0] == threading.get_ident() and o.get(MISSING) is saved[1]


def _restore_variable(o: Any, saved: tuple[int, Any]) -> None:
    if saved[0] != threading.get_ident():
        raise CannotRestore("it belongs to another thread")
    if saved[1] is MISSING:
        raise CannotRestore("it had no value")
    o.set(saved[1])


# ------------------------------------------------------------------------------------------ contexts

_Values = dict[contextvars.ContextVar[Any], Any]


def _snapshot_context(o: contextvars.Context, walk: ObjectWalk) -> _Values:
    """Its values; not its variables: the kernel's are among them, by which it knows for whom an output is."""
    walk.follow([*o.values()])
    return {**o}


def _same_context(o: contextvars.Context, saved: _Values) -> bool:
    return len(o) == len(saved) and not _changed_in(o, saved)


def _changed_in(o: contextvars.Context, saved: _Values) -> list[tuple[contextvars.ContextVar[Any], Any]]:
    return [(variable, value) for variable, value in saved.items() if o.get(variable, MISSING) is not value]


def _restore_context(o: contextvars.Context, saved: _Values) -> None:
    try:
        for variable, value in _changed_in(o, saved):
            o.run(variable.set, value)
    except RuntimeError as error:
        raise CannotRestore("something runs in it") from error
    if len(o) != len(saved):
        raise CannotRestore("a variable had no value in it")


# ------------------------------------------------------------------------------------------ what a thread has


def _fields(o: Any) -> dict[str, Any] | None:
    # An object of a class derived from it would run its `__init__` in a thread that it has not met.
    return _thread._local.__getattribute__(o, "__dict__") if type(o) is _thread._local else None


def _snapshot_local(o: Any, walk: ObjectWalk) -> dict[str, Any] | None:
    fields = _fields(o)
    walk.follow((fields,))
    return fields


def _same_local(o: Any, saved: dict[str, Any] | None) -> bool:
    return saved is not None and _fields(o) is saved


# ------------------------------------------------------------------------------------------ elements of XML

_ELEMENT = ("tag", "text", "tail", "attrib")


class _Elements:
    def __init__(self, element: Any) -> None:
        self._fields = [element.__dict__[name] for name in _ELEMENT]
        self._get, self._set = element.__getitem__, element.__setitem__

    def snapshot(self, o: Any, walk: ObjectWalk) -> list[Any]:
        found = self._now(o)
        walk.follow(found)
        return found

    def _now(self, o: Any) -> list[Any]:
        return [*(field.__get__(o) for field in self._fields), *self._get(o, slice(None))]

    def same(self, o: Any, saved: list[Any]) -> bool:
        now = self._now(o)
        return len(now) == len(saved) and all(map(operator.is_, now, saved))

    def restore(self, o: Any, saved: list[Any]) -> None:
        for field, value in zip(self._fields, saved):
            if field.__get__(o) is not value:
                field.__set__(o, value)
        self._set(o, slice(None), saved[len(_ELEMENT) :])


# ------------------------------------------------------------------------------------------ which


def _digest(o: Any) -> bytes:
    return bytes(o.digest(32) if type(o).__name__.startswith(("HASHXOF", "shake")) else o.digest())


_HASH = _shown("hash, csv reader, nditer, …", _digest)
_READER = _shown(_HASH.name, lambda o: o.line_num)
_CONTEXT = Kind(
    "decimal.Context", "exact", lambda o, walk: arithmetic(o), lambda o, saved: arithmetic(o) == saved, set_arithmetic
)
_VARIABLE = Kind(
    "contextvars.ContextVar",
    "partial",
    _snapshot_variable,
    _same_variable,
    _restore_variable,
    unrestorable=lambda o, saved: saved[1] is MISSING,
    limit="one that had no value keeps its new one",
)
_VALUES = Kind(
    "contextvars.Context",
    "partial",
    _snapshot_context,
    _same_context,
    _restore_context,
    unrestorable=lambda o, saved: len(o) != len(saved),
    limit="a variable that had no value keeps its new one",
)
_LOCAL = Kind(
    "threading.local",
    "partial",
    _snapshot_local,
    _same_local,
    unrestorable=lambda o, saved: saved is None,
    limit="the values of the thread that runs the cell; one of a derived class is named",
    instance=False,
)
CALLS = through("operator.itemgetter, csv.writer, …")


def _asked_for(o: Any) -> list[str]:
    made_by, given = o.__reduce__()
    if type(made_by) is functools.partial:  # a method that is given arguments by their names
        given = made_by.args
    names = given[:1] if type(o) is operator.methodcaller else given
    return [part for name in names for part in name.split(".")]


_GETS = through(CALLS.name, words=_asked_for)
"""What `attrgetter("x")` asks for, no code names."""

_HASHES = (
    ("_hashlib", ("HASH", "HMAC")),
    ("_blake2", ("blake2b", "blake2s")),
    ("_md5", ("MD5Type",)),
    ("_sha1", ("SHA1Type",)),
    ("_sha3", ("sha3_224", "sha3_256", "sha3_384", "sha3_512", "shake_128", "shake_256")),
)

_STATIC: dict[type, Kind] = {
    decimal.Context: _CONTEXT,
    contextvars.ContextVar: _VARIABLE,
    contextvars.Context: _VALUES,
    _thread._local: _LOCAL,
    operator.itemgetter: CALLS,
    **dict.fromkeys((operator.attrgetter, operator.methodcaller), _GETS),
}


def kinds() -> dict[type, Kind]:
    """Those of Python, as far as their modules are loaded."""
    found = dict(_STATIC)
    for module, names in _HASHES:
        loaded = sys.modules.get(module)
        found.update((getattr(loaded, name), _HASH) for name in names if hasattr(loaded, name))
    csv = sys.modules.get("_csv")
    if csv is not None:
        found.update({type(csv.reader(())): _READER, csv.Writer if hasattr(csv, "Writer") else _writer(csv): CALLS})
    arrow = sys.modules.get("pyarrow.lib")
    if arrow is not None:
        found[arrow.Buffer] = MEMORY
    trees = sys.modules.get("_elementtree")
    if trees is not None:
        elements = _Elements(trees.Element)
        found[trees.Element] = Kind(
            "xml.etree.ElementTree.Element", "exact", elements.snapshot, elements.same, elements.restore
        )
    return found


def _writer(csv: Any) -> type:
    class Sink:
        def write(self, text: str) -> None:
            """Nothing is kept."""

    return type(csv.writer(Sink()))


LIBRARIES = ("_csv", "_elementtree", "pyarrow.lib", *(module for module, _ in _HASHES))
"""The modules that bring kinds of these with them."""
