"""A function with two parameters where one value is given, a pair: `sorted(d.items(), key=lambda k, v: v)`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate, variable
from reflex_ipython.propose.rules.calling.nodes import last_name
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_MISSING = re.compile(r"<lambda>\(\) missing \d+ required positional arguments?: ")
_ORDER = frozenset({"sorted", "min", "max", "sort", "nlargest", "nsmallest", "groupby"})


def key_of_pairs(failure: Failure) -> Iterator[Proposal]:
    """`key=lambda k, v: v`: `key=lambda pair: pair[1]`; over a dict itself `key=lambda k: d[k]`."""
    cell = failing_cell(failure) if failure.error.ename == "TypeError" else None
    if cell is None or not _MISSING.match(failure.error.evalue):
        return
    for call in failing_nodes(failure, cell):
        if not isinstance(call, ast.Call):
            continue
        name = last_name(call.func)
        given = [one.value for one in call.keywords if one.arg == "key" and name in _ORDER]
        given += call.args[:1] if name == "filter" else []
        for function in given:
            names = [one.arg for one in function.args.args] if isinstance(function, ast.Lambda) else []
            if isinstance(function, ast.Lambda) and len(names) > 1 and not function.args.defaults:
                yield from _over_dict(failure, cell, call, function, names)
                yield from _of_pair(cell, name, function, names)


def _of_pair(cell: Cell, name: str, function: ast.Lambda, names: list[str]) -> Iterator[Proposal]:
    taken = {node.id for node in cell.every(ast.Name)}
    pair = next(one for one in ("pair", "item", "one_item") if one not in taken or one == "one_item")
    body = _replaced(cell, function.body, {one: f"{pair}[{place}]" for place, one in enumerate(names)})
    why = f"`{name}` calls the function with one item, a pair; its parts are `{pair}[0]` and `{pair}[1]`."
    edits = [SpanEdit(*cell.span(function), f"lambda {pair}: {body}")]
    yield from candidate(cell, edits, why, "parts of a pair", 0.93)


def _over_dict(
    failure: Failure, cell: Cell, call: ast.Call, function: ast.Lambda, names: list[str]
) -> Iterator[Proposal]:
    """Over a dict the function is given its keys: the second name is for their values."""
    source = call.args[0] if call.args else None
    held = variable(failure, source.id) if isinstance(source, ast.Name) else None
    if not isinstance(source, ast.Name) or held is None or held.type != "dict" or len(names) != 2:
        return
    body = _replaced(cell, function.body, {names[1]: f"{source.id}[{names[0]}]"})
    why = f"Over a dict, the function is called with each key; `{source.id}[{names[0]}]` is the value."
    edits = [SpanEdit(*cell.span(function), f"lambda {names[0]}: {body}")]
    yield from candidate(cell, edits, why, "value of a key", 0.9)


def _replaced(cell: Cell, body: ast.expr, words: dict[str, str]) -> str:
    """The text of an expression with other words for some names."""
    start, end = cell.span(body)
    text = cell.source[start:end]
    uses = [(cell.span(node)[0] - start, node.id) for node in ast.walk(body) if isinstance(node, ast.Name)]
    for place, name in sorted(uses, reverse=True):
        if name in words and text.startswith(name, place):
            text = text[:place] + words[name] + text[place + len(name) :]
    return text
