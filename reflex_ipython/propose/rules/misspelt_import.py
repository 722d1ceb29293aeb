"""A misspelt module, or a misspelt name imported from one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.distributions import DISTRIBUTIONS
from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.closeness import closest, fold
from reflex_ipython.propose.rules.misspelt_name import replacements
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes
from reflex_ipython.propose.rules.well_known import well_known

_FROM = re.compile(r"from\s+([\w.]+)\s+import\b")
_IMPORT_AS = re.compile(r"import (\w+) as \w+")
_SLIPS = 2
"""Letters in which a module differs at most from the one that its name here tells."""


def misspelt_module(failure: Failure) -> Iterator[Proposal]:
    """`import nmupy as np`: `import numpy as np`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "module" or cell is None:
        return
    meant, why = _module(lookup.wanted, lookup.available), ""
    if meant is None:
        meant, why = _by_its_name_here(failure, cell, lookup.wanted, lookup.available)
    edits = module_edits(failure, cell, lookup.wanted, meant) if meant else []
    if meant and edits:
        why = f"There is no module `{lookup.wanted}`; {why or f'the closest is `{meant}`'}."
        yield Proposal(apply(cell.source, edits), why, "closest module")


def module_by_its_distribution(failure: Failure) -> Iterator[Proposal]:
    """`import scikit_learn`: `import sklearn`, as the module of that package is called."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "module" or cell is None:
        return
    wanted = lookup.wanted.partition(".")[0]
    meant = [name for name, package in DISTRIBUTIONS.items() if fold(package) == fold(wanted) and name != wanted]
    meant = [name for name in meant if name in lookup.available]
    edits = module_edits(failure, cell, wanted, meant[0]) if len(meant) == 1 else []
    if edits:
        why = f"`{DISTRIBUTIONS[meant[0]]}` is what is installed; the module in it is called `{meant[0]}`."
        yield Proposal(apply(cell.source, edits), why, "name of the module")


def misspelt_imported_name(failure: Failure) -> Iterator[Proposal]:
    """`from math import sqrrt`: `from math import sqrt`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "import" or cell is None:
        return
    meant = closest(lookup.wanted, lookup.available, fixed=True)
    edits = imported_name_edits(failure, cell, lookup.wanted, meant) if meant else []
    if meant and edits:
        why = f"`{lookup.owner or 'The module'}` has no `{lookup.wanted}`; the closest is `{meant}`."
        yield Proposal(apply(cell.source, edits), why, "closest imported name")


def module_edits(failure: Failure, cell: Cell, wanted: str, meant: str) -> list[SpanEdit]:
    """The edits that import `meant` where `wanted` was imported, and read it by its new name."""
    for node in failing_nodes(failure, cell):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _starts(alias.name, wanted):
                    start = cell.span(alias)[0]
                    end = cell.span(alias)[1] if alias.asname == meant else start + len(wanted)
                    edit = SpanEdit(start, end, meant)
                    uses = [] if alias.asname else _renamed(cell, wanted, meant)
                    return [] if uses is None else [edit, *uses]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level and _starts(node.module, wanted):
            match = _FROM.match(cell.source, cell.span(node)[0])
            if match and match.group(1) == node.module:
                return [SpanEdit(match.start(1), match.start(1) + len(wanted), meant)]
    return []


def imported_name_edits(failure: Failure, cell: Cell, wanted: str, meant: str) -> list[SpanEdit]:
    """The edits that import the name `meant` where `wanted` was imported, and read it by its new name."""
    for node in failing_nodes(failure, cell):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name == wanted:
                    start = cell.span(alias)[0]
                    uses = [] if alias.asname else replacements(cell, wanted, meant)
                    return [] if uses is None else [SpanEdit(start, start + len(wanted), meant), *uses]
    return []


def _module(wanted: str, available: tuple[str, ...]) -> str | None:
    """The module that was meant. Of a dotted name only the last part was not found, the others were."""
    package, dot, last = wanted.rpartition(".")
    if not dot:
        return closest(wanted, (name for name in available if "." not in name), fixed=True)
    siblings = [name.removeprefix(f"{package}.") for name in available]
    meant = closest(last, (name for name in siblings if "." not in name), fixed=True)
    return f"{package}.{meant}" if meant else None


def _by_its_name_here(failure: Failure, cell: Cell, wanted: str, available: tuple[str, ...]) -> tuple[str | None, str]:
    """`import nunpy as np`: several are near, `runpy` for one, but what is called `np` is `numpy`; and why that is."""
    from rapidfuzz.distance import OSA  # only who misspells pays for the import

    for node in failing_nodes(failure, cell):
        for alias in node.names if isinstance(node, ast.Import) else []:
            for known in well_known(alias.asname or "") if alias.name == wanted else ():
                found = _IMPORT_AS.fullmatch(known.statement)
                meant = found.group(1) if found is not None else ""
                if meant in available and OSA.distance(fold(wanted), fold(meant)) <= _SLIPS:
                    return meant, f"what is called `{alias.asname}` is `{meant}`"
    return None, ""


def _starts(name: str, wanted: str) -> bool:
    return name == wanted or name.startswith(f"{wanted}.")


def _renamed(cell: Cell, wanted: str, meant: str) -> list[SpanEdit] | None:
    """The reads of a module that has no alias: of a dotted one the last part, `xml.etere`."""
    if "." not in wanted:
        return replacements(cell, wanted, meant)
    return [
        SpanEdit(start, end, meant)
        for node in cell.every(ast.Attribute)
        if ast.unparse(node) == wanted
        for start, end in [cell.span(node)]
        if cell.source[start:end] == wanted
    ]
