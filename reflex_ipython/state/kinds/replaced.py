"""Functions of the user's in the place of a library's: `json.JSONEncoder.default = mine`, `DataFrame.shown = mine`.

Where code sets attributes of modules and classes, these are noted (`modules.chosen_attributes`); which of them are
functions of the user's is asked before the next statement that is looked at. The library calls them from then on.
"""

from __future__ import annotations

import ast
import sys
import weakref
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any

from reflex_ipython.base.classes import class_vars, inherits, is_exactly, module_name
from reflex_ipython.state.user_code import contents, is_users

_Find = Callable[[], Any]
_may: list[tuple[_Find, dict[str, int]]] = []
"""What statements could set since that was asked last: a module or class, by names the identity of what was there."""
_are: dict[tuple[int, str], tuple[_Find, str, str]] = {}
"""The package, the module or class and the name of those that are there."""
_PLACES = (property, staticmethod, classmethod)


def may_be_set(o: Any, before: Mapping[str, Any]) -> None:
    """A statement may set these attributes of a module or class of a library.

    Parameters
    ----------
    o : module or class
    before : mapping of str to object
        What they are now.
    """
    _may.append((_finder(o), {name: id(value) for name, value in before.items()}))


def _finder(o: Any) -> _Find:
    if inherits(type(o), type):
        return weakref.ref(o)
    name = contents(o).get("__name__")
    return lambda: sys.modules.get(name) if type(name) is str else None


def replacing() -> Iterator[Any]:
    """The functions of the user's that are there now."""
    _look()
    for key, (find, name, _) in list(_are.items()):
        found = _function(find(), name)
        if found is None:
            del _are[key]
        else:
            yield found


def _look() -> None:
    waiting, _may[:] = _may[:], []
    for find, before in waiting:
        o = find()
        here = {} if o is None else _attributes(o)
        for name in [name for name, was in before.items() if name in here and id(here[name]) != was]:
            if _function(o, name) is not None:
                module = contents(o).get("__name__") if inherits(type(o), ModuleType) else module_name(o)
                _are[id(o), name] = find, name, str(module).partition(".")[0]


def _attributes(o: Any) -> Mapping[str, Any]:
    return class_vars(o) if inherits(type(o), type) else contents(o)


def _function(o: Any, name: str) -> Any:
    found: Any = None if o is None else _attributes(o).get(name)
    if type(found) is property:
        found = found.fget
    elif is_exactly(found, _PLACES):
        found = found.__func__
    return found if found is not None and is_users(found) else None


def may_reach(node: ast.AST, namespace: Mapping[str, Any]) -> bool:
    """Whether a statement may call one of them, by the packages of what it names.

    Parameters
    ----------
    node : ast.AST
    namespace : mapping
        What the names mean.
    """
    if _may:
        _look()
    if not _are:
        return False
    packages = {package for *_, package in _are.values()}
    names = {each.id for each in ast.walk(node) if type(each) is ast.Name}
    return any(_is_of(namespace[name], packages) for name in names if name in namespace)


def _is_of(o: Any, packages: set[str]) -> bool:
    if type(o) is FunctionType and is_users(o):
        return True  # who knows what it calls
    if inherits(type(o), ModuleType):
        name = contents(o).get("__name__")
    else:
        name = getattr(o, "__module__", None) if type(o) is FunctionType else module_name(type(o))
        name = module_name(o) if inherits(type(o), type) else name
    return type(name) is str and name.partition(".")[0] in packages


def forget() -> None:
    """Know of none any more: whoever has set them has taken them away."""
    _may.clear()
    _are.clear()
