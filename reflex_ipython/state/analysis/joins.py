"""What is known of a value that is one of two."""

from __future__ import annotations

from reflex_ipython.state.analysis.plain import only_atoms, plain
from reflex_ipython.state.analysis.values import (
    ATOM,
    BOX,
    DATA,
    FRESH_DATA,
    SOME_ATOM,
    SOME_DATA,
    SOMETHING,
    TEXT,
    Value,
    box,
)
from reflex_ipython.state.kinds.instances import MISSING

_DEPTH = 4


def join(some: Value, other: Value) -> Value:
    """What is known of a value that is one of two."""
    if some is other or (some.form == ATOM == other.form and some.o is other.o is MISSING and some.cls is other.cls):
        return some
    if some.o is not MISSING and some.o is other.o and some.form == other.form:
        return some
    if some.form == ATOM == other.form:
        return TEXT if _is_text(some) and _is_text(other) else SOME_ATOM
    if some.form <= DATA and other.form <= DATA:
        if not _verified(some) or not _verified(other):
            return SOMETHING
        return FRESH_DATA if some.fresh and other.fresh else _data_of(some, other)
    if some.form == BOX == other.form and some.fresh and other.fresh and some.cls is other.cls:
        joined = box(some.cls or list, join_inner(some.inner, other.inner))
        joined.shared = some.shared = other.shared = True
        return joined
    if some.form <= BOX and other.form <= BOX and _plain_parts(some) and _plain_parts(other):
        some.shared = other.shared = True
        return SOME_DATA
    return SOMETHING


def join_inner(some: Value | None, other: Value | None) -> Value | None:
    """The same of what may be in two containers, of which one may be empty."""
    if some is None or other is None:
        return some or other
    return join(some, other)


def all_fresh(value: Value, spread: int = 1, depth: int = _DEPTH) -> bool:
    """Whether nothing that can be written to and was there before goes over into data that are made of the value.

    Parameters
    ----------
    value : Value
    spread : int
        Of how many levels of containers the items go over, and not the containers themselves.
    depth : int
        Levels that are looked at.
    """
    form = value.form
    if form == ATOM:
        return True
    if form == DATA:
        return value.fresh
    if form != BOX or depth == 0:
        return False
    if value.o is not MISSING:
        return only_atoms(value.o) and (spread > 0 or type(value.o) is tuple or type(value.o) is frozenset)
    if spread <= 0:
        value.shared = True  # it may be an object in a cell from now on
    if value.parts is not None:
        return all(all_fresh(part, spread - 1, depth - 1) for part in value.parts)
    return value.fresh and (value.inner is None or all_fresh(value.inner, spread - 1, depth - 1))


def _is_text(value: Value) -> bool:
    return value.cls is str or type(value.o) is str


def _verified(value: Value) -> bool:
    return value.form == ATOM or value.o is MISSING or plain(value.o)


def _data_of(some: Value, other: Value) -> Value:
    """One of two, of which each may be a window: on the same object, or on who knows what."""
    mutable = [value for value in (some, other) if not value.fresh and value.form == DATA]
    owners = [(value.owner or value).o for value in mutable]
    if owners[0] is not MISSING and all(owner is owners[0] for owner in owners):
        return Value(DATA, owner=mutable[0].owner or mutable[0])
    return SOME_DATA


def _plain_parts(value: Value, depth: int = _DEPTH) -> bool:
    """Whether a fresh container, which nobody can put anything else into from now on, is plain."""
    if value.form <= DATA:
        return _verified(value)
    if value.form != BOX or not value.fresh or depth == 0:
        return False
    return value.inner is None or _plain_parts(value.inner, depth - 1)
