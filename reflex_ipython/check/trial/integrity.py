"""Whether the code that runs a trial is still the code that it was: a cell can replace any of it, in one process.

What it replaces and puts back meanwhile stays unseen here. That can't make a failure look like a success, since it is
told at once, by a frame that runs already, that an exception left the cell.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

PACKAGE = __name__.partition(".")[0]
TRIAL = __name__.rpartition(".")[0]

_USED = {
    "builtins": ("len", "isinstance", "issubclass", "type", "getattr", "hasattr", "vars", "id", "hash", "repr", "str"),
    "dataclasses": ("asdict", "replace", "fields"),
    "json.encoder": ("JSONEncoder", "c_make_encoder"),
}
"""What a report is made with, besides our own."""

_CODE = (FunctionType, BuiltinFunctionType, classmethod, staticmethod, property, type)
_NAMED = (*_CODE, ModuleType)
_FUNCTION = ("__code__", "__defaults__", "__kwdefaults__")

_MISSING = object()

Place = tuple[dict[str, Any], str, Any, str]
"""The names of a module, class or object; one of them; what it means; and what the whole is called."""


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


def places() -> list[Place]:
    """Where our own code is, and what a report is made with: as it is now.

    In the kernel, right before the copy is made: there it touches no page of memory that would have to be copied.
    """
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == PACKAGE]
    return [*_inside(modules), *_standard()]


def seal(found: list[Place], owners: Iterable[tuple[Any, str]]) -> Callable[[], str]:
    """Take down what the code is, and take the trial's own modules out of Python's table.

    Whoever imports one from now on gets another, and is seen doing it.

    Parameters
    ----------
    found : list of Place
        Those of `places`.
    owners : iterable of (object, str)
        Modules, classes or objects besides, and the name of what the trial relies on there.

    Returns
    -------
    callable
        Says what has been replaced since; empty if nothing. It looks nothing up that could have been replaced.
    """
    _hide()
    kept, missing = [*found, *_of(owners)], _MISSING

    def broken() -> str:
        for names, name, value, told in kept:
            if names.get(name, missing) is not value:
                return f"it replaced {told}.{name}"
        return ""

    return broken


def _hide() -> None:
    parent, _, own = TRIAL.rpartition(".")
    for name in [name for name in sys.modules if name == TRIAL or name.startswith(TRIAL + ".")]:
        del sys.modules[name]
    if parent in sys.modules:
        vars(sys.modules[parent]).pop(own, None)


def _inside(modules: Iterable[Any]) -> Iterator[Place]:
    for module in modules:
        if type(module) is ModuleType:
            names = vars(module)
            told = module.__name__
            for name, value in list(names.items()):
                if isinstance(value, _NAMED) and not _is_hidden(value):
                    yield names, name, value, told
                    if isinstance(value, type) and value.__module__ == told:
                        yield from _methods(value)


def _is_hidden(value: Any) -> bool:
    return type(value) is ModuleType and value.__name__ == TRIAL


def _methods(kind: type) -> Iterator[Place]:
    names: Any = vars(kind)  # a view, which shows later changes
    told = f"{kind.__module__}.{kind.__name__}"
    for name, value in names.items():
        if isinstance(value, _CODE):
            yield names, name, value, told


def _standard() -> Iterator[Place]:
    for module, names in _USED.items():
        if module in sys.modules:
            yield from _of((sys.modules[module], name) for name in names)
    yield from _of((json.JSONEncoder, name) for name in ("encode", "iterencode"))


def _of(owners: Iterable[tuple[Any, str]]) -> Iterator[Place]:
    for owner, name in owners:
        names = vars(owner)
        told = str(getattr(owner, "__name__", type(owner).__name__))
        yield names, name, names.get(name, _MISSING), told
