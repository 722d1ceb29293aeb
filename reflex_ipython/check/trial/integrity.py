"""Whether the code that runs a trial is still the code that it was: a cell can replace any of it, in one process.

What it replaces and puts back meanwhile stays unseen here. That can't make a failure look like a success, since it is
told at once, by a frame that runs already, that an exception left the cell.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, NamedTuple

PACKAGE = __name__.partition(".")[0]
TRIAL = __name__.rpartition(".")[0]
_PARENT, _, _OWN = TRIAL.rpartition(".")

_ROOMS_ELSEWHERE = (
    *("propose", "present", "remember", "repairs", "foreseen", "check.critic", "capture.similar"),
    *("ipython.from_page", "ipython.from_kernel"),
)
ELSEWHERE = tuple(f"{PACKAGE}.{room}." for room in _ROOMS_ELSEWHERE)
"""The rooms of which no code runs in a copy, so that nothing there need be looked at: nearly half of all our names."""
BEFORE = tuple(f"{PACKAGE}.{room}." for room in ("state.kinds", "state.analysis"))
"""The same of those that put the state back before the cell: none runs once code has begun that may replace some.

Each name that is looked at touches its object, and so copies a page that is shared with the kernel: 10,000 names took
8 ms behind each trial.
"""

_USED = {
    "builtins": ("len", "isinstance", "issubclass", "type", "getattr", "hasattr", "vars", "id", "hash", "repr", "str"),
    "dataclasses": ("asdict", "replace", "fields"),
    "json.encoder": ("JSONEncoder", "c_make_encoder"),
}
"""What a report is made with, besides our own."""

_CODE = frozenset({FunctionType, BuiltinFunctionType, classmethod, staticmethod, property, ModuleType})
"""Of the exact types of code, besides classes: a set, since 20,000 values are asked while the kernel waits."""
_FUNCTION = ("__code__", "__defaults__", "__kwdefaults__")

_MISSING = object()


class Place(NamedTuple):
    """Where code is.

    Parameters
    ----------
    names : mapping
        Those of a module, class or object, as they are at any time.
    meant : dict
        What those that matter meant when it was looked at.
    told : str
        What the whole is called.
    """

    names: Mapping[str, Any]
    meant: dict[str, Any]
    told: str


class _Looked(NamedTuple):
    """What was found in a module, itself first, and how many names it had then."""

    places: list[Place]
    size: int


_looked: dict[str, _Looked] = {}
"""By a module's name."""


def attacked(event: str, arguments: tuple[Any, ...]) -> str:
    """How an audit event shows that the cell's code reaches into the trial itself; empty if it does not.

    Parameters
    ----------
    event : str
    arguments : tuple
    """
    if event == "import" and type(arguments[0]) is str and arguments[0].startswith(TRIAL):
        return f"it imported {arguments[0]}"
    if event == "object.__setattr__" and arguments[1] in _FUNCTION and type(arguments[0]) is FunctionType:
        module = arguments[0].__module__
        if type(module) is str and module.startswith(PACKAGE + "."):
            return f"it changed {module}.{arguments[0].__name__}"
    return ""


def look() -> None:
    """Find where our own code is. In the kernel, which so does it once for all its copies.

    It does not look again whether a name means what it meant: 20,000 objects would be touched while the kernel waits,
    and each page of theirs copied that it shares with an earlier copy. That is for `look_anew`.
    """
    for name, module in list(sys.modules.items()):
        if _is_involved(name) and type(module) is ModuleType:
            names, looked = vars(module), _looked.get(name)
            if looked is None or looked.places[0].names is not names or looked.size != len(names):
                _looked[name] = _Looked(list(_of_module(names, module.__name__)), len(names))


def look_anew() -> bool:
    """Look at all of it again: whether something was replaced in the kernel since a `look` had found it.

    For the process that is copied, once a candidate has found that: else it was the candidate's cell.
    """
    is_other = False
    for name, looked in list(_looked.items()):
        first = looked.places[0]
        places = list(_of_module(first.names, first.told))
        if not _are_same(places, looked.places):
            is_other, _looked[name] = True, _Looked(places, len(first.names))
    return is_other


def seal(owners: Iterable[tuple[Any, str]]) -> Callable[[], str]:
    """Take down what the code is, and take the trial's own modules out of Python's table. In a copy, after a `look`.

    Whoever imports one from now on gets another, and is seen doing it.

    Parameters
    ----------
    owners : iterable of (object, str)
        Modules, classes or objects besides, and the name of what the trial relies on there.

    Returns
    -------
    callable
        Says what is not what it was found to be, or was when it was taken down; empty if nothing. It looks nothing up
        that could have been replaced.
    """
    _hide()
    found = list(chain.from_iterable(looked.places for looked in _looked.values()))
    _looked.clear()  # nobody else is to get at what it is compared with
    kept, missing = [*found, *_standard(), *_of(owners)], _MISSING

    def broken() -> str:
        for names, meant, told in kept:
            for name, value in meant.items():
                if names.get(name, missing) is not value:
                    return f"it replaced {told}.{name}"
        return ""

    return broken


def _hide() -> None:
    """The table of all modules is not looked through: that would touch, and so copy, some 700 pages."""
    own = [name for name in _looked if name.startswith(TRIAL)]
    if TRIAL in sys.modules:
        own += [f"{TRIAL}.{name}" for name in vars(sys.modules[TRIAL])]  # those that were imported since
    for name in own:
        sys.modules.pop(name, None)
    if _PARENT in sys.modules:
        vars(sys.modules[_PARENT]).pop(_OWN, None)


def _is_involved(name: str) -> bool:
    room = f"{name}."
    return room.startswith(f"{PACKAGE}.") and not room.startswith((*ELSEWHERE, *BEFORE))


def _are_same(places: list[Place], others: list[Place]) -> bool:
    """Whether the same names mean the same objects, in the same order: that of classes is the order of their names."""
    return len(places) == len(others) and all(map(_is_same, places, others))


def _is_same(place: Place, other: Place) -> bool:
    one, two = place.meant, other.meant
    return place.told == other.told and one.keys() == two.keys() and all(one[name] is two[name] for name in one)


def _of_module(names: Mapping[str, Any], told: str) -> Iterator[Place]:
    place = Place(names, _code(names), told)
    yield place
    for value in place.meant.values():
        if isinstance(value, type) and value.__module__ == told:
            methods = vars(value)  # a view, which shows later changes
            yield Place(methods, _code(methods), f"{told}.{value.__name__}")
    if told == _PARENT:
        place.meant.pop(_OWN, None)  # which `seal` takes away


def _code(names: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in names.items() if type(value) in _CODE or isinstance(value, type)}


def _standard() -> Iterator[Place]:
    for module, names in _USED.items():
        if module in sys.modules:
            yield from _of((sys.modules[module], name) for name in names)
    yield from _of((json.JSONEncoder, name) for name in ("encode", "iterencode"))


def _of(owners: Iterable[tuple[Any, str]]) -> Iterator[Place]:
    for owner, name in owners:
        names = vars(owner)
        told = str(getattr(owner, "__name__", type(owner).__name__))
        yield Place(names, {name: names.get(name, _MISSING)}, told)
