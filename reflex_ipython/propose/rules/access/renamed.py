"""Columns that an earlier statement renamed, or only seemed to rename."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure, Lookup
from reflex_ipython.propose.rules.access.edits import above, asked_labels, candidate, text_of
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.misspelt_key import literal_edit
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_line, failing_nodes


def renamed(failure: Failure) -> Iterator[Proposal]:
    """`df["price"]` after `df = df.rename(columns={"price": "cost"})`: `df["cost"]`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind not in ("column", "key", "attribute") or cell is None:
        return
    if not lookup.owner_type.startswith("pandas."):
        return
    before = [read(one.source) for one in failure.situation.earlier]
    names = {**_by_position(before), **_by_rename([*before, cell])}
    new = names.get(lookup.wanted)
    if new in lookup.available:
        known = {old: name for old, name in names.items() if name in lookup.available and old not in lookup.available}
        why = f"{lookup.wanted!r} was renamed: the column is called {new!r} now."
        yield from candidate(cell, _edits(failure, cell, lookup, known), why, "renamed column", 0.88)


def rename_of_rows(failure: Failure) -> Iterator[Proposal]:
    """`df.rename({"price": "cost"})` names rows anew: `df.rename(columns={"price": "cost"})`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind not in ("column", "key", "attribute") or cell is None:
        return
    for call in cell.every(ast.Call):
        given = call.args[0] if len(call.args) == 1 and not any(one.arg == "axis" for one in call.keywords) else None
        names = dict(_names(call)) if isinstance(given, ast.Dict) else {}
        old = [one for one, name in names.items() if name == lookup.wanted and one in lookup.available]
        if given is not None and old:
            start = cell.span(given)[0]
            why = f"`rename` takes the names of rows first; {old[0]!r} is a column, which `columns=` renames."
            yield from candidate(cell, [SpanEdit(start, start, "columns=")], why, "columns to rename", 0.95)


def rename_without_effect(failure: Failure) -> Iterator[Proposal]:
    """`df["cost"]` after `df.rename(columns={"price": "cost"})`, which changes nothing: `df = df.rename(…)`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind not in ("column", "key", "attribute") or cell is None:
        return
    line = failing_line(failure) or 0
    for other in [cell, *(read(one.source) for one in reversed(failure.situation.earlier))]:
        for statement in reversed(other.every(ast.Expr)):
            call = statement.value
            if (
                not isinstance(call, ast.Call)
                or lookup.owner != _owner(call)
                or (other is cell and statement.lineno >= line)
            ):
                continue
            names = dict(_names(call))
            old = next((one for one, name in names.items() if name == lookup.wanted and one in lookup.available), None)
            if old is None:
                continue
            text = other.text(call)
            if "\n" not in text:
                why = f"`{text}` leaves `{lookup.owner}` as it is: its result must be given a name."
                made = f"{lookup.owner} = {text}"
                edits = [SpanEdit(*cell.span(statement), made)] if other is cell else list(above(cell, failure, made))
                yield from candidate(cell, edits, why, "result not kept", 0.8)
            why = f"`{lookup.owner}` still has {old!r}: `rename` returned a renamed copy, which was not kept."
            yield from candidate(cell, _edits(failure, cell, lookup, {lookup.wanted: old}), why, "renamed column", 0.38)
            return


def former_index(failure: Failure) -> Iterator[Proposal]:
    """`counts["index"]` after `value_counts().reset_index()`: the index had a name, which its column has now."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind not in ("column", "key", "attribute") or cell is None:
        return
    if not lookup.owner_type.startswith("pandas.") or not lookup.available or "index" in lookup.available:
        return
    made = _made_by(failure, cell, lookup.owner)
    methods = _methods(made) if made is not None else set()
    if "reset_index" not in methods:
        return
    new = {"index": lookup.available[0]}
    if "value_counts" in methods and "count" in lookup.available:
        new |= {"0": "count"}
    if lookup.wanted in new:
        name = new[lookup.wanted]
        why = f"The index was called {name!r}, and so is the column that `reset_index` makes of it."
        if name == "count":
            why = "`value_counts` calls its numbers 'count'."
        yield from candidate(cell, _edits(failure, cell, lookup, new), why, "former index", 0.8)


def _methods(node: ast.expr) -> set[str]:
    calls = [one.func for one in ast.walk(node) if isinstance(one, ast.Call)]
    return {function.attr for function in calls if isinstance(function, ast.Attribute)}


def _made_by(failure: Failure, cell: Cell, owner: str) -> ast.expr | None:
    """What a name stands for: the expression that it was last assigned."""
    for one in [cell, *(read(earlier.source) for earlier in reversed(failure.situation.earlier))]:
        for node in reversed(one.every(ast.Assign)):
            if any(ast.unparse(target) == owner for target in node.targets):
                return node.value
    return None


def _by_rename(cells: list[Cell]) -> dict[str, str]:
    """What `rename` called the columns, by what they were called before; the latest counts."""
    return {old: new for cell in cells for node in cell.every(ast.Call) for old, new in _names(node)}


def _names(call: ast.Call) -> Iterator[tuple[str, str]]:
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "rename":
        return
    given = [keyword.value for keyword in call.keywords if keyword.arg in ("columns", "mapper")] or call.args[:1]
    for node in given:
        for key, value in zip(node.keys, node.values) if isinstance(node, ast.Dict) else ():
            old, new = text_of(key), text_of(value)
            if old is not None and new is not None:
                yield old, new


def _by_position(cells: list[Cell]) -> dict[str, str]:
    """What `df.columns = [...]` called them, where the table's first columns stand in a dict of the same length."""
    dicts = [_texts(node.keys) for cell in cells for node in cell.every(ast.Dict)]
    lists = [
        _texts(node.value.elts)
        for cell in cells
        for node in cell.every(ast.Assign)
        if isinstance(node.value, ast.List)
        and any(isinstance(target, ast.Attribute) and target.attr == "columns" for target in node.targets)
    ]
    for new in lists:
        for old in dicts:
            if old and len(old) == len(new):
                return dict(zip(old, new))
    return {}


def _texts(nodes: list[ast.expr] | list[ast.expr | None]) -> list[str]:
    found = [text for text in map(text_of, nodes) if text is not None]
    return found if len(found) == len(nodes) else []


def _owner(call: ast.Call) -> str:
    return ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""


def _edits(failure: Failure, cell: Cell, lookup: Lookup, names: dict[str, str]) -> Iterator[SpanEdit]:
    nodes = failing_nodes(failure, cell)
    for constant in dict.fromkeys(asked_labels(nodes)):
        edit = literal_edit(cell, constant, names[str(constant.value)]) if constant.value in names else None
        if edit:
            yield edit
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in names and ast.unparse(node.value) == lookup.owner:
            end = cell.span(node)[1]
            yield SpanEdit(end - len(node.attr), end, names[node.attr])
