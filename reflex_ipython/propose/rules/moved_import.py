"""Modules that were renamed, and names that are imported from elsewhere now."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.missing_import import is_installed
from reflex_ipython.propose.rules.misspelt_import import imported_name_edits, module_edits
from reflex_ipython.propose.rules.moved_names import DATASETS, IMPORTS, MODULES
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_PLAIN = re.compile(r"from\s+[\w.]+\s+import\s+\(?[\w\s,]+\)?")


def moved_module(failure: Failure) -> Iterator[Proposal]:
    """`import cPickle`: `import pickle`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "module" or cell is None:
        return
    # Python names the first part that it did not find; the table may know a longer name.
    wanted = next((name for name in _imported(failure, cell) if name in MODULES and _part(lookup.wanted, name)), "")
    edits = module_edits(failure, cell, wanted, MODULES[wanted]) if wanted else []
    if edits:
        why = f"The module `{wanted}` no longer exists; `{MODULES[wanted]}` has what was in it."
        yield Proposal(apply(cell.source, edits), why, "moved module")


def moved_import(failure: Failure, installed: Callable[[str], bool] = is_installed) -> Iterator[Proposal]:
    """`from collections import Mapping`: `from collections.abc import Mapping`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind not in ("import", "module") or cell is None:
        return
    for node in failing_nodes(failure, cell):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            text = _moved(cell, node, node.module, installed)
            if text:
                moved = [alias.name for alias in node.names if (node.module, alias.name) in IMPORTS]
                names = " and no ".join(f"`{name}`" for name in moved)
                why = f"`{node.module}` has no {names} any more; this is where to import it from now."
                yield Proposal(apply(cell.source, [SpanEdit(*cell.span(node), text)]), why, "moved import")
                return


def removed_dataset(failure: Failure) -> Iterator[Proposal]:
    """`load_boston`, which scikit-learn removed: other data for the same task. Which is meant, only the user knows."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "import" or cell is None:
        return
    version, others = DATASETS.get((lookup.owner, lookup.wanted), ("", ()))
    for name, what, prior in others:
        edits = imported_name_edits(failure, cell, lookup.wanted, name)
        if not edits:
            nodes = [node for node in failing_nodes(failure, cell) if isinstance(node, ast.Attribute)]
            ends = [cell.span(node)[1] for node in nodes if node.attr == lookup.wanted]
            edits = [SpanEdit(end - len(lookup.wanted), end, name) for end in ends]
        if edits:
            why = f"`{lookup.wanted}` was removed in {version}. `{name}` {what}."
            yield Proposal(apply(cell.source, edits), why, "other data", prior)


def _part(found: str, name: str) -> bool:
    return name == found or name.startswith(f"{found}.")


def _imported(failure: Failure, cell: Cell) -> list[str]:
    names = []
    for node in failing_nodes(failure, cell):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append(node.module)
    return names


def _moved(cell: Cell, node: ast.ImportFrom, module: str, installed: Callable[[str], bool]) -> str:
    """The statement as it should be: what stays, then what moved, a line each; empty if nothing moved."""
    if not _PLAIN.fullmatch(cell.text(node)):
        return ""  # comments or backslashes inside, that would be lost
    places = dict.fromkeys(IMPORTS.get((module, alias.name), module) for alias in node.names)
    if list(places) == [module] or not all(installed(_top(place, node)) for place in places):
        return ""
    indent = re.match(r"[ \t]*", cell.line(node.lineno))
    lines = []
    for place in sorted(places, key=lambda place: place != module):
        names = [ast.unparse(alias) for alias in node.names if IMPORTS.get((module, alias.name), module) == place]
        lines.append(f"from {place} import {', '.join(names)}" if place else f"import {', '.join(names)}")
    return f"{cell.newline}{indent.group() if indent else ''}".join(lines)


def _top(place: str, node: ast.ImportFrom) -> str:
    return (place or node.names[0].name).partition(".")[0]
