"""Modes that no file can be opened in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import Reading, reading

_NO_MODE = re.compile(
    r"must have exactly one of create/read/write/append mode|[Mm]ust have exactly one of|invalid mode: "
    r"|can't have text and binary mode at once"
)
_WRITE = frozenset({"write", "writelines", "dump", "writer", "DictWriter", "to_csv"})
_READ = frozenset({"read", "readline", "readlines", "load", "reader", "DictReader"})


def impossible_mode(failure: Failure) -> Iterator[Proposal]:
    """`open(name, "wr")`: `"w"`, if the cell writes to the file; `"r"`, if it reads it."""
    read = reading(failure) if failure.error.ename == "ValueError" and _NO_MODE.match(failure.error.evalue) else None
    for call in read.nodes(ast.Call) if read is not None else []:
        assert read is not None
        modes = [*call.args[1:2], *(one.value for one in call.keywords if one.arg == "mode")]
        mode = read.value(modes[0]) if read.called(call) == "open" and modes else None
        if type(mode) is not str:
            continue
        file = _file(read, call)
        writes, reads = _used(read, file, _WRITE), _used(read, file, _READ)
        binary = "b" if "b" in mode and "t" not in mode else ""
        for letter, prior in _letters(mode, writes, reads):
            does = {"w": "writes to the file anew", "a": "writes at its end", "r": "reads it", "r+": "does both"}
            why = f"`{mode}` is no mode of a file; `{letter}{binary}` {does.get(letter, 'does both')}."
            edits = [SpanEdit(*read.cell.span(modes[0]), f'"{letter}{binary}"')]
            yield from read.propose(edits, why, "mode of a file", prior)


def _file(read: Reading, opened: ast.Call) -> str:
    """The name that the file gets."""
    items = [item for node in read.cell.every(ast.With) for item in node.items if item.context_expr is opened]
    targets = [item.optional_vars for item in items]
    above = read.parent(opened)
    targets += above.targets if isinstance(above, ast.Assign) else []
    return next((one.id for one in targets if isinstance(one, ast.Name)), "")


def _used(read: Reading, file: str, functions: frozenset[str]) -> bool:
    """Whether one of these is a method of the file, or is given it."""
    for call in read.cell.every(ast.Call):
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        if read.called(call) in functions and any(
            isinstance(one, ast.Name) and one.id == file for one in (owner, *call.args)
        ):
            return True
    return False


def _letters(mode: str, writes: bool, reads: bool) -> list[tuple[str, float]]:
    if writes and reads and "+" not in mode and "a" not in mode:
        return [("w", 0.6), ("w+", 0.35), ("r+", 0.3)]
    if writes or not reads:
        first = "a" if "a" in mode else "w"
        return [(first, 0.85 if writes else 0.5)]
    return [("r", 0.85)]
