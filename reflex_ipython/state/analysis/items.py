"""What comes out of a value by subscript or iteration, and what an index stands for."""

from __future__ import annotations

import collections
import os
from collections.abc import Callable
from typing import Any

from reflex_ipython.state.analysis.analysis import Analysis
from reflex_ipython.state.analysis.ends import items_end_quietly
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
    box,
)
from reflex_ipython.state.kinds import operations
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
    if value.o is os.environ and key.form == ATOM:
        return TEXT
    raise Unknown(f"subscript of form {form}")


def _item(a: Analysis, value: Value, key: Value) -> Value:
    if not a.plain(key):
        raise Unknown("a key of the user's")
    cls = value.cls or type(value.o)
    if value.o is not MISSING:
        if isinstance(value.o, dict) and not plain_keys(value.o):
            raise Unknown("keys of the user's")
        found = _live_item(value.o, cls, key.o if key.form == ATOM else MISSING)
        if found is MISSING and cls is collections.defaultdict:
            return _made_by_default(a, value.o, key.o)
        if found is not MISSING:
            stored = a.written.get(identity(value.o))
            return live(found) if stored is None else join(live(found), stored)
        return _element_of_live(a, value.o)
    if value.parts is not None and type(key.o) is int and -len(value.parts) <= key.o < len(value.parts):
        return value.parts[key.o]
    if type(key.o) is slice or key.cls is slice:
        return Value(BOX, MISSING, True, value.inner, cls)
    return element(a, value)


def _made_by_default(a: Analysis, o: Any, key: Any) -> Value:
    """What a `defaultdict` has at a key that it may have to add."""
    made = DEFAULTS.get(identity(o.default_factory))
    if made is None:
        raise Unknown("a default factory")
    if key is MISSING or not plain_key(key):
        if not a.snapshots(o, None):
            if not items_end_quietly((*dict.keys(o), *dict.values(o))):
                raise Unknown("what goes may have the last word")
            a.snapshot(o, None, operations.whole(o))
    elif not a.snapshots(o, key):
        a.snapshot(o, key, operations.entry(o, key))
    value, then = made(), a.written.get(identity(o))
    a.written[identity(o)] = a.learnt(then, value)
    if key is MISSING or then is not None:
        return join(_element_of_live(a, o), value)
    return value


DEFAULTS: dict[int, Callable[[], Value]] = {
    identity(int): lambda: SOME_ATOM,
    identity(float): lambda: SOME_ATOM,
    identity(str): lambda: TEXT,
    identity(list): lambda: box(list),
    identity(dict): lambda: box(dict),
    identity(set): lambda: box(set),
}
"""What the usual default factories make."""


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
