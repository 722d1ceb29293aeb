"""Running a cell under the journal, as the kernel's edge does."""

from __future__ import annotations

import ast
from types import ModuleType
from typing import Any

from reflex_ipython.state.bounds import Bounds
from reflex_ipython.state.journal import Journal

GENEROUS = Bounds(nodes=100_000, bytes=10**9, milliseconds=60_000)


def namespace(*setup: str, main: ModuleType | None = None) -> dict[str, Any]:
    """A namespace in which these statements ran: one of its own, or that of `main`."""
    made: dict[str, Any] = {"__name__": "__main__"} if main is None else vars(main)
    for source in setup:
        exec(source, made)
    return made


def run(
    names: dict[str, Any],
    cell: str,
    bounds: Bounds = GENEROUS,
    *,
    at_once: bool = False,
    foreseen: bool = True,
    **more: Any,
) -> Journal:
    """Run a cell's statements one by one until one fails, noting before each.

    `at_once`: all of it as if it was one statement. `foreseen`: what is foreseen of a statement spares a full note.
    """
    journal = Journal(names, bounds, **more)
    body = ast.parse(cell).body
    for statements in [body] if at_once else [[statement] for statement in body]:
        code = compile(ast.Module(statements, []), "<cell>", "exec")
        journal.before(code, statements[0] if foreseen and not at_once else None)
        try:
            exec(code, names)
        except Exception:  # noqa: BLE001 - a cell may fail with anything
            break
        journal.after()
    journal.finished()
    return journal
