"""Keys of another type than the ones that are there: `"1"` and `1`, dates and texts, other capitals."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure, Lookup
from reflex_ipython.propose.rules.access.edits import asked_labels, candidate, enclosed, in_place_of
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_NUMPY = re.compile(r"np\.\w+\((.*)\)")
_RULE = "key of another type"
_METHODS = ("lower", "upper", "strip", "title", "capitalize")


def key_of_another_type(failure: Failure) -> Iterator[Proposal]:
    """`codes["1"]` where the keys are numbers: `codes[1]`; `codes[answer]`: `codes[int(answer)]`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind not in ("key", "column") or cell is None or failure.error.ename != "KeyError":
        return
    numpy = _NUMPY.fullmatch(lookup.wanted)
    wanted = numpy[1].strip("'\"") if numpy else lookup.wanted
    nodes = failing_nodes(failure, cell)
    if wanted in lookup.others and _NUMBER.fullmatch(wanted):
        yield from _as_numbers(cell, nodes, lookup, wanted)
    elif wanted in lookup.available and (wanted != lookup.wanted or _asks_for_number(nodes, wanted, lookup)):
        yield from _as_texts(cell, nodes, lookup, wanted)
    elif _DATE.fullmatch(wanted) and wanted in lookup.others and "pd" in failure.situation.names:
        for node in asked_labels(nodes):
            if node.value == wanted:
                why = f"The labels are dates, and {wanted!r} is a text."
                text = f"pd.Timestamp({cell.text(node)}).date()"
                yield from candidate(cell, in_place_of(cell, node, text), why, _RULE, 0.85)
    yield from _other_capitals(cell, nodes, lookup)


def _as_numbers(cell: Cell, nodes: list[ast.AST], lookup: Lookup, wanted: str) -> Iterator[Proposal]:
    why = f"The {lookup.kind}s of `{lookup.owner}` are numbers, and {wanted!r} is a text."
    edits = [
        edit
        for node in dict.fromkeys(asked_labels(nodes))
        if node.value in lookup.others and _NUMBER.fullmatch(str(node.value))
        for edit in in_place_of(cell, node, str(node.value))
    ]
    yield from candidate(cell, edits, why, _RULE, 0.92)
    function = "float" if "." in wanted else "int"
    for key in _computed_keys(nodes, lookup) if not edits else ():
        text = f"{function}({cell.text(key)})"
        yield from candidate(cell, [SpanEdit(*cell.span(key), text)], why, _RULE, 0.88)


def _as_texts(cell: Cell, nodes: list[ast.AST], lookup: Lookup, wanted: str) -> Iterator[Proposal]:
    why = f"The {lookup.kind}s of `{lookup.owner}` are texts, and {wanted} is a number."
    numbers = [key for node in nodes for key in _numbers(node) if str(key.value) in lookup.available]
    edits = [SpanEdit(*cell.span(key), f'"{key.value!r}"') for key in dict.fromkeys(numbers)]
    everywhere = _asked_elsewhere(cell, lookup, set(lookup.available)) if numbers else []
    if len(everywhere) > len(edits):
        alike = [SpanEdit(*cell.span(key), f'"{key.value!r}"') for key in everywhere]
        yield from candidate(cell, alike, f"{why} The cell asks {len(alike)} times.", _RULE, 0.94)
    yield from candidate(cell, edits, why, _RULE, 0.92)
    for key in _computed_keys(nodes, lookup) if not edits else ():
        yield from candidate(cell, [SpanEdit(*cell.span(key), f"str({cell.text(key)})")], why, _RULE, 0.88)


def _asked_elsewhere(cell: Cell, lookup: Lookup, there: set[str]) -> list[ast.Constant]:
    """The numbers with which the whole cell asks the same owner for what is there as a text."""
    asked = [node for node in cell.every(ast.Subscript) if ast.unparse(node.value).split(".loc")[0] == lookup.owner]
    return [key for node in asked for key in _numbers(node) if str(key.value) in there]


def _asks_for_number(nodes: list[ast.AST], wanted: str, lookup: Lookup) -> bool:
    """Whether what was asked for is no text: a number is told like a text of the same letters."""
    is_text = any(node.value == wanted for node in asked_labels(nodes))
    return bool(_NUMBER.fullmatch(wanted)) and not is_text


def _other_capitals(cell: Cell, nodes: list[ast.AST], lookup: Lookup) -> Iterator[Proposal]:
    for method in _METHODS:
        meant = getattr(lookup.wanted, method)()
        if meant == lookup.wanted or meant not in lookup.available:
            continue
        for key in _computed_keys(nodes, lookup):
            why = f"`{lookup.owner}` has no key {lookup.wanted!r}, but {meant!r}."
            text = f"{enclosed(cell, key)}.{method}()"
            yield from candidate(cell, [SpanEdit(*cell.span(key), text)], why, "key in other letters", 0.8)


def _numbers(node: ast.AST) -> Iterator[ast.Constant]:
    keys: list[ast.expr] = []
    if isinstance(node, ast.Subscript):
        keys = node.slice.elts if isinstance(node.slice, (ast.Tuple, ast.List)) else [node.slice]
    elif isinstance(node, ast.List):
        keys = node.elts
    yield from (key for key in keys if isinstance(key, ast.Constant) and type(key.value) in (int, float))


def _computed_keys(nodes: list[ast.AST], lookup: Lookup) -> Iterator[ast.expr]:
    """The keys that are no literals, with which the owner is asked."""
    for node in nodes:
        if not isinstance(node, ast.Subscript):
            continue
        base = node.value
        if isinstance(base, ast.Attribute) and base.attr in ("loc", "at"):
            base = base.value
        if lookup.owner and ast.unparse(base) != lookup.owner:
            continue
        key = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and base is not node.value else node.slice
        if not isinstance(key, (ast.Constant, ast.Slice, ast.Tuple, ast.List)):
            yield key
