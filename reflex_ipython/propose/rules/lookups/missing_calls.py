"""A function or method that was meant to be called: `text.lower.strip()`, `text.split[0]`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.lookups.forms import text_of, where
from reflex_ipython.propose.rules.lookups.missing import Missing, accesses, missing_attribute
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_FUNCTIONS = frozenset({"function", "method", "builtin_function_or_method", "method-wrapper", "type"})
_NOT_CALLABLE = re.compile(r"'[\w.]+' object is not callable")
_NOT_SUBSCRIPTABLE = re.compile(r"'(?:method|function|builtin_function_or_method)' object is not subscriptable")


def attribute_of_a_function(failure: Failure) -> Iterator[Proposal]:
    """`text.lower.strip()`: `text.lower().strip()`."""
    missing = missing_attribute(failure)
    if missing is None or missing.lookup.owner_type.rpartition(".")[2] not in _FUNCTIONS:
        return
    nodes = accesses(missing)
    places = [place for node in nodes if (place := where(missing.cell, node.value))]
    if not places or len(places) != len(nodes):
        return
    is_class = missing.lookup.owner_type == "type"
    owner = text_of(missing.cell, nodes[0].value)
    what = "a class: its attributes are those of the objects that it makes" if is_class else "a function"
    why = f"`{owner}` is {what}; `{owner}()` calls it."
    given = _given(missing, nodes[0].value)
    if given is not None:
        told = f"`{owner}` is the function `{missing.cell.text(given)}` itself; with brackets it is what that returns."
        end = missing.cell.span(given)[1]
        yield from missing.changed([SpanEdit(end, end, "()")], told, "missing call", 0.9)
        return
    edits = [SpanEdit(end, end, "()") for _, end, _ in places]
    yield from missing.changed(edits, why, "missing call", 0.6 if is_class else 0.9)


def _given(missing: Missing, owner: ast.expr) -> ast.Attribute | None:
    """The function that the cell gave to a name without calling it: `b = a.copy`."""
    found = [
        node.value
        for node in missing.cell.every(ast.Assign)
        if isinstance(owner, ast.Name)
        and any(isinstance(target, ast.Name) and target.id == owner.id for target in node.targets)
    ]
    value = found[0] if len(found) == 1 else None
    return value if isinstance(value, ast.Attribute) else None


def item_of_a_function(failure: Failure) -> Iterator[Proposal]:
    """`text.split[0]`: `text.split()[0]`, or `text.split(0)`."""
    if not _NOT_SUBSCRIPTABLE.match(failure.error.evalue):
        return
    cell = failing_cell(failure)
    nodes = failing_nodes(failure, cell) if cell is not None else []
    for node in nodes:
        if cell is None or not isinstance(node, ast.Subscript) or not isinstance(node.value, (ast.Attribute, ast.Name)):
            continue
        start, end = cell.span(node.value)[1], cell.span(node)[1]
        if cell.source[start : start + 1] != "[" or cell.source[end - 1] != "]":
            continue
        name = cell.text(node.value)
        why = f"`{name}` is a function, which has no items"
        called = apply(cell.source, [SpanEdit(start, start, "()")])
        yield Proposal(called, f"{why}; what it returns may have.", "missing call", 0.7)
        given = apply(cell.source, [SpanEdit(start, start + 1, "("), SpanEdit(end - 1, end, ")")])
        if not isinstance(node.slice, ast.Slice):
            yield Proposal(given, f"{why}; round brackets call it.", "brackets of a call", 0.65)


def setter_of_an_attribute(failure: Failure) -> Iterator[Proposal]:
    """`ax.title("a")`: `ax.set_title("a")`."""
    if not _NOT_CALLABLE.match(failure.error.evalue):
        return
    cell = failing_cell(failure)
    calls = [node for node in failing_nodes(failure, cell) if isinstance(node, ast.Call)] if cell is not None else []
    for call in calls:
        if cell is None or not isinstance(call.func, ast.Attribute) or not (call.args or call.keywords):
            continue
        name, end = call.func.attr, cell.span(call.func)[1]
        if cell.source[end - len(name) : end] == name:
            source = apply(cell.source, [SpanEdit(end - len(name), end - len(name), "set_")])
            why = f"`{cell.text(call.func)}` is a value, no function; `set_{name}` changes it."
            yield Proposal(source, why, "setter of an attribute", 0.85)
