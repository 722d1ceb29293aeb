"""Secrets that the user's variables and the environment hold: a message may quote one without saying what it is."""

from __future__ import annotations

import enum
import itertools
import sys
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reflex_ipython.base.classes import is_exactly, module_name, module_vars
from reflex_ipython.base.library_files import is_library
from reflex_ipython.capture import libraries, safe_inspection
from reflex_ipython.capture.bounds import SummaryDeadline, attempt
from reflex_ipython.capture.safe_repr import items_of, size_of
from reflex_ipython.capture.secrets.plausible import is_secret
from reflex_ipython.capture.secrets.words import family
from reflex_ipython.capture.trace import own_variables

_NAMES, _ITEMS = 20_000, 1_000  # looked at, of a namespace and of a container
_LONGEST = 10_000
_NO_TEXT = frozenset(map(id, (int, float, complex, bool, type(None))))
"""Types, by identity, whose objects hold no text: what most names stand for is nothing to look at."""
_NO_DATA = (types.FunctionType, types.MethodType, types.BuiltinFunctionType)
_NOT_THE_USERS = ("builtins", "numpy", "pandas", "torch", "IPython", "ipykernel")
"""Packages whose objects have no secrets among their attributes: `exit` leads to the whole of the shell."""
_DEPTH = 3
_TIME = 0.03  # seconds for all


def held_secrets(
    namespace: Mapping[str, Any], environment: Mapping[str, str], traceback: types.TracebackType | None = None
) -> frozenset[str]:
    """The values that stand under a name which announces a secret.

    Parameters
    ----------
    namespace : mapping
        The user's names.
    environment : mapping
        The environment's.
    traceback : traceback or None
        Whose frames' variables are looked at as well.

    Returns
    -------
    frozenset of str
        None of the user's code runs for it. It is not to be kept longer than the kernel lives, nor written anywhere.
    """
    clock = SummaryDeadline(_TIME, _TIME)
    classes: set[int] = set()
    found: set[str] = set()
    for name, value in environment.items():
        found.update(_under(name, value, clock))
    for names in (namespace, *own_variables(traceback)):
        for name, value in itertools.islice(list(names.items()), _NAMES):
            if id(type(value)) in _NO_TEXT:
                continue
            if clock.over:
                return frozenset(found)
            if type(name) is str and not name.startswith(("_i", "_o", "__")):
                found.update(attempt((), _known, name, value, clock, classes))
    return frozenset(found)


def _known(name: str, value: Any, clock: SummaryDeadline, classes: set[int]) -> tuple[str, ...]:
    return (*_under(name, value, clock), *_inside(value, clock, classes, _DEPTH))


def _under(name: str, value: Any, clock: SummaryDeadline) -> Iterator[str]:
    """The texts that this name announces, if it announces any."""
    kind = family(name)
    if kind is None:
        return
    for text in _texts(value, clock):
        if len(text) <= _LONGEST and is_secret(kind, text, name=name):
            yield text


def _texts(value: Any, clock: SummaryDeadline) -> Iterable[str]:
    if type(value) is str:
        return [value]
    if type(value) is bytes:
        return [value[:_LONGEST].decode("utf-8", "replace")]
    if safe_inspection.is_a(value, enum.Enum):
        return _texts(safe_inspection.instance_dict(value).get("_value_"), clock)
    if (column := libraries.series(value)) is not None:
        return [text for text in column.iloc[:_ITEMS].tolist() if type(text) is str]
    if size_of(value) is not None and not safe_inspection.is_a(value, dict):
        return [text for text in itertools.islice(items_of(value), _ITEMS) if type(text) is str]
    return []


def _inside(value: Any, clock: SummaryDeadline, classes: set[int], depth: int) -> Iterator[str]:
    """What keys, attributes and columns announce; `classes`: those, by identity, that were looked at."""
    if depth == 0 or clock.over or is_exactly(value, (str, bytes, int, float, bool, type(None), *_NO_DATA)):
        return
    if (table := libraries.frame(value)) is not None:
        for label in table.columns[:_ITEMS].tolist():
            if type(label) is str and family(label) is not None:
                yield from _under(label, table.loc[:, label], clock)
        return
    if safe_inspection.is_a(value, dict):
        members: Iterable[tuple[Any, Any]] = list(itertools.islice(dict.items(value), _ITEMS))
    elif is_exactly(value, (list, tuple)):
        members = [("", item) for item in value[:20]]
    else:
        members = _attributes(value, classes)
    for name, member in members:
        if type(name) is str and id(type(member)) not in _NO_TEXT:
            yield from _under(name, member, clock)
            yield from _inside(member, clock, classes, depth - 1)


def _attributes(value: Any, classes: set[int]) -> Iterator[tuple[str, Any]]:
    """Those of an object, and of what the user has made: a `config` module, a class with settings."""
    if type(value) is types.ModuleType:
        if _is_own_file(value):
            yield from list(itertools.islice(module_vars(value).items(), _ITEMS))
    elif safe_inspection.is_a(value, type):
        yield from _of_classes(value, classes)
    elif safe_inspection.type_name(value).partition(".")[0] not in _NOT_THE_USERS:
        yield from list(itertools.islice(dict.items(safe_inspection.instance_dict(value)), _ITEMS))
        yield from safe_inspection.slots(value)
        yield from _of_classes(type(value), classes)


def _of_classes(cls: type, classes: set[int]) -> Iterator[tuple[str, Any]]:
    for each in safe_inspection.mro(cls):
        if id(each) not in classes:
            classes.add(id(each))
            if _is_own(module_name(each)):
                yield from itertools.islice(safe_inspection.class_dict(each).items(), _ITEMS)


def _is_own(module: str) -> bool:
    found = sys.modules.get(module)
    return module == "__main__" or (type(found) is types.ModuleType and _is_own_file(found))


def _is_own_file(module: types.ModuleType) -> bool:
    file = module_vars(module).get("__file__")
    return type(file) is str and not is_library(file)
