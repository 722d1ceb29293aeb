"""What the statement writes to, and how to undo it."""

from __future__ import annotations

import sys
import types
from collections import OrderedDict
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, is_exactly
from reflex_ipython.state.analysis.analysis import Analysis
from reflex_ipython.state.analysis.attributes import own_fields
from reflex_ipython.state.analysis.ends import ends_quietly, items_end_quietly
from reflex_ipython.state.analysis.items import index_of
from reflex_ipython.state.analysis.joins import all_fresh
from reflex_ipython.state.analysis.patched import is_own
from reflex_ipython.state.analysis.plain import plain_key, plain_keys
from reflex_ipython.state.analysis.settings import set_shared
from reflex_ipython.state.analysis.values import (
    ATOM,
    BOX,
    CLASS,
    DATA,
    ESTIMATOR,
    FUNCTION,
    ITERATOR,
    METHOD,
    NEW,
    OWN,
    SOMETHING,
    Unknown,
    Value,
)
from reflex_ipython.state.kinds import operations
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.user_code import owned_class

_LOCATORS = frozenset(["loc", "iloc", "at", "iat"])


def put(a: Analysis, made: Value, value: Value) -> None:
    """A fresh container gets an item."""
    if made.shared and value.form != ATOM and not (value.form == DATA and value.fresh):
        raise Unknown("one of several containers")
    made.parts = None
    if value.form > DATA:
        a.tied.append(made)
    made.inner = a.learnt(made.inner, SOMETHING if value.form == ITERATOR else value, made.born)


def set_item(a: Analysis, target: Value, key: Value, value: Value) -> None:
    """`target[key] = value`."""
    form = target.form
    if form == BOX:
        if not a.plain(key):
            raise Unknown("a key of the user's")
        if target.fresh:
            put(a, target, value)
            if target.cls is not list:
                put(a, target, key)
        elif target.o is not MISSING:
            _set_live_item(a, target.o, index_of(key), value)
        else:
            raise Unknown("a write to some container")
    elif form == DATA:
        a.use(target)
        a.use(key)
        if not is_own("__setitem__", target.o):
            raise Unknown("an assignment that somebody put there")
        write_data(a, target, "item", value, key=index_of(key))
    elif form == METHOD and target.inner[1] in _LOCATORS:
        a.use(key)
        write_data(a, target.inner[0], target.inner[1], value, key=index_of(key))
    elif not set_shared(a, target, key, value):
        raise Unknown(f"item of form {form}")


def _set_live_item(a: Analysis, o: Any, key: Any, value: Value) -> None:
    cls = type(o)
    stored(a, o, value)
    if cls is list and type(key) is int:
        snapshot = operations.place(o, key)
        if snapshot is not None:  # else an IndexError
            _quiet(snapshot[2][1])
            a.snapshot(o, key % max(len(o), 1), snapshot)
        return
    known = key is not MISSING and isinstance(o, dict) and cls is not OrderedDict
    if not known or not plain_key(key) or not plain_keys(o):
        write_whole(a, o)
    elif not a.snapshots(o, key):
        snapshot = operations.entry(o, key)
        _quiet(snapshot[2][1])
        a.snapshot(o, key, snapshot)


def stored(a: Analysis, o: Any, value: Value) -> None:
    """An object that exists may have that value in it from now on."""
    key = identity(o)
    if value.form == ITERATOR:
        value = SOMETHING
    a.written[key] = a.learnt(a.written.get(key), value)


def _quiet(old: object) -> None:
    if old is not MISSING and not ends_quietly(old):
        raise Unknown("what goes may have the last word")


def write_whole(a: Analysis, o: Any) -> None:
    """Anything may change in a container that exists."""
    if a.snapshots(o, None):
        return
    items = (*dict.keys(o), *dict.values(o)) if isinstance(o, dict) and len(o) <= operations.MOST_ITEMS else o
    if not items_end_quietly(items):
        raise Unknown("what goes may have the last word")
    a.snapshot(o, None, operations.whole(o))


def grow(a: Analysis, o: Any) -> None:
    """A list that exists grows at its end."""
    if not a.snapshots(o, "length"):
        a.snapshot(o, "length", operations.growth(o))


def write_data(a: Analysis, target: Value, how: str, *values: Value, key: Any = MISSING) -> None:
    """An array or a frame is written to.

    Parameters
    ----------
    target : Value
    how : str
        As `operations.frame_snapshot` takes it.
    values : Value
        What goes in.
    key : object
        Which item or location; `MISSING` if nobody knows.
    """
    for value in values:
        if not a.plain(value):
            raise Unknown("objects go into data")
        _check_cells(target, how, value)
    if target.fresh:
        return
    o = target.o
    if o is MISSING:
        if target.owner is None or type(target.owner.o).__name__ != "ndarray":
            raise Unknown("a write through something derived")
        o, key = target.owner.o, MISSING
    if not a.plain_data(o):
        raise Unknown("data with objects in it")
    numpy = sys.modules.get("numpy")
    if numpy is not None and type(o) is numpy.ndarray:
        _write_array(a, o, key)
    elif type(o).__name__ in ("DataFrame", "Series"):
        _write_frame(a, o, how, key)
    else:
        raise Unknown("a write to such data")


