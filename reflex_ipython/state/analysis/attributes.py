"""What is known of an attribute before it is looked up."""

from __future__ import annotations

import collections
import types
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, inherits
from reflex_ipython.base.own_dict import has_dict
from reflex_ipython.state.analysis.analysis import Analysis
from reflex_ipython.state.analysis.forms import live
from reflex_ipython.state.analysis.joins import join
from reflex_ipython.state.analysis.own import call_own
from reflex_ipython.state.analysis.patched import accessor_is_own, is_own, pandas_has
from reflex_ipython.state.analysis.tables import (
    ARRAY_METHODS,
    ARRAY_WRITES,
    DATA_UNKNOWN_ATTRIBUTES,
    FRAME_ATTRIBUTES,
    FRAME_METHODS,
    FRAME_WRITES,
)
from reflex_ipython.state.analysis.values import (
    ATOM,
    BOUND,
    BOX,
    CLASS,
    DATA,
    ESTIMATOR,
    FRESH_DATA,
    LIBRARY,
    METHOD,
    MODULE,
    NEW,
    OWN,
    RANDOM,
    SOME_ATOM,
    SOME_DATA,
    SOMETHING,
    Unknown,
    Value,
)
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.user_code import contents, owned_class

_ACCESSORS = frozenset(["loc", "iloc", "at", "iat", "str", "dt", "cat"])
_ATOMS = frozenset(["shape", "size", "ndim", "dtype", "nbytes", "empty", "itemsize", "strides", "nlevels", "name"])
_LEADING_ON = frozenset(["metadata", "tzinfo", "tz"])
"""Attributes of a dtype or a date that may have contents of their own."""
_METHODS = ARRAY_METHODS | ARRAY_WRITES | FRAME_METHODS | FRAME_WRITES
_BY_FORM = frozenset([ATOM, BOX, ESTIMATOR, RANDOM, LIBRARY])


def attribute(a: Analysis, value: Value, name: str) -> Value:
    """What a value has under a name, where it is not called at once."""
    found = member(a, value, name)
    return found if found.form != METHOD else _looked_up(a, found)


def member(a: Analysis, value: Value, name: str) -> Value:
    """The same; of objects of libraries and built-in ones, the value and the name, to be called."""
    form = value.form
    if form == MODULE:
        return _of_module(value.o, name)
    if form == DATA:
        if name.startswith("_") or name in DATA_UNKNOWN_ATTRIBUTES or not is_own(name, value.o):
            raise Unknown(f"attribute {name} of data")
        if value.o is not MISSING:
            a.use(value)
            if name in getattr(value.o, "__dict__", ()):
                raise Unknown("an attribute that somebody put there")
        return Value(METHOD, inner=(value, name))
    if form in _BY_FORM:
        if name.startswith("_"):
            raise Unknown(f"attribute {name}")
        return Value(METHOD, inner=(value, name))
    if form == OWN and value.o is not MISSING:
        return _of_own(a, value, name)
    if form == NEW:
        return _of_new(a, value, name)
    if form == CLASS:
        return _of_class(a, value, name)
    if form == METHOD and value.inner[1] in ("str", "dt", "cat") and accessor_is_own(value.inner[1], name):
        return Value(METHOD, inner=(value.inner[0], name))
    raise Unknown(f"attribute of form {form}")


def _of_module(module: Any, name: str) -> Value:
    found = contents(module).get(name, MISSING)
    if found is MISSING:
        raise Unknown("an attribute that the module has not got yet")
    return live(found)


def _looked_up(a: Analysis, method: Value) -> Value:
    """An attribute that is not called, but what a property gives."""
    receiver, name = method.inner
    form = receiver.form
    if form == DATA:
        if name in _ACCESSORS:
            return method
        if name in _ATOMS:
            return SOME_ATOM if name != "name" else SOME_DATA
        if name in FRAME_ATTRIBUTES:
            return _window(receiver)
        if name in _METHODS or pandas_has(name):
            return method
        return _window(receiver)  # a column
    if form == ESTIMATOR and receiver.o is not MISSING:
        return _of_estimator(a, receiver.o, name)
    if form == ESTIMATOR:
        return SOME_DATA if name.endswith("_") else SOMETHING
    return method if form != ATOM else _of_atom(method, name)


def _of_atom(method: Value, name: str) -> Value:
    if name in _LEADING_ON:
        raise Unknown("what hangs on a constant may change")
    o = method.inner[0].o
    found = getattr(type(o), name, None) if o is not MISSING else None
    return (
        SOME_ATOM if isinstance(found, (property, types.GetSetDescriptorType, types.MemberDescriptorType)) else method
    )


