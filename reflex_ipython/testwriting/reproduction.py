"""What was there when the code failed: found out by running the cells again, with their old sources."""

from __future__ import annotations

from typing import Any

from reflex_ipython.capture.dataflow import names
from reflex_ipython.errors import BadInput
from reflex_ipython.testwriting.attempts import modules, recorded
from reflex_ipython.testwriting.slices import needed, only, statements
from reflex_ipython.testwriting.subject import Subject, functions
from reflex_ipython.testwriting.workroom import Workroom

NOT_REPRODUCED = "No test can be made: in a process of its own {} does not raise {} with the old source{}."
SETUP_FAILS = "No test can be made: what comes before does not run in a process of its own: {}."


def reproduced(room: Workroom, about: Subject, asked: list[str], rows: int | None) -> dict[str, Any]:
    """What was there when it failed: the values of names, and the arguments of the call.

    Of the cells before it only the statements run that it needs; all of them, where it does not fail so.

    Parameters
    ----------
    room : Workroom
    about : Subject
    asked : list of str
        The names.
    rows : int or None
        So many rows of each frame are written down; None: all.

    Raises
    ------
    BadInput
        If it does not fail as it did.
    """
    cells = [one.old for one in about.cells]
    wanted = names(about.failing.old).reads | {
        name for one in about.cells if one.old != one.new for name in names(one.old).defines
    }
    needed_alone = only(needed(wanted, statements(cells)), cells)
    if needed_alone != cells:
        try:
            return _of(room, about, needed_alone, asked, rows)
        except BadInput:
            pass
    return _of(room, about, cells, asked, rows)


def _of(room: Workroom, about: Subject, cells: list[str], asked: list[str], rows: int | None) -> dict[str, Any]:
    before = [[one.name, source] for one, source in zip(about.cells, cells)]
    job: dict[str, Any] = {
        "kind": "before",
        "cells": [*before, [about.failing.name, about.failing.old]],
        "modules": modules(about.files, "old"),
        "place": _place(about),
        "names": asked,
        "call": None,
        "rows": rows,
    }
    seen = recorded(room, job)
    if "setup_error" in seen:
        raise BadInput(SETUP_FAILS.format(seen["setup_error"]))
    if seen["ename"] != about.ename:
        instead = f", but {seen['error']}" if seen["error"] else ""
        raise BadInput(NOT_REPRODUCED.format(about.failing.name, about.ename, instead))
    if about.function is None:
        return seen
    if seen.get("call") is None:
        raise BadInput(NOT_REPRODUCED.format(about.function.qualname, about.ename, ""))
    called = recorded(room, {**job, "call": seen["call"]})
    if "positional" not in called:
        raise BadInput(NOT_REPRODUCED.format(about.function.qualname, about.ename, f" again: {called.get('error')}"))
    return called


def _place(about: Subject) -> tuple[str, str, int, int] | None:
    """Where the function's code is, in the old text."""
    if about.function is None:
        return None
    text, name = about.function.text, about.function.qualname
    node = functions(text.old)[name]
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    return text.path or text.name, node.name, first, node.end_lineno or first
