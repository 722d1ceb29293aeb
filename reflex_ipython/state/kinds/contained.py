"""What is in the dicts, lists, sets and generators of random numbers that a library keeps: as they were, put back."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from reflex_ipython.base.classes import inherits
from reflex_ipython.state.kinds.containers import identical

Contained = list[tuple[Any, Any]]
"""Containers, each with a copy of what was in it; those inside others come after them."""
_LEVELS = 3
_MOST = 5_000
"""Containers that are looked at for others inside them."""


def _base(value: Any) -> Any:
    for base in (dict, list, set, random.Random):
        if inherits(type(value), base):
            return base
    return None


def copy_of(value: Any) -> Any:
    """A copy of what is in it; None for what is no container."""
    base = _base(value)
    if base is dict:
        return dict.copy(value)
    if base is random.Random:
        return random.Random.getstate(value)
    return None if base is None else base.copy(value)


def has_still(value: Any, copy: Any) -> bool:
    """Whether the very same is in it as when it was copied."""
    base = _base(value)
    if base is None:
        return True
    if base is random.Random:
        return bool(random.Random.getstate(value) == copy)
    if base is set:
        return set(map(id, set.__iter__(value))) == set(map(id, copy))
    if base is list:
        return identical(list.__iter__(value), copy, list.__len__(value))
    same_keys = identical(iter(dict.keys(value)), copy.keys(), dict.__len__(value))
    return same_keys and identical(iter(dict.values(value)), copy.values(), dict.__len__(value))


def put_into(value: Any, copy: Any) -> None:
    """Put back what was in it."""
    base = _base(value)
    if has_still(value, copy):
        return
    if base is list:
        list.__setitem__(value, slice(None), copy)
    elif base is random.Random:
        random.Random.setstate(value, copy)
    elif base is set:
        set.clear(value)
        set.update(value, copy)
    else:
        dict.clear(value)
        dict.update(value, copy)


def all_contained(values: Iterable[Any]) -> Contained:
    """What is in those of the values that are containers, and in the containers inside them.

    Parameters
    ----------
    values : iterable
    """
    found: Contained = []
    level = list(values)
    for _ in range(_LEVELS):
        level = [value for value in level if _base(value) in (dict, list, set)]
        found += [(value, copy_of(value)) for value in level]
        level = [part for value in level for part in _parts(value)]
        if len(level) > _MOST:
            break
    return found


def _parts(value: Any) -> Iterable[Any]:
    base = _base(value)
    if base is dict:
        return dict.values(value)
    return list.__iter__(value) if base is list else ()


def have_still(contained: Contained) -> bool:
    """Whether all of it is as it was."""
    return all(has_still(value, copy) for value, copy in contained)


def put_back_into(contained: Contained) -> None:
    """Put all of it back."""
    for value, copy in contained:
        put_into(value, copy)
