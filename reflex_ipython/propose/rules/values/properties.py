"""Properties that ask for themselves, without end."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import Reading, reading


def property_of_itself(failure: Failure) -> Iterator[Proposal]:
    """`return self.v` in the property `v`, `self.v = new` in its setter: `self._v`."""
    read = reading(failure) if failure.error.ename == "RecursionError" else None
    if read is None:
        return
    for owner in read.cell.every(ast.ClassDef):
        functions = [node for node in owner.body if isinstance(node, ast.FunctionDef) and _is_of_a_property(node)]
        for name in dict.fromkeys(node.name for node in functions):
            places = [place for node in functions if node.name == name for place in _itself(read, node)]
            used = any(isinstance(node, ast.Attribute) and node.attr == f"_{name}" for node in ast.walk(owner))
            if places and (not used or len(places) == 1):
                edits = [SpanEdit(place, place, "_") for place in places]
                why = f"`{name}` is a property, which asks for itself here; its value is kept in `_{name}`."
                yield from read.propose(edits, why, "property of itself", 0.95)


def _is_of_a_property(function: ast.FunctionDef) -> bool:
    """Whether it gets or sets a property of its own name."""
    made = [ast.unparse(one) for one in function.decorator_list]
    return "property" in made or f"{function.name}.setter" in made


def _itself(read: Reading, function: ast.FunctionDef) -> Iterator[int]:
    """Where its own name is asked of the object."""
    first = function.args.args[0].arg if function.args.args else ""
    for node in ast.walk(function):
        if not isinstance(node, ast.Attribute) or node.attr != function.name or not read.sound(node):
            continue
        if isinstance(node.value, ast.Name) and node.value.id == first and not isinstance(node.ctx, ast.Del):
            yield read.cell.span(node)[1] - len(node.attr)
