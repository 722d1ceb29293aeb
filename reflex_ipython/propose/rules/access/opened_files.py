"""Files that are opened to be read, though the cell writes to them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_WRITERS = frozenset({"writer", "DictWriter", "dump", "to_csv", "to_json", "save", "savetxt"})
"""Functions that are given a file to write to."""
_METHODS = frozenset({"write", "writelines"})


def opened_to_be_written(failure: Failure) -> Iterator[Proposal]:
    """`with open("new.csv") as f: csv.writer(f)…`: `open("new.csv", "w", newline="")`."""
    cell = failing_cell(failure)
    if cell is None or failure.error.ename != "FileNotFoundError":
        return
    for call in failing_nodes(failure, cell):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != "open":
            continue
        name = _name_of(cell, call)
        given = call.args[1] if len(call.args) > 1 else next((k.value for k in call.keywords if k.arg == "mode"), None)
        mode = given.value if isinstance(given, ast.Constant) else "r" if given is None else None
        how = _written(cell, name) if name and isinstance(mode, str) and set(mode) <= set("rbt") else ""
        if not how or not isinstance(mode, str):
            continue
        new = '"wb"' if "b" in mode or how == "pickle" else '"w"'
        more = ', newline=""' if how == "csv" and not any(one.arg == "newline" for one in call.keywords) else ""
        end = cell.span(call)[1] - 1
        edit = SpanEdit(*cell.span(given), new + more) if given else SpanEdit(end, end, f", {new}{more}")
        why = f"The cell writes to `{name}`; `open` reads unless it is told {new}, which makes the file."
        yield from candidate(cell, [edit], why, "opened to be written", 0.95)


def _name_of(cell: Cell, call: ast.Call) -> str:
    """The variable that an opened file becomes."""
    for node in cell.nodes():
        if isinstance(node, ast.withitem) and node.context_expr is call and isinstance(node.optional_vars, ast.Name):
            return node.optional_vars.id
        if isinstance(node, ast.Assign) and node.value is call and isinstance(node.targets[0], ast.Name):
            return node.targets[0].id
    return ""


def _written(cell: Cell, name: str) -> str:
    """What writes to the file of that name, "csv", "pickle" or "text"; empty if nothing does."""
    for call in cell.every(ast.Call):
        function = call.func
        if not isinstance(function, ast.Attribute):
            continue
        if function.attr in _METHODS and isinstance(function.value, ast.Name) and function.value.id == name:
            return "text"
        if function.attr in _WRITERS and any(isinstance(one, ast.Name) and one.id == name for one in call.args):
            owner = ast.unparse(function.value)
            return "csv" if function.attr.lower().endswith("writer") else "pickle" if "pickle" in owner else "text"
    return ""
