"""What `except` catches: classes of errors, several of them as a tuple."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell


def caught_classes(failure: Failure) -> Iterator[Proposal]:
    """`except [ValueError, KeyError]`: `except (ValueError, KeyError)`; `except "KeyError"`: `except KeyError`."""
    if not failure.error.evalue.startswith("catching classes that do not inherit from BaseException"):
        return
    cell, edits = failing_cell(failure), []
    for handler in cell.every(ast.ExceptHandler) if cell is not None else ():
        assert cell is not None
        kind = handler.type
        if isinstance(kind, (ast.List, ast.Set)):
            start, end = cell.span(kind)
            comma = "," if len(kind.elts) == 1 else ""
            edits += [SpanEdit(start, start + 1, "("), SpanEdit(end - 1, end, f"{comma})")]
        elif isinstance(kind, ast.Constant) and isinstance(kind.value, str) and kind.value.isidentifier():
            edits.append(SpanEdit(*cell.span(kind), kind.value))
        elif isinstance(kind, ast.BoolOp):
            start, end = cell.span(kind)
            edits.append(SpanEdit(start, end, f"({', '.join(cell.text(one) for one in kind.values)})"))
    if cell is not None:
        why = "`except` takes a class of errors, and several of them as a tuple."
        yield from candidate(cell, edits, why, "caught classes", 0.93)
