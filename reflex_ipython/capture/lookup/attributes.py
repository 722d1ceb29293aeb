"""Attributes that an object, class or module does not have."""

from __future__ import annotations

import ast
import re
import sys
import types
from typing import Any

from reflex_ipython.base.classes import module_vars
from reflex_ipython.capture import chain, libraries, safe_inspection, statement
from reflex_ipython.capture import tables as pandas_tables
from reflex_ipython.capture.labels import levels
from reflex_ipython.capture.lookup.own_modules import has_by_now
from reflex_ipython.capture.trace import Step, user_step
from reflex_ipython.models import Lookup

_MODULE = re.compile(r"module '([\w.]+)' has no attribute '(\w+)'")
_OBJECT = re.compile(r"'([\w.]+)' object has no attribute '(\w+)'")


def find(exc: BaseException, steps: list[Step]) -> Lookup | None:
    """The attribute, who was asked for it, and the public names that are there."""
    text = chain.message(exc)
    in_message = _MODULE.search(text) or _OBJECT.search(text)
    wanted = chain.field(exc, AttributeError, "name")
    owner = chain.field(exc, AttributeError, "obj")
    if type(wanted) is not str:
        if in_message is None:
            return None
        wanted, owner = in_message[2], None
    nodes = _nodes(steps, wanted)
    if owner is None and not text.startswith("'NoneType'"):
        owner = _unnamed(in_message, nodes, steps)
    if owner is safe_inspection.MISSING:
        written = statement.write(nodes[0].value) if nodes else ""
        return Lookup("attribute", wanted, written, in_message[1] if in_message else "")
    known = there(owner, wanted)
    if safe_inspection.is_a(owner, types.ModuleType) and wanted not in module_vars(owner):
        known = tuple(name for name in known if name != wanted)  # `__all__` names a module that was not imported
    table = libraries.frame(libraries.grouped(owner))
    named = levels(table.index) if table is not None else ()
    written, kind = _written(nodes, owner, steps), safe_inspection.type_name(owner)
    changed = has_by_now(owner, wanted) if safe_inspection.is_a(owner, types.ModuleType) else {}
    return Lookup("attribute", wanted, written, kind, known, changed, levels=named)


def there(owner: Any, wanted: str = "") -> tuple[str, ...]:
    """The names that can be asked for after a dot: a table's columns first."""
    names = safe_inspection.names(owner)
    shown = (
        [name for name in names if not name.startswith("__")]
        if wanted.startswith("_")
        else safe_inspection.public(names)
    )
    table = libraries.frame(libraries.grouped(owner))
    columns = pandas_tables.column_labels(table) if table is not None else ()
    return libraries.labels(dict.fromkeys([*columns, *shown]))


def _nodes(steps: list[Step], wanted: str) -> list[ast.Attribute]:
    """Where the user's code asks for the attribute."""
    step = user_step(steps)
    nodes = statement.failing(step) if step else []
    return [node for node in nodes if isinstance(node, ast.Attribute) and node.attr == wanted]


def _unnamed(in_message: re.Match[str] | None, nodes: list[ast.Attribute], steps: list[Step]) -> Any:
    """The owner, where the exception does not carry it."""
    if in_message is not None and in_message.re is _MODULE:
        return sys.modules.get(in_message[1], safe_inspection.MISSING)
    step = user_step(steps)
    return statement.evaluate(nodes[0].value, step) if nodes and step else safe_inspection.MISSING


def _written(nodes: list[ast.Attribute], owner: Any, steps: list[Step]) -> str:
    """The expression that the user wrote for the owner, else the owner's own name."""
    step = user_step(steps)
    values = [statement.evaluate(node.value, step) for node in nodes] if step else []
    for node, value in zip(nodes, values):
        if value is owner:
            return statement.write(node.value)
    for node, value in zip(nodes, values):
        if value is safe_inspection.MISSING or type(value) is type(
            owner
        ):  # made anew each time, as a table's columns are
            return statement.write(node.value)
    if safe_inspection.is_a(owner, types.ModuleType):
        name = module_vars(owner).get("__name__")
        return name if type(name) is str else ""
    return safe_inspection.class_name(owner) if safe_inspection.is_a(owner, type) else safe_inspection.type_name(owner)