def _check_cells(target: Value, how: str, value: Value) -> None:
    """`Unknown` if a container or an array that was there before may become an object in a cell.

    It could be written to by way of the cell later in the statement, and the cells are taken for immutable.
    """
    if all_fresh(value, 0) or target.cls is float:
        return
    o = target.o if target.o is not MISSING or target.owner is None else target.owner.o
    if o is not MISSING and not target.fresh:
        if type(o).__name__ == "ndarray":
            if not o.dtype.hasobject:
                return
        elif how not in _LOCATORS and (value.form == DATA or all_fresh(value)):
            return  # a column
        elif how in ("loc", "iloc") and value.form == DATA and not _has_objects(o):
            return
    raise Unknown("an object goes into a cell")


def _has_objects(o: Any) -> bool:
    blocks = object.__getattribute__(o, "__dict__")["_mgr"].blocks
    return any(getattr(block.values.dtype, "kind", "O") == "O" for block in blocks)


_FIRST = "first"
"""Stands for what the first write of a statement to a frame writes to."""


def _write_frame(a: Analysis, o: Any, how: str, key: Any) -> None:
    if a.snapshots(o, None):
        return
    snapshot, earlier = operations.frame_snapshot(o, how, key), a.entries.get(identity(o))
    if earlier is None:
        a.snapshot(o, _FIRST, snapshot)
    elif not operations.only_columns(snapshot, earlier.get(_FIRST)):  # the cells may not be where they were by then
        a.snapshot(o, None, operations.frame_snapshot(o, ""))


def _write_array(a: Analysis, o: Any, key: Any) -> None:
    if a.snapshots(o, None):
        return
    if key is not MISSING and _is_index(key):
        try:
            snapshot = operations.part(o, key)
        except (IndexError, TypeError, ValueError):
            return  # as the statement will find
        if snapshot is not None:
            a.snapshot(o, len(a.entries.get(identity(o), ())), snapshot)
            return
    a.snapshot(o, None, operations.whole(o))


def _is_index(key: Any) -> bool:
    if type(key) is tuple or type(key) is list:
        return all(map(_is_index, key))
    if type(key) is slice:
        return all(is_exactly(each, (int, type(None))) for each in (key.start, key.stop, key.step))
    return is_exactly(key, (int, bool, type(None), type(...))) or type(key).__module__ == "numpy"


# ------------------------------------------------------------------------------------------ attributes


def set_attribute(a: Analysis, target: Value, name: str, value: Value) -> None:
    """`target.name = value`."""
    if value.form == ITERATOR:
        value = SOMETHING  # read later, by whomever
    form = target.form
    if form == NEW:
        if _slot_or_fields(target.cls, name) is not None:
            raise Unknown("a slot")
        if value.form > DATA:
            a.tied.append(target)
        target.inner[name] = a.learnt(target.inner.get(name), value, target.born)
    elif (form == OWN and target.o is not MISSING) or (form == ESTIMATOR and target.o is not MISSING):
        _set_own(a, target.o, name, value)
    elif form == DATA and type(target.o).__name__ in ("DataFrame", "Series") and is_own("__setattr__"):
        write_data(a, target, "columns" if name in ("columns", "index") else "attribute", value)
    elif form == CLASS and type(target.o) is type and owned_class(target.o):
        _set_class_attribute(a, target.o, name, value)
    elif form == FUNCTION and target.o is not MISSING and not name.startswith("__"):
        _set_entry(a, target.o, target.o.__dict__, name, value)
    else:
        raise Unknown(f"attribute of form {form}")


def _set_own(a: Analysis, o: Any, name: str, value: Value) -> None:
    slot = _slot_or_fields(type(o), name)
    if slot is not None:
        snapshot = operations.slot(o, slot)
        _quiet(snapshot[2][1])
        _remember(a, o, name, value)
        a.snapshot(o, name, snapshot)
        return
    fields = own_fields(o)
    if type(fields) is not dict:
        raise Unknown("no such attribute, or a __dict__ of its own")
    _set_entry(a, o, fields, name, value)


def _set_entry(a: Analysis, o: Any, fields: dict[str, Any], name: str, value: Value) -> None:
    _remember(a, o, name, value)
    if not a.snapshots(fields, name):
        snapshot = operations.entry(fields, name)
        _quiet(snapshot[2][1])
        a.snapshot(fields, name, snapshot)


def _remember(a: Analysis, o: Any, name: str, value: Value) -> None:
    key = (identity(o), name)
    a.written[key] = a.learnt(a.written.get(key), value)


def _slot_or_fields(cls: Any, name: str) -> Any:
    """The descriptor of a slot; None if the attribute goes into the `__dict__`. `Unknown` for all others."""
    found: Any = None
    for base in classes(cls):
        own = class_vars(base)
        if base is not object and "__setattr__" in own:
            raise Unknown("a __setattr__ of its own")
        if found is None and name in own:
            found = own[name]
            if type(found) is types.MemberDescriptorType:
                continue
            if any("__set__" in class_vars(each) or "__delete__" in class_vars(each) for each in classes(type(found))):
                raise Unknown("a descriptor")
    return found if type(found) is types.MemberDescriptorType else None


def _set_class_attribute(a: Analysis, o: Any, name: str, value: Value) -> None:
    if name.startswith("__") or value.form not in (ATOM, DATA, BOX):
        raise Unknown("a special attribute of a class")
    _remember(a, o, name, value)
    if not a.snapshots(o, name):
        snapshot = operations.class_attribute(o, name)
        _quiet(snapshot[2][1])
        a.snapshot(o, name, snapshot)