def _of_estimator(a: Analysis, o: Any, name: str) -> Value:
    written = a.written.get(identity(o)) or a.written.get((identity(o), name))
    found = o.__dict__.get(name, MISSING)
    if written is not None:
        return SOME_DATA if name.endswith("_") else SOMETHING
    if found is MISSING:
        raise Unknown("a property of an estimator")
    return live(found)


def _window(receiver: Value) -> Value:
    if receiver.o is not MISSING or receiver.owner is not None:
        return Value(DATA, owner=receiver.owner or receiver)
    return FRESH_DATA if receiver.fresh else SOME_DATA


# ------------------------------------------------------------------------------------------ the user's

_TUPLE_FIELD: Any = type(vars(collections.namedtuple("_TUPLE_FIELD", "x"))["x"])
"""What gives a field of a named tuple, in C."""


def _of_own(a: Analysis, value: Value, name: str) -> Value:
    o = value.o
    found = _in_class(type(o), name)
    stored = a.written.get((identity(o), name))
    if type(found) is types.MemberDescriptorType:
        try:
            now = live(found.__get__(o))
        except AttributeError:  # empty
            now = SOMETHING
        return now if stored is None else join(now, stored)
    if type(found) is property:
        return _property(a, found, value)
    if type(found) is _TUPLE_FIELD:
        return live(found.__get__(o))
    _no_data_descriptor(found)
    fields = own_fields(o)
    if fields is None:
        fields = {}
    if type(fields) is not dict:
        raise Unknown("a __dict__ of its own")
    current = fields.get(name, MISSING)
    if current is not MISSING or stored is not None:
        known = [value for value in (live(current) if current is not MISSING else None, stored) if value is not None]
        return known[0] if len(known) == 1 else join(*known)
    return _from_class(value, found, name)


def own_fields(o: Any) -> Any:
    """The `__dict__` of an object; None if there is none."""
    for base in classes(type(o)):
        found = class_vars(base).get("__dict__")
        if type(found) is types.GetSetDescriptorType or type(found) is types.MemberDescriptorType:
            return found.__get__(o) if has_dict(o) else None
    return None


def _of_new(a: Analysis, value: Value, name: str) -> Value:
    assert value.cls is not None
    found = _in_class(value.cls, name)
    if type(found) is property:
        return _property(a, found, value)
    _no_data_descriptor(found)
    known: Value | None = value.inner.get(name)
    return known if known is not None else _from_class(value, found, name)


def _from_class(value: Value, found: Any, name: str) -> Value:
    if found is MISSING:
        cls = value.cls or type(value.o)
        if any("__getattr__" in class_vars(base) for base in classes(cls)):
            raise Unknown("a __getattr__ of its own")
        return SOMETHING  # an AttributeError
    if type(found) is types.FunctionType:
        return Value(BOUND, inner=(value, found))
    if type(found) is staticmethod:
        return live(found.__func__)
    if type(found) is classmethod:
        return Value(BOUND, inner=(live(value.cls or type(value.o)), found.__func__))
    _no_descriptor(found)
    return live(found)


def _property(a: Analysis, found: property, value: Value) -> Value:
    if type(found.fget) is not types.FunctionType:
        raise Unknown("a property")
    return call_own(a, found.fget, [value], {})


def _in_class(cls: type, name: str) -> Any:
    """What the class has under that name; MISSING if nothing."""
    found = MISSING
    for base in classes(cls):
        own = class_vars(base)
        if base is not object and base is not tuple and "__getattribute__" in own:
            raise Unknown("a __getattribute__ of its own")
        if found is MISSING and name in own:
            found = own[name]
    return found


def _no_data_descriptor(found: Any) -> None:
    if found is not MISSING and any("__set__" in class_vars(base) for base in classes(type(found))):
        raise Unknown("a descriptor")


def _no_descriptor(found: Any) -> None:
    if any("__get__" in class_vars(base) for base in classes(type(found))):
        raise Unknown("a descriptor")


def _of_class(a: Analysis, value: Value, name: str) -> Value:
    cls = value.o
    if not inherits(type(cls), type):
        raise Unknown("a class of some kind")
    if not owned_class(cls):
        if name.startswith("__"):
            raise Unknown("a special attribute")
        return Value(METHOD, inner=(value, name))
    if type(cls) is not type:
        raise Unknown("a metaclass")
    found = _in_class(cls, name)
    stored = a.written.get((identity(cls), name))
    if found is MISSING or stored is not None or name.startswith("__"):
        raise Unknown("an attribute of a class")
    if type(found) is types.FunctionType:
        return live(found)
    if type(found) is staticmethod:
        return live(found.__func__)
    if type(found) is classmethod:
        return Value(BOUND, inner=(value, found.__func__))
    _no_descriptor(found)
    return live(found)
