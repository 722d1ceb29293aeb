"""What `print` is given and what it gives: the text is shown, and None comes back."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import Reading, reading


def bracket_of_print(failure: Failure) -> Iterator[Proposal]:
    """`print("{}").format(x)`: `print("{}".format(x))`; `print("Total: ") + total`: `print("Total: ", total)`."""
    if failure.error.ename not in ("TypeError", "AttributeError") or "NoneType" not in failure.error.evalue:
        return
    read = reading(failure)
    for call in read.here if read is not None else ():
        assert read is not None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print" and call.args:
            whole = _outermost(read, call)
            if whole is not None and not call.keywords:
                yield from _moved(read, call, whole)


def _outermost(read: Reading, call: ast.Call) -> ast.expr | None:
    """The expression that goes on behind the call."""
    found: ast.expr = call
    for node in read.above(call):
        goes_on = (isinstance(node, ast.Attribute) and node.value is found) or (
            isinstance(node, ast.Call) and node.func is found
        )
        joined = isinstance(node, ast.BinOp) and node.left is found
        if not isinstance(node, ast.expr) or not (goes_on or joined):
            break
        found = node
    return None if found is call else found


def _moved(read: Reading, call: ast.Call, whole: ast.expr) -> Iterator[Proposal]:
    end, last = read.cell.span(call)[1], read.cell.span(whole)[1]
    rest = read.cell.source[end:last]
    why = "`print` shows its text and gives None; what follows belongs into its brackets."
    edits = [SpanEdit(end - 1, last, f"{rest})")]
    formats = isinstance(whole, ast.BinOp) and isinstance(whole.op, ast.Mod)
    yield from read.propose(
        edits, why, "bracket of print", 0.95 if formats or not isinstance(whole, ast.BinOp) else 0.9
    )
    if isinstance(whole, ast.BinOp) and isinstance(whole.op, ast.Add) and whole.left is call:
        edits = [SpanEdit(end - 1, last, f", {read.text(whole.right)})")]
        text = read.type(whole.right) == "str"
        yield from read.propose(edits, why, "bracket of print", 0.3 if text else 0.7)
