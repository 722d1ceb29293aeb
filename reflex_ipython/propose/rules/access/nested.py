"""Data in data: a list where a dict is expected, a dict whose keys are looped over, a key that is further inside."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate, enclosed, told_value, variable
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.misspelt_attribute import failing_accesses
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes, variable_type
from reflex_ipython.propose.rules.values.indices import loop_over

_OF_A_LIST = ("list indices must be integers or slices, not str", "tuple indices must be integers or slices, not str")
_OF_A_TEXT = ("string indices must be integers", "string indices must be integers, not 'str'")
_METHODS_OF_LISTS = frozenset({"append", "extend", "insert", "remove", "sort", "reverse", "index", "count"})
_DEEPEST = 4


def list_of_dicts(failure: Failure) -> Iterator[Proposal]:
    """`data["items"]["name"]` where the items are a list: the first one's, or all of them."""
    cell = failing_cell(failure)
    if cell is None or failure.error.evalue not in _OF_A_LIST:
        return
    for node in failing_nodes(failure, cell):
        if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
            continue
        if not isinstance(node.slice, ast.Constant) or not isinstance(node.slice.value, str):
            continue
        owner, end = cell.text(node.value), cell.span(node.value)[1]
        if isinstance(node.value, ast.Name) and variable_type(failure, node.value.id) not in ("list", "tuple", ""):
            continue
        if loop_over(cell.around(node), owner, cell.text):
            continue  # the loop's own variable is meant
        why = f"`{owner}` is a list: {cell.text(node.slice)} is a key of what is in it."
        yield from candidate(cell, [SpanEdit(end, end, "[0]")], why, "first of a list", 0.5)
        item = "item" if "item" not in {*failure.situation.names, *cell.bound} else "one"
        rest = cell.source[end : cell.span(node)[1]]
        made = f"[{item}{rest} for {item} in {owner}]"
        yield from candidate(cell, [SpanEdit(*cell.span(node), made)], why, "each of a list", 0.45)


def list_in_a_dict(failure: Failure) -> Iterator[Proposal]:
    """`data.append(x)`, where `data` is a dict that holds a list: `data["items"].append(x)`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "attribute" or cell is None or lookup.wanted not in _METHODS_OF_LISTS:
        return
    value = told_value(variable(failure, lookup.owner)) if lookup.owner_type in ("dict", "builtins.dict") else None
    lists = [key for key, held in value.items() if isinstance(held, list)] if isinstance(value, dict) else []
    for key in lists[:3]:
        ends = [cell.span(node.value)[1] for node in failing_accesses(failure, cell)]
        text = f'"{key}"' if isinstance(key, str) and key.isprintable() and not set(key) & {'"', "\\"} else repr(key)
        why = f"`{lookup.owner}` is a dict; the list in it is under {key!r}."
        prior = 0.6 if len(lists) == 1 else 0.4
        yield from candidate(cell, [SpanEdit(end, end, f"[{text}]") for end in ends], why, "list in a dict", prior)


def keys_looped_over(failure: Failure) -> Iterator[Proposal]:
    """`for user in users: user["age"]`, where `users` is a dict: `users.values()`; of a table: `iterrows()`."""
    cell, error = failing_cell(failure), failure.error
    if cell is None or not (error.evalue.startswith(_OF_A_TEXT) or "'str' object has no attribute" in error.evalue):
        return
    asked = {
        node.value.id
        for node in failing_nodes(failure, cell)
        if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.value, ast.Name)
    }
    loops: list[ast.For | ast.comprehension] = [*cell.every(ast.For), *cell.every(ast.comprehension)]
    for loop in loops:
        if not isinstance(loop.target, ast.Name) or loop.target.id not in asked:
            continue
        looped, end = loop.iter, cell.span(loop.iter)[1]
        kind = variable_type(failure, looped.id) if isinstance(looped, ast.Name) else ""
        if isinstance(looped, ast.Call) or kind.startswith(("list", "tuple", "set")):
            continue
        text = cell.text(looped)
        if kind.endswith("DataFrame") or not kind:
            why = f"A loop over `{text}` gives its columns' names; `iterrows` gives its rows."
            start = cell.span(loop.target)[0]
            edits = [SpanEdit(start, start, "_, "), SpanEdit(end, end, ".iterrows()")]
            yield from candidate(cell, edits, why, "rows of a table", 0.85)
        if not kind.endswith("DataFrame"):
            why = f"A loop over `{text}` gives its keys; `values` gives what stands behind them."
            yield from candidate(cell, [SpanEdit(end, end, ".values()")], why, "values of a dict", 0.85)


def key_further_inside(failure: Failure) -> Iterator[Proposal]:
    """`reply["name"]`, where the name is in `reply["user"]`: `reply["user"]["name"]`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "key" or cell is None or failure.error.ename != "KeyError":
        return
    for node in failing_nodes(failure, cell):
        if not isinstance(node, ast.Subscript) or not _asks(node, lookup.wanted):
            continue
        root, path = _way(node.value)
        held = told_value(variable(failure, root), parts=True) if root else None
        inside = _at(held, path)
        found = list(_paths(inside, lookup.wanted, _DEEPEST))
        for keys in found[:3]:
            yield from _moved(cell, node, keys, 0.85 if len(found) == 1 else 0.45)
        if not found and path and (outside := list(_paths(held, lookup.wanted, _DEEPEST))):
            base = _base(node.value)
            for keys in outside[:2]:
                made = f"{cell.text(base)}{_written(keys)}"
                why = f"{lookup.wanted!r} is not there, but at `{made}`."
                yield from candidate(cell, [SpanEdit(*cell.span(node), made)], why, "key elsewhere", 0.7 / len(outside))


def _moved(cell: Cell, node: ast.Subscript, keys: tuple[object, ...], prior: float) -> Iterator[Proposal]:
    made = f"{enclosed(cell, node.value)}{_written(keys)}"
    why = f"`{cell.text(node.value)}` has no key {keys[-1]!r} itself; it stands at `{made}`."
    yield from candidate(cell, [SpanEdit(*cell.span(node), made)], why, "key further inside", prior)


def _written(keys: tuple[object, ...]) -> str:
    return "".join(f"[{key!r}]" for key in keys)


def _asks(node: ast.Subscript, wanted: str) -> bool:
    return isinstance(node.slice, ast.Constant) and node.slice.value == wanted and isinstance(node.ctx, ast.Load)


def _base(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node


def _way(node: ast.expr) -> tuple[str, list[object]]:
    """The name at the beginning of subscripts, and the keys behind it; no name if it is none, or a key is computed."""
    path: list[object] = []
    while isinstance(node, ast.Subscript):
        if not isinstance(node.slice, ast.Constant):
            return "", []
        path.insert(0, node.slice.value)
        node = node.value
    return (node.id, path) if isinstance(node, ast.Name) else ("", [])


def _at(held: object, path: list[object]) -> object:
    for key in path:
        try:
            held = held[key]  # type: ignore[index]  # what has no items raises
        except (KeyError, IndexError, TypeError):
            return None
    return held


def _paths(held: object, wanted: str, depth: int) -> Iterator[tuple[object, ...]]:
    """The ways to a key, the shortest first; of a list only the first item is gone into."""
    if depth == 0:
        return
    if isinstance(held, dict):
        if wanted in held:
            yield (wanted,)
        for key, value in held.items():
            yield from ((key, *rest) for rest in _paths(value, wanted, depth - 1))
    elif isinstance(held, list) and held:
        yield from ((0, *rest) for rest in _paths(held[0], wanted, depth - 1))
