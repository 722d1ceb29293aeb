"""A well-known module or name that was never imported."""

from __future__ import annotations

import ast
import functools
import importlib.util
from collections.abc import Callable, Iterator

from reflex_ipython.base.spans import apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.placement import import_edit
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell
from reflex_ipython.propose.rules.well_known import CALL, WELL_KNOWN, well_known


@functools.lru_cache(maxsize=256)
def is_installed(module: str) -> bool:
    """Whether a top-level module can be imported here. It is looked for, not imported."""
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):  # a module without a spec, as `__main__`
        return False


def missing_import(failure: Failure, installed: Callable[[str], bool] = is_installed) -> Iterator[Proposal]:
    """`np` is not defined: `import numpy as np`. The cell's other well-known names that are missing come along."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "name" or cell is None:
        return
    here = cell.bound
    first = None if lookup.wanted in here else import_of(cell, lookup.wanted, installed)
    if first is None:
        return
    there = here.union(failure.situation.names, lookup.available, (lookup.wanted,))
    others = (import_of(cell, name, installed) for name in _loaded(cell) if name not in there)
    statements = list(dict.fromkeys([first, *(other for other in others if other)]))
    yield Proposal(
        apply(cell.source, [import_edit(cell, statements)]), _why(lookup.wanted, statements), "missing import"
    )


def import_of(cell: Cell, name: str, installed: Callable[[str], bool]) -> str | None:
    """The one statement that imports `name` as this cell uses it, if it is certain and the module is installed."""
    uses = _uses(cell, name)
    fitting = [known for known in well_known(name) if not known.uses or uses <= known.uses]
    if not uses or len(fitting) != 1:
        return None
    module = fitting[0].statement.split()[1].partition(".")[0]
    return fitting[0].statement if installed(module) else None


def _uses(cell: Cell, name: str) -> set[str]:
    """How the cell uses a name: attributes, `()` for a call, empty text for anything else."""
    uses, explained = set[str](), set[ast.AST]()
    attributes = [(node.value, node.attr) for node in cell.every(ast.Attribute)]
    for inner, use in [*attributes, *((node.func, CALL) for node in cell.every(ast.Call))]:
        if isinstance(inner, ast.Name) and inner.id == name:
            uses.add(use)
            explained.add(inner)
    decorators = {inner for node in cell.nodes() for inner in getattr(node, "decorator_list", ())}
    for node in cell.every(ast.Name):
        if node.id == name and node not in explained:
            uses.add(CALL if node in decorators else "")
    return uses


def _loaded(cell: Cell) -> list[str]:
    names = {node.id: node.lineno for node in cell.every(ast.Name) if node.id in WELL_KNOWN}
    return sorted(names, key=lambda name: (names[name], name))


def _why(name: str, statements: list[str]) -> str:
    if len(statements) == 1:
        return f"`{name}` was not imported; the usual import is `{statements[0]}`."
    usual = ", ".join(f"`{text}`" for text in statements)
    return f"`{name}` was not imported, nor were others: the usual imports are {usual}."
