"""Keyword arguments that a function does not take."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.capture import chain, libraries, safe_inspection, signatures, statement
from reflex_ipython.capture.trace import Step, user_step
from reflex_ipython.models import Lookup

_MESSAGES = (
    re.compile(r"(?:([\w.<>]+)\(\) )?got an unexpected keyword argument '(\w+)'"),
    re.compile(r"()'(\w+)' is an invalid keyword argument for"),
)


def find(exc: BaseException, steps: list[Step]) -> Lookup | None:
    """The argument, the function as the user wrote it, and the names that the refusing function takes."""
    found = next((match for pattern in _MESSAGES if (match := pattern.search(chain.message(exc)))), None)
    step = user_step(steps)
    if found is None or step is None:
        return None
    refusing, wanted = found[1] or "", found[2]
    call = next(_calls(step, wanted), None)
    called = statement.evaluate(call.func, step) if call else safe_inspection.MISSING
    available = _taken_by(refusing, called, steps)
    owner = statement.write(call.func) if call else refusing
    kind = "" if called is safe_inspection.MISSING else safe_inspection.type_name(called)
    return Lookup("argument", wanted, owner, kind, libraries.labels(available))


def _calls(step: Step, wanted: str) -> Iterator[ast.Call]:
    """The calls in the failing statement that give this argument."""
    for node in statement.failing(step):
        for part in ast.walk(node):
            if isinstance(part, ast.Call) and any(keyword.arg == wanted for keyword in part.keywords):
                yield part


def _taken_by(refusing: str, called: Any, steps: list[Step]) -> list[str]:
    """The keyword arguments of the function that was called, and of the one that refused, if that is another."""
    name = refusing.split(".")[-2] if refusing.endswith(("__init__", "__new__")) and "." in refusing else refusing
    name = name.rpartition(".")[2]
    taken = [] if called is safe_inspection.MISSING else _without_self(called)
    if called is not safe_inspection.MISSING and (not name or _name(called) in ("", name)):
        return taken
    return list(dict.fromkeys([*taken, *_taken_inside(name, steps[-1])]))


def _taken_inside(name: str, step: Step) -> list[str]:
    """The keyword arguments of a function that the innermost frame called by that name."""
    owner = step.local("self")
    for found in (
        step.variable(name),
        safe_inspection.attribute(owner, name) if owner is not safe_inspection.MISSING else owner,
    ):
        if found is not safe_inspection.MISSING and (taken := _without_self(found)):
            return taken
    if name == "set" and owner is not safe_inspection.MISSING:  # matplotlib: an artist's properties are its setters
        return [one[4:] for one in safe_inspection.names(owner) if one.startswith("set_")]
    return []


def _without_self(function: Any) -> list[str]:
    """The keyword arguments; a method is found as its class has it, with the instance as first parameter."""
    return [name for name in signatures.keywords(function) if name not in ("self", "cls")]


def _name(called: Any) -> str:
    """The name of a function or class; empty if it has none."""
    if safe_inspection.is_a(called, type):
        return safe_inspection.class_name(called).rpartition(".")[2]
    called = getattr(called, "__func__", called) if is_exactly(called, (classmethod, staticmethod)) else called
    found = dict.get(safe_inspection.instance_dict(called), "__name__")
    if found is None and safe_inspection.type_name(called) in ("function", "method", "builtin_function_or_method"):
        found = called.__name__
    return found if type(found) is str else ""
