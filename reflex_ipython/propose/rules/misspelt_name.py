"""A misspelt name."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.closeness import closest
from reflex_ipython.propose.rules.f_strings import edits_inside, f_strings
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_line

# IPython and site put these there; nobody means them when they write a word that is near.
_NOT_MEANT = frozenset({"In", "Out", "exit", "quit", "copyright", "credits", "license", "get_ipython"})
_BUILTINS = frozenset(name for name in dir(builtins) if not name.startswith("_"))
# Near to a builtin's name, but a word of another language that means something else.
_OTHERS = frozenset({"printf", "seq", "rep", "cat"})
_CONSTANTS = {
    "true": "True",
    "false": "False",
    "null": "None",
    "nil": "None",
    "TRUE": "True",
    "FALSE": "False",
    "NULL": "None",
}


def misspelt_name(failure: Failure) -> Iterator[Proposal]:
    """`pritn` is not defined: `print`. Replaced wherever the cell reads the name, for it is nowhere defined."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "name" or cell is None or lookup.wanted in cell.bound:
        return
    wanted = lookup.wanted
    if wanted in _CONSTANTS:
        return
    word = _meant(failure, cell)
    if word is None:
        return
    everywhere = word in failure.situation.names or word in _BUILTINS
    edits = replacements(cell, wanted, word, None if everywhere else _function_at(cell, failing_line(failure)))
    if edits:
        why = f"The name `{wanted}` is not defined; the closest is `{word}`."
        yield Proposal(apply(cell.source, edits), why, "closest name")


def constant_of_another_language(failure: Failure) -> Iterator[Proposal]:
    """`true`, `false` and `null`, as JSON and other languages write them."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "name" or cell is None or lookup.wanted not in _CONSTANTS:
        return
    there = cell.bound.union(failure.situation.names)
    edits: list[SpanEdit] = []
    for wrong, right in _CONSTANTS.items():
        found = replacements(cell, wrong, right) if wrong not in there else []
        if found is None:
            return
        edits += found
    if edits:
        wanted = lookup.wanted
        why = f"`{wanted}` is written `{_CONSTANTS[wanted]}` in Python."
        yield Proposal(apply(cell.source, edits), why, "constant of another language")


def replacements(cell: Cell, wanted: str, word: str, inside: ast.AST | None = None) -> list[SpanEdit] | None:
    """The edits that make every read of the name `wanted` read `word`, or None where a place is not certain."""
    strings = f_strings(cell, inside)
    in_strings = {node for string in strings for node in ast.walk(string)}
    edits = []
    for node in ast.walk(inside) if inside else cell.every(ast.Name):
        if isinstance(node, ast.Name) and node.id == wanted and node not in in_strings:
            start, end = cell.span(node)
            if cell.source[start:end] != wanted:
                return None
            edits.append(SpanEdit(start, end, word))
    for string in strings:
        inner = edits_inside(cell, string, wanted, word)
        if inner is None:
            return None
        edits += inner
    return edits


def _meant(failure: Failure, cell: Cell) -> str | None:
    assert failure.lookup is not None
    wanted = failure.lookup.wanted
    there = [
        name
        for name in (*failure.situation.names, *failure.lookup.available)
        if name not in _NOT_MEANT and name not in _BUILTINS
    ]
    users = closest(wanted, there)
    builtin = None if wanted in _OTHERS else closest(wanted, _fitting_builtins(cell, wanted), fixed=True)
    if users and builtin and users != builtin:
        return None
    return users or builtin


def _fitting_builtins(cell: Cell, wanted: str) -> list[str]:
    """The builtins that could stand where the name stands: functions only where it is called."""
    called = any(isinstance(node.func, ast.Name) and node.func.id == wanted for node in cell.every(ast.Call))
    return [name for name in _BUILTINS if name not in _NOT_MEANT and (called or name in ("True", "False", "None"))]


def _function_at(cell: Cell, lineno: int | None) -> ast.AST | None:
    """The innermost function on a line: where its local names count."""
    found = None
    for node in cell.nodes():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and lineno and node.end_lineno:
            found = node if node.lineno <= lineno <= node.end_lineno else found
    return found
