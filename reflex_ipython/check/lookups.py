"""Whether a fix asks for columns, keys, attributes or modules that the failure knows not to be there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.check.parsed_cell import ParsedCell, read
from reflex_ipython.models import Cause, CellRef, Failure, Finding, Fix, Frame, Install, Lookup, Trial
from reflex_ipython.protocols import Context

_LABELS = ("key", "column", "attribute")
_MANY = 500  # of a longer list not all may have been kept
_LOOKING = ("sys.path.append", "sys.path.insert", "importlib.reload")
_ADDS = {"insert", "update", "setdefault", "assign", "join", "merge", "pop", "eval", "append", "extend"}


class LookupChecker:
    """Says which look-ups of a fix can't succeed, as far as the failure knows."""

    name = "lookups"
    needs_trial = False

    def __init__(self, context: Context | None = None) -> None:
        """Needs nothing of the context."""

    def check(self, cause: Cause, fix: Fix, trial: Trial | None = None) -> Iterator[Finding]:
        """Yield a finding for each such look-up."""
        if not isinstance(cause, Failure):
            return
        situation, place = cause.situation, _failing_cell(cause)
        own = read(fix.source_of(situation.place, situation.source))
        elsewhere = fix.source_of(place, "")
        failed = own if place == situation.place else read(elsewhere) if elsewhere else None
        known = [(own, *table) for table in _tables(cause)]
        found = cause.lookup
        anew = _loads_anew(read(situation.source), own)
        of_module = found is not None and found.owner_type == "module"
        if failed is None or found is None or (anew and of_module):
            pass
        elif found.kind in _LABELS and found.available and found.owner:
            known.append((failed, found.owner, found.available, found.kind))
        said = set[str]()
        for cell, owner, labels, noun in known:
            if owner.partition(".")[0].partition("[")[0] in set(_changed(cell)):
                continue
            for text, line in _missing(cell, owner, set(labels), noun):
                if text not in said:
                    said.add(text)
                    yield Finding("missing-label", f"{text}, which does not exist (line {line})")
        installs = any(isinstance(step, Install) for step in fix.steps)  # then a module may be there
        if failed is not None and found is not None and not (installs and found.kind == "module") and not anew:
            yield from _again(failed, found)


def _loads_anew(old: ParsedCell, new: ParsedCell) -> bool:
    """Whether the fix has modules looked for in another folder, or one of them read anew: then it may be there."""

    def calls(cell: ParsedCell) -> set[str]:
        called = (node for node in cell.nodes() if isinstance(node, ast.Call))
        return {ast.unparse(node) for node in called if ast.unparse(node.func) in _LOOKING}

    return bool(calls(new) - calls(old))


def _failing_cell(failure: Failure) -> CellRef:
    """The cell whose code asked: an earlier one, if its function failed."""
    cells = [frame.cell for frame in failure.error.frames if frame.cell is not None]
    return cells[-1] if cells else failure.situation.cell


def _tables(failure: Failure) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Each table at the top of the failing cell: its name, its labels, what they are called."""
    for frame in failure.error.frames:
        if _is_cells(frame, failure):
            for value in frame.variables:
                if value.kind == "table" and 0 < len(value.labels) < _MANY and "DataFrame" in value.type:
                    yield value.name, value.labels, "column"


def _is_cells(frame: Frame, failure: Failure) -> bool:
    return frame.function == "<module>" and frame.cell == failure.situation.cell


def _missing(cell: ParsedCell, owner: str, labels: set[str], noun: str) -> Iterator[tuple[str, int]]:
    if len(labels) >= _MANY:
        return
    for node in cell.nodes():
        if noun == "attribute" and isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            if ast.unparse(node.value) == owner and node.attr not in labels and not node.attr.startswith("_"):
                yield f"asks `{owner}` for the attribute '{node.attr}'", node.lineno
        elif noun != "attribute" and isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            label = node.slice.value if isinstance(node.slice, ast.Constant) else None
            if isinstance(label, str) and ast.unparse(node.value) == owner and label not in labels:
                yield f"asks `{owner}` for the {noun} {label!r}", node.lineno


def _changed(cell: ParsedCell) -> Iterator[str]:
    """The names that the cell itself gives something new to: what they have by then is not known."""
    for node in cell.nodes():
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            yield _root(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            in_place = any(keyword.arg == "inplace" for keyword in node.keywords)
            if in_place or (node.func.attr in _ADDS and isinstance(node.func.value, ast.Name)):
                yield _root(node.func)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _again(cell: ParsedCell, found: Lookup) -> Iterator[Finding]:
    """The very look-up that failed, once more."""
    for node in cell.nodes():
        if found.kind == "module" and isinstance(node, ast.Import):
            again = any(alias.name == found.wanted for alias in node.names)
        elif found.kind == "module" and isinstance(node, ast.ImportFrom):
            again = node.module == found.wanted
        elif found.kind == "import" and isinstance(node, ast.ImportFrom):
            again = node.module == found.owner and any(alias.name == found.wanted for alias in node.names)
        elif found.kind == "argument" and isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            asked = any(keyword.arg == found.wanted for keyword in node.keywords)
            again = asked and bool(found.owner) and name.rpartition(".")[2] == found.owner.rpartition(".")[2]
        else:
            continue
        if again:
            yield Finding("fails-again", f"still asks for '{found.wanted}' on line {node.lineno}")
            return
