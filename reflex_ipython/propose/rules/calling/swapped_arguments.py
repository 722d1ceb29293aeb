"""Two arguments of a function of the user's own that changed places."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.calling.nodes import is_plain
from reflex_ipython.propose.rules.cell import read
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import expressions, statements_at

_FAIL_SO = frozenset({"TypeError", "AttributeError", "ValueError"})


def swapped_arguments(failure: Failure) -> Iterator[Proposal]:
    """`repeat(3, "ab")`, where the text comes first: the other way round, if they are of two types."""
    if failure.error.ename not in _FAIL_SO or failure.stage == "syntax":
        return
    cell = read(failure.situation.source)
    cells = [cell, *(read(one.source) for one in failure.situation.earlier)]
    own = {node.name for one in cells for node in one.every(ast.FunctionDef)}
    nodes = [node for one in statements_at(cell, failure.lineno) for node in expressions(one)]
    calls = [node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    types = {value.name: value.type for value in failure.situation.values}
    for call in calls:
        if not isinstance(call.func, ast.Name) or call.func.id not in own or not is_plain(call):
            continue
        for one, other in itertools.pairwise(call.args):
            left, right = _type(one, types), _type(other, types)
            if left and right and left != right and {left, right} != {"int", "float"}:
                edits = [SpanEdit(*cell.span(one), cell.text(other)), SpanEdit(*cell.span(other), cell.text(one))]
                why = f"`{call.func.id}` fails with {a(left)} before {a(right)}; this gives them the other way round."
                prior = 0.6 if len(call.args) == 2 else 0.45
                yield Proposal(apply(cell.source, edits), why, "order of arguments", prior)


def _type(node: ast.expr, types: dict[str, str]) -> str:
    if isinstance(node, ast.Constant):
        return type(node.value).__name__
    displays = {ast.List: "list", ast.Dict: "dict", ast.Tuple: "tuple", ast.JoinedStr: "str"}
    known = displays.get(type(node), "")
    return known or (types.get(node.id, "").removeprefix("builtins.") if isinstance(node, ast.Name) else "")
