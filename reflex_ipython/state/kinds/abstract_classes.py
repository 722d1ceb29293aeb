"""What abstract classes know of others: which were registered with them, and what they answered when they were asked.

`isinstance(o, Sized)` is worked out once for the class of `o` and remembered for good, whatever methods that has later.
All of it is in sets of weak references, whose callbacks know the set that each is in.
"""

from __future__ import annotations

import weakref
from _abc import _abc_register, _get_dump, _reset_caches  # type: ignore[import-not-found]  # comes without types
from types import BuiltinFunctionType
from typing import Any

from reflex_ipython.state.kinds.kind import Kind, no_objects
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.references import callback

_TAKES_OUT = "_destroy"
"""What the callbacks are called that take a class which has ended out of such a set."""


def _take_out(reference: Any) -> None:
    where = reference.__callback__.__self__()
    if where is not None:
        where.discard(reference)


# ------------------------------------------------------------------------------------------ what was registered


def _registered(o: Any) -> set[Any]:
    """Weak references to the classes that were registered by `o.register`."""
    return _get_dump(o)[0]  # type: ignore[no-any-return]  # a function of C


def _restore_registered(o: Any, saved: set[Any]) -> None:
    now, then = ({identity(reference): reference for reference in some} for some in (_registered(o), saved))
    for key in now.keys() - then.keys():
        _take_out(now[key])
    for cls in [then[key]() for key in then.keys() - now.keys()]:
        if cls is not None:
            _abc_register(o, cls)
    _reset_caches(o)


def _same_registered(o: Any, saved: set[Any]) -> bool:
    return {id(reference()) for reference in _registered(o)} == {id(reference()) for reference in saved}


REGISTERED = Kind(
    "classes registered with an abstract class",
    "exact",
    lambda o, walk: _registered(o),
    _same_registered,
    _restore_registered,
    instance=False,
)


# ------------------------------------------------------------------------------------------ what was answered


def _answers(o: Any) -> list[Any]:
    """The weak references to the class in all such sets."""
    return [reference for reference in weakref.getweakrefs(o) if _is_answer(callback(reference))]


def _is_answer(called: Any) -> bool:
    return type(called) is BuiltinFunctionType and called.__name__ == _TAKES_OUT


def _new_answers(o: Any, saved: list[Any]) -> list[Any]:
    known = set(map(identity, saved))
    return [reference for reference in _answers(o) if identity(reference) not in known]


def _restore_answers(o: Any, saved: list[Any]) -> None:
    for reference in _new_answers(o, saved):
        _take_out(reference)


ANSWERS = Kind(
    "what abstract classes remember of a class",
    "exact",
    lambda o, walk: _answers(o),
    lambda o, saved: not _new_answers(o, saved),
    _restore_answers,
    instance=False,
    holds=no_objects,
)
"""Of the user's classes. An answer of before stays as well: Python gives it again, whatever the class has since."""
