"""Members that a module of a library does not have."""

from __future__ import annotations

import ast
import importlib.util
import sys
from types import FunctionType, ModuleType
from typing import Any

from reflex_ipython.base.classes import is_exactly, module_vars
from reflex_ipython.base.library_files import is_library
from reflex_ipython.foreseen.changed import PossibleChanges, stores
from reflex_ipython.foreseen.reach import codes_of

_ANSWERS_BY_NAME = frozenset({"numpy"})
"""Modules with a `__getattr__` that only gives what its code, or a table which that reads, has by name."""
_TABLES = (dict, set, frozenset, list, tuple)
_OF_EVERY = frozenset(dir(ModuleType))


def find(
    node: ast.expr, namespace: dict[str, Any], changed: PossibleChanges, inside: PossibleChanges
) -> AttributeError | None:
    """What asking a module for a member raises."""
    if not (isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name)):
        return None
    name = node.value.id
    if name in changed.bound or name in inside.bound or node.attr in changed.attributes | inside.attributes:
        return None
    module = dict.get(namespace, name)
    if type(module) is not ModuleType or not _is_known(module):
        return None
    members = module_vars(module)
    if (
        node.attr in members
        or node.attr in _OF_EVERY
        or _may_answer(members, node.attr)
        or _may_come(module, node.attr)
        or stores(module, node.attr)
    ):
        return None
    text = f"module {members['__name__']!r} has no attribute {node.attr!r}"
    return AttributeError(text, name=node.attr, obj=module)


def _is_known(module: ModuleType) -> bool:
    """Whether it is a module of a library: one of the user's may get members by whatever runs."""
    members = module_vars(module)
    file, name = members.get("__file__"), members.get("__name__")
    if file is None:  # one that was made by hand has none either
        return name in sys.builtin_module_names
    return type(name) is str and type(file) is str and is_library(file)


def _may_come(module: ModuleType, name: str) -> bool:
    """Whether there is a submodule of that name, which anything may import."""
    members = module_vars(module)
    if "__path__" not in members:
        return False
    try:
        return importlib.util.find_spec(f"{members['__name__']}.{name}") is not None
    except Exception:  # noqa: BLE001 - finders are foreign code; then it is not known
        return True


def _may_answer(members: dict[str, Any], name: str) -> bool:
    """Whether a module's own `__getattr__` may give a member of that name."""
    answers = members.get("__getattr__")
    if answers is None:
        return False
    if type(answers) is not FunctionType or members["__name__"] not in _ANSWERS_BY_NAME:
        return True
    for code in codes_of(answers):
        tables = [members.get(read) for read in code.co_names]
        known = [*code.co_consts, *(one for one in tables if is_exactly(one, _TABLES))]
        if name in code.co_names or any(name == one or _has(one, name) for one in known):
            return True
    return False


def _has(table: Any, name: str) -> bool:
    return is_exactly(table, _TABLES) and any(type(one) is str and one == name for one in list(table))
