"""What comes out of a value by subscript or iteration, and what an index stands for."""

from __future__ import annotations

from typing import Any

from reflex_ipython.state.analysis.analysis import Analysis
from reflex_ipython.state.analysis.forms import live
from reflex_ipython.state.analysis.joins import join
from reflex_ipython.state.analysis.patched import is_own
from reflex_ipython.state.analysis.plain import only_atoms, only_text, plain, plain_key, plain_keys
from reflex_ipython.state.analysis.values import (
    ATOM,
    BOX,
    CLASS,
    DATA,
    FIGURE,
    ITERATOR,
    METHOD,
    SOME_ATOM,
    SOME_DATA,
    SOMETHING,
    TEXT,
    Unknown,
    Value,
)
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.layout import identity

_INDEXED = (list, tuple)


def element(a: Analysis, value: Value) -> Value:
    """Any of the items that come out of a value when it is iterated."""
    form = value.form
    if form == ATOM:
        return TEXT if value.cls is str or type(value.o) is str else SOME_ATOM
    if form == DATA:
        return Value(DATA, owner=value.owner or value) if value.o is not MISSING or value.owner else SOME_DATA
    if form in (BOX, ITERATOR):
        if value.o is not MISSING:
            return _element_of_live(a, value.o)
        if value.fresh:
            return value.inner or SOME_DATA
        return SOMETHING
    if form == FIGURE:
        return value
    return SOMETHING


def _element_of_live(a: Analysis, o: Any) -> Value:
    stored = a.written.get(identity(o))
    found = (TEXT if only_text(o) else SOME_ATOM) if only_atoms(o) else SOME_DATA if a.plain(live(o)) else SOMETHING
    return found if stored is None else join(found, stored)


def subscript(a: Analysis, value: Value, key: Value) -> Value:
    """What a value has at a key."""
    form = value.form
    if form == DATA:
        a.use(value)
        a.use(key)
        if not is_own("__getitem__", value.o):
            raise Unknown("a subscript that somebody put there")
        if value.o is not MISSING or value.owner is not None:
            return Value(DATA, owner=value.owner or value)
        return value if value.fresh else SOME_DATA
    if form == ATOM:
        a.use(key)
        return SOME_ATOM
    if form == BOX:
        return _item(a, value, key)
    if form == METHOD and value.inner[1] in ("loc", "iloc", "at", "iat", "str"):
        return subscript(a, value.inner[0], key)
    if form == CLASS and type(value.o) is type and value.o.__module__ == "builtins":
        return SOMETHING  # list[int]
    raise Unknown(f"subscript of form {form}")


def _item(a: Analysis, value: Value, key: Value) -> Value:
    if not a.plain(key):
        raise Unknown("a key of the user's")
    cls = value.cls or type(value.o)
    if value.o is not MISSING:
        if cls.__name__ == "defaultdict":
            raise Unknown("defaultdict")
        if isinstance(value.o, dict) and not plain_keys(value.o):
            raise Unknown("keys of the user's")
        found = _live_item(value.o, cls, key.o if key.form == ATOM else MISSING)
        if found is not MISSING:
            stored = a.written.get(identity(value.o))
            return live(found) if stored is None else join(live(found), stored)
        return _element_of_live(a, value.o)
    if value.parts is not None and type(key.o) is int and -len(value.parts) <= key.o < len(value.parts):
        return value.parts[key.o]
    if type(key.o) is slice or key.cls is slice:
        return Value(BOX, MISSING, True, value.inner, cls)
    return element(a, value)


def _live_item(o: Any, cls: type, key: Any) -> Any:
    """The item of that known key; MISSING if nobody knows, or there is none."""
    if type(key) is int and (cls is list or cls is tuple):
        return o[key] if -len(o) <= key < len(o) else MISSING
    if key is not MISSING and isinstance(o, dict) and plain_key(key) and plain_keys(o):
        try:
            return dict.get(o, key, MISSING)
        except TypeError:  # a slice
            return MISSING
    return MISSING


def index_of(key: Value) -> Any:
    """The index that a value stands for; MISSING if it is not known, or one that others can change."""
    if key.form == ATOM:
        return key.o
    if key.form == BOX and key.parts is not None:
        parts = [index_of(part) for part in key.parts]
        if not any(part is MISSING for part in parts):
            return tuple(parts) if key.cls is tuple else parts
    if key.form == DATA and key.o is not MISSING and plain(key.o) and type(key.o).__name__ == "ndarray":
        return key.o
    return MISSING
