"""Keys that a mapping does not have."""

from __future__ import annotations

import ast
import itertools
import os
from collections.abc import Iterator
from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.capture import chain, labels, libraries, safe_inspection, statement
from reflex_ipython.capture.bounds import SummaryDeadline
from reflex_ipython.capture.safe_repr import ReprBudget, safe_repr
from reflex_ipython.capture.trace import Step, below_user, user_step
from reflex_ipython.models import Lookup

_TAKING = ("pop", "remove", "__getitem__", "move_to_end")  # methods that look a key up


def find(exc: BaseException, steps: list[Step]) -> Lookup | None:
    """The key, the mapping as the user wrote it, and the keys that are strings."""
    given = chain.arguments(exc)
    step = user_step(steps)
    if len(given) != 1 or step is None:
        return None
    key = given[0]
    wanted = (
        str.__str__(key)[:200]
        if safe_inspection.is_a(key, str)
        else safe_repr(key, ReprBudget(SummaryDeadline(0.05, 0.05)))
    )
    for node, asked in _asked(statement.failing(step)):
        owner, value = statement.evaluate(node, step), statement.evaluate(asked, step)
        if value is safe_inspection.MISSING or _same(value, key):
            own = owner is not safe_inspection.MISSING and safe_inspection.is_a(owner, dict, set)
            held = owner if own else _held(steps)
            return _lookup(wanted, statement.write(node), held if owner is safe_inspection.MISSING else owner, held)
    held = _held(steps)
    return _lookup(wanted, "", held, held) if held is not safe_inspection.MISSING else None


def _asked(nodes: list[ast.AST]) -> Iterator[tuple[ast.AST, ast.AST]]:
    """The places where a key is looked up: the mapping and the key."""
    for node in nodes:
        if isinstance(node, ast.Subscript):
            yield node.value, node.slice
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _TAKING
            and node.args
        ):
            yield node.func.value, node.args[0]


def _same(value: Any, key: Any) -> bool:
    """Whether two keys are one, without asking foreign objects."""
    return value is key or (type(value) is type(key) and is_exactly(key, (str, int, bytes, float)) and value == key)


def _held(steps: list[Step]) -> Any:
    """The mapping that a library's method was called on; what stands in it, for those that wrap one."""
    for step in reversed(below_user(steps)):
        owner = step.local("self")
        for found in (owner, *(dict.get(safe_inspection.instance_dict(owner), name) for name in ("data", "_data"))):
            if safe_inspection.is_a(found, dict):
                return found
    return safe_inspection.MISSING


def _lookup(wanted: str, owner: str, value: Any, held: Any) -> Lookup:
    known = () if held is safe_inspection.MISSING else _keys(held)
    others = () if held is safe_inspection.MISSING else labels.others(_first_keys(held))
    kind = "" if value is safe_inspection.MISSING else safe_inspection.type_name(value)
    return Lookup("key", wanted, owner, kind, known, others=others)


def _keys(held: Any) -> tuple[str, ...]:
    return libraries.labels(os.fsdecode(key) if type(key) is bytes else key for key in _first_keys(held))


def _first_keys(held: Any) -> list[Any]:
    return list(itertools.islice((set if safe_inspection.is_a(held, set) else dict).__iter__(held), libraries.LABELS))
