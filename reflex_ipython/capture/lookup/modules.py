"""Modules that are not installed, and names that a module does not have."""

from __future__ import annotations

import ast
import os
import re
import sys
import types
from collections.abc import Iterator
from typing import Any

from reflex_ipython.base.classes import module_vars
from reflex_ipython.capture import chain, libraries, safe_inspection, statement
from reflex_ipython.capture.lookup.module_files import modules_in
from reflex_ipython.capture.lookup.own_modules import alike, defining, files_called, has_by_now
from reflex_ipython.capture.lookup.requirements import asked_for
from reflex_ipython.capture.trace import Step, user_step
from reflex_ipython.models import Lookup

_NAME = re.compile(r"cannot import name '(\w+)' from (?:partially initialized module )?'([\w.]+)'")
_MODULE = re.compile(r"No module named '([\w.]+)'")
_REMOVED = re.compile(r"\s*[`'\"]?(\w+)[`'\"]? (?:has been|was|is) removed\b")


def find(exc: BaseException, steps: list[Step]) -> Lookup | None:
    """The module or name, and what could be imported instead."""
    text = chain.message(exc)
    if safe_inspection.is_a(exc, ModuleNotFoundError):
        given = chain.field(exc, ImportError, "name")
        found = _MODULE.search(text)
        wanted = given if type(given) is str else found[1] if found else None
        return _missing_module(wanted, _asked_of_it(wanted, steps)) if wanted else None
    found = _NAME.search(text)
    return _missing_name(found[1], found[2]) if found else _removed(text, steps)


def _removed(text: str, steps: list[Step]) -> Lookup | None:
    """A name that a module refuses in words of its own: "`load_boston` has been removed from scikit-learn"."""
    found, step = _REMOVED.match(text), user_step(steps)
    node = statement.statement(step) if found and step else None
    if found is None or step is None or node is None:
        return None
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return _missing_name(found[1], node.module)
    for access in statement.failing(step):  # datasets.load_boston()
        if isinstance(access, ast.Attribute) and access.attr == found[1]:
            owner = statement.evaluate(access.value, step)
            name = module_vars(owner).get("__name__") if safe_inspection.is_a(owner, types.ModuleType) else None
            return _missing_name(found[1], name) if type(name) is str else None
    return None


def _asked_of_it(wanted: str, steps: list[Step]) -> str:
    """The name that was to be imported from a module that is not there; empty if there is not just one."""
    step = user_step(steps)
    node = statement.statement(step) if step else None
    if not isinstance(node, ast.ImportFrom) or node.level or len(node.names) != 1:
        return ""
    return node.names[0].name if (node.module or "").partition(".")[0] == wanted else ""


def _missing_module(wanted: str, name: str) -> Lookup:
    """A submodule is compared with its siblings, by full names; anything else with all that is installed."""
    parent = wanted.rpartition(".")[0]
    package = sys.modules.get(parent) if parent else None
    if package is None:
        there = libraries.labels(installed())
        near = files_called(wanted) if not parent else {}
        defined = defining(name) if name and name != "*" and not parent else {}
        near = near or {**alike(wanted), **defined}
        return Lookup("module", wanted, available=there, holders=near, requirement=asked_for(wanted))
    siblings = (f"{parent}.{name}" for name in _submodules(package))
    return Lookup("module", wanted, parent, safe_inspection.type_name(package), libraries.labels(siblings))


def _missing_name(wanted: str, owner: str) -> Lookup:
    module = sys.modules.get(owner)
    if module is None:
        return Lookup("import", wanted, owner)
    names = dict.fromkeys([*safe_inspection.public(safe_inspection.names(module)), *_submodules(module)])
    changed = has_by_now(module, wanted)
    return Lookup("import", wanted, owner, safe_inspection.type_name(module), libraries.labels(names), changed)


def installed() -> Iterator[str]:
    """The top-level modules that could be imported: installed ones first, then Python's own."""
    found: dict[str, None] = {}
    for folder in sys.path:
        if type(folder) is str:
            found.update(dict.fromkeys(modules_in(folder or os.curdir)))
    yield from found
    yield from (name for name in sorted(sys.stdlib_module_names) if not name.startswith("_") and name not in found)


def _submodules(package: Any) -> Iterator[str]:
    path = module_vars(package).get("__path__") if safe_inspection.is_a(package, types.ModuleType) else None
    for folder in path if type(path) is list else ():
        yield from (name for name in modules_in(folder) if not name.startswith("_"))
