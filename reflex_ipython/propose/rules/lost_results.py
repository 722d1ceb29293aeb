"""What gives a new value in the place of what was to change one: its result must be kept, or nothing has changed."""

from __future__ import annotations

import ast
import dataclasses

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.proposal import Proposal

_CHANGING = frozenset(
    [
        "append",
        "push",
        "push_back",
        "add",
        "insert",
        "extend",
        "concat",
        "union",
        "update",
        "remove",
        "delete",
        "discard",
        "sort",
    ]
)
"""Words that ask a value to change itself."""
_SHOWN = frozenset({"sort", "union", "concat"})
"""Those whose result may be wanted for itself: at the end of a cell it is shown."""
_LIBRARIES = frozenset({"numpy", "pandas"})
_ACTING = frozenset(["put", "place", "copyto", "fill_diagonal", "put_along_axis", "putmask"])
"""The libraries' functions that change what they are given."""
_BUILTINS = frozenset(["sorted", "list", "tuple", "set", "dict", "reversed", "frozenset"])
_METHODS = {
    "DataFrame": "append assign drop sort_values sort_index rename fillna dropna reset_index set_index merge join",
    "Series": "append drop sort_values sort_index rename fillna dropna reset_index",
    "Index": "append insert delete drop union sort_values",
    "str": "replace strip join ljust rjust",
    "tuple": "__add__",
    "frozenset": "union difference",
}


def kept(failure: Failure, proposal: Proposal) -> Proposal:
    """The proposal with its result assigned where it would be lost: `xs = np.append(xs, 1)`.

    Parameters
    ----------
    failure : Failure
    proposal : Proposal
        Of any rule.

    Returns
    -------
    Proposal
        The same one, where nothing is lost by it.
    """
    lookup = failure.lookup
    if lookup is None or lookup.kind != "attribute" or lookup.wanted not in _CHANGING or proposal.cell is not None:
        return proposal
    old, new = read(failure.situation.source), read(proposal.source)
    before, after = old.every(ast.Expr), new.every(ast.Expr)
    if len(before) != len(after):
        return proposal
    edits, targets = [], []
    for was, now in zip(before, after):
        target = _asked(was, lookup.wanted)
        if target is None or not _gives(failure, now.value) or _is_shown(new, now, lookup.wanted):
            continue
        if not isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)):
            return dataclasses.replace(proposal, prior=min(proposal.prior, 0.2))
        start = new.span(now)[0]
        targets.append(old.text(target))
        edits.append(SpanEdit(start, start, f"{targets[-1]} = "))
    if not edits:
        return proposal
    why = f"{proposal.explanation} It leaves `{targets[0]}` as it is and gives a new value, which is assigned."
    return dataclasses.replace(proposal, source=apply(proposal.source, edits), explanation=why)


def _asked(statement: ast.Expr, wanted: str) -> ast.expr | None:
    """What a statement asks to change itself."""
    call = statement.value
    asks = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == wanted
    return call.func.value if asks else None  # type: ignore[attr-defined]  # just checked


def _gives(failure: Failure, value: ast.expr) -> bool:
    """Whether all that an expression does is to give a new value."""
    if isinstance(value, (ast.BinOp, ast.List, ast.Tuple, ast.ListComp, ast.Subscript)):
        return True
    if not isinstance(value, ast.Call) or any(one.arg in ("inplace", "out") for one in value.keywords):
        return False
    function = value.func
    if isinstance(function, ast.Name):
        return function.id in _BUILTINS and function.id not in failure.situation.names
    if not isinstance(function, ast.Attribute):
        return False
    owner = function.value
    if isinstance(owner, ast.Name) and failure.situation.meanings.get(owner.id, "") in _LIBRARIES:
        return function.attr not in _ACTING
    assert failure.lookup is not None
    kind = failure.lookup.owner_type.rpartition(".")[2]
    return function.attr in _METHODS.get(kind, "").split()


def _is_shown(cell: Cell, statement: ast.Expr, wanted: str) -> bool:
    """Whether the statement ends the cell, which shows its value, and that may be what is wanted."""
    return wanted in _SHOWN and cell.tree is not None and cell.tree.body[-1] is statement
