"""Files and folders that are somewhere else, or called otherwise."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure, Lookup
from reflex_ipython.propose.rules.access.edits import above, candidate, literals, stands, told_path, variable
from reflex_ipython.propose.rules.access.folders import writes
from reflex_ipython.propose.rules.access.near_paths import SEPARATORS, changed_part, is_in, near_folder, near_paths
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_RULE = "closest path"
_LIKELY = 0.8  # another path of the cell is mended with the first only where it is as clear
_READERS = {
    "xlsx": "read_excel",
    "xls": "read_excel",
    "csv": "read_csv",
    "json": "read_json",
    "parquet": "read_parquet",
}


def closest_path(failure: Failure) -> Iterator[Proposal]:
    """`pd.read_csv("data/sale.csv")`: `"data/sales.csv"`, or wherever it is."""
    lookup = failure.lookup
    if lookup is None or lookup.kind != "path" or failure.stage == "syntax":
        return
    cell = failing_cell(failure)
    if cell is None:  # an earlier cell's function was given the path
        cell = read(failure.situation.source)
        nodes: list[ast.AST] = list(cell.nodes())
    else:
        nodes = failing_nodes(failure, cell)
    if failure.error.ename == "IsADirectoryError":
        inside = [path for path in lookup.available if is_in(path, lookup.wanted) and not path.endswith("/")]
        for path in inside[:4]:
            why = f"{lookup.wanted!r} is a folder; {path!r} is in it."
            yield from put_path(failure, cell, nodes, lookup, path, why, 0.8 if len(inside) == 1 else 0.8 / len(inside))
        return
    # What exists is never written over: only the folder may be another one.
    written = any(map(writes, nodes))
    for path, prior in near_folder(lookup) if written else near_paths(lookup):
        missing, there = (lookup.owner, path.rpartition("/")[0]) if written else (lookup.wanted, path)
        why = f"There is no {missing!r}, but {there!r} is there."
        yield from put_path(failure, cell, nodes, lookup, path, why, prior)


def put_path(
    failure: Failure, cell: Cell, nodes: list[ast.AST], lookup: Lookup, path: str, why: str, prior: float
) -> Iterator[Proposal]:
    """The path instead of the wrong one: in the statement, where the cell says it, or in front of the statement."""
    texts = literals(nodes, lookup.wanted) or literals(cell.nodes(), lookup.wanted)
    if texts:
        edits = [SpanEdit(*cell.span(node), _quoted(cell, node, path)) for node in texts if stands(cell, node)]
        edits += [SpanEdit(*cell.span(node), new) for node, new in _reader(nodes, path)]
        others = list(_others(cell, lookup)) if lookup.wanted != path else []
        yield from candidate(cell, [*edits, *others] if others else [], why, _RULE, prior)
        yield from candidate(cell, edits, why, _RULE, prior * 0.45 if others else prior)
        return
    for node in nodes:
        if isinstance(node, ast.Name) and told_path(failure, node.id) == lookup.wanted:
            made = _assigned(failure, node.id, path)
            yield from candidate(cell, above(cell, failure, made), why, _RULE, prior * 0.95)
            return
    parts = changed_part(lookup.wanted, path)
    if parts is None:
        yield from candidate(cell, _separated(cell, nodes, lookup.wanted, path), why, _RULE, prior)
        return
    old, new = parts
    edits = [
        SpanEdit(*cell.span(node), _quoted(cell, node, SEPARATORS.sub("/", node.value).replace(old, new)))
        for node in [*nodes, *cell.every(ast.Constant)]
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and old in SEPARATORS.split(node.value)
        if stands(cell, node)
    ]
    edits = edits or list(_in_f_strings(cell, nodes, old, new))
    yield from candidate(cell, edits, why, _RULE, prior)
    for name in sorted({node.id for node in nodes if isinstance(node, ast.Name)}) if not edits else ():
        held = told_path(failure, name)
        if old in SEPARATORS.split(held):
            made = _assigned(failure, name, held.replace(old, new))
            yield from candidate(cell, above(cell, failure, made), why, _RULE, prior)


def _others(cell: Cell, lookup: Lookup) -> Iterator[SpanEdit]:
    """The cell's other paths that are not there and are as clearly another one."""
    for node in cell.every(ast.Constant):
        if not isinstance(node.value, str) or not re.fullmatch(r"[^\s]*\.\w{2,8}", node.value):
            continue
        if node.value == lookup.wanted or node.value in lookup.available or not stands(cell, node):
            continue
        for path, prior in near_paths(dataclasses.replace(lookup, wanted=node.value)):
            if prior > _LIKELY:
                yield SpanEdit(*cell.span(node), _quoted(cell, node, path))
            break


def _in_f_strings(cell: Cell, nodes: list[ast.AST], old: str, new: str) -> Iterator[SpanEdit]:
    """The part of a path where it stands in an f-string by itself."""
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            start, end = cell.span(node)
            found = list(re.finditer(rf"(?<![\w{{.]){re.escape(old)}(?=[\\/'\"])", cell.source[start:end]))
            if len(found) == 1:
                yield SpanEdit(start + found[0].start(), start + found[0].end(), new)


def _separated(cell: Cell, nodes: list[ast.AST], wanted: str, path: str) -> Iterator[SpanEdit]:
    """`base + "x.csv"`, which lacks a separator: `base + "/x.csv"`."""
    if path.replace("/", "") != wanted.replace("/", ""):
        return
    for node in nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and isinstance(node.right, ast.Constant):
            text = node.right.value
            if isinstance(text, str) and path.endswith(f"/{text}") and stands(cell, node.right):
                yield SpanEdit(*cell.span(node.right), _quoted(cell, node.right, f"/{text}"))
        elif isinstance(node, ast.JoinedStr):
            start, end = cell.span(node)
            text = cell.source[start:end]
            for match in re.finditer(r"\}(?=[\w])|(?<=\w)\{", text):
                place = start + (match.end() if match.group() == "}" else match.start())
                yield SpanEdit(place, place, "/")
                return


def _reader(nodes: list[ast.AST], path: str) -> Iterator[tuple[ast.expr, str]]:
    """The function that reads a file of this kind: `read_excel` for `.xlsx`."""
    reader = _READERS.get(path.rpartition(".")[2].lower())
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in _READERS.values() and reader and node.attr != reader:
            yield node, f"{ast.unparse(node.value)}.{reader}"


def _assigned(failure: Failure, name: str, path: str) -> str:
    known = variable(failure, name)
    is_path = known is not None and "Path" in known.type
    return f"{name} = type({name})({path!r})" if is_path else f"{name} = {path!r}"


def _quoted(cell: Cell, node: ast.Constant, path: str) -> str:
    quote = cell.text(node)[-1:]
    return repr(path) if quote not in ("'", '"') or quote in path or "\\" in path else f"{quote}{path}{quote}"
