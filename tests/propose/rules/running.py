"""Cells that really run and fail, and the candidates that then run: what a search would show, without a kernel."""

from __future__ import annotations

import ast
import contextlib
import io
import itertools
import linecache
from collections.abc import Sequence
from typing import Any
from unittest import mock

from reflex_ipython.capture.failure import capture_failure
from reflex_ipython.models import LIKELY, CellRef, CellSource, Failure, Fix
from reflex_ipython.propose.rules import RuleProvider
from reflex_ipython.protocols import Request

_FAILING = CellRef("failing", 99)
_numbers = itertools.count()


class _Cells:
    """The cells that ran, by the names of their codes' files."""

    def __init__(self) -> None:
        self.known: dict[str, CellSource] = {}

    def find(self, filename: str) -> CellSource | None:
        return self.known.get(filename)

    def all(self) -> Sequence[CellSource]:
        return list(self.known.values())


def run(source: str, namespace: dict[str, Any], cells: _Cells | None = None, cell: CellRef = _FAILING) -> str:
    """Run a cell; gives what it printed and what its last expression is worth."""
    filename = f"<ipython-input-{next(_numbers)}-test>"  # as `executing` knows cells
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    if cells is not None:
        cells.known[filename] = CellSource(cell, source)
    out = io.StringIO()
    results: list[Any] = []
    with contextlib.redirect_stdout(out), mock.patch("sys.displayhook", results.append):
        *nodes, last = ast.parse(source).body
        for node in nodes:  # one by one, and the last one as if it were typed, as IPython does it
            exec(compile(ast.Module([node], []), filename, "exec"), namespace)
        exec(compile(ast.Interactive([last]), filename, "single"), namespace)
    return out.getvalue() + "".join(repr(result) for result in results if result is not None)


def failed(cell: str, *setup: str) -> Failure:
    """The failure of a cell after some others, as it is captured."""
    cells, namespace = _Cells(), {"__name__": "__main__"}
    for number, source in enumerate(setup):
        run(source, namespace, cells, CellRef(f"c{number}", number))
    try:
        run(cell, namespace, cells)
    except Exception as error:  # noqa: BLE001 - it may be any
        return capture_failure(error, source=cell, cell=_FAILING, namespace=namespace, cells=cells)
    raise AssertionError("the cell runs")


def shown(cell: str, *setup: str) -> list[Fix]:
    """The candidates that run, the likeliest first, of those with the same outcome the first."""
    found: dict[str, Fix] = {}
    fixes = RuleProvider().propose(failed(cell, *setup), Request())
    for fix in sorted(fixes, key=lambda one: -one.prior):
        namespace: dict[str, Any] = {"__name__": "__main__"}
        try:
            for number, source in enumerate(setup):
                run(fix.source_of(CellRef(f"c{number}", number), source), namespace)
            out = run(fix.source_of(_FAILING, cell), namespace)
        except Exception:  # noqa: BLE001 - a trial refuses it
            continue
        values = {name: value for name, value in namespace.items() if not callable(value) and name[0] != "_"}
        found.setdefault(f"{out} {values!r}", fix)
    return list(found.values())[:5]


def sources(cell: str, *setup: str) -> list[str]:
    """The texts that `shown` has."""
    return [fix.edits[-1].source for fix in shown(cell, *setup)]


def answer(cell: str, *setup: str) -> str | None:
    """The text that is shown as the answer; None if nothing or a choice is."""
    found = shown(cell, *setup)
    if not found or found[0].prior < LIKELY or any(fix.prior >= found[0].prior / 2 for fix in found[1:]):
        return None
    return found[0].edits[-1].source
