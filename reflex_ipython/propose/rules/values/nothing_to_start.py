"""A sum, a text or a list that is built up from None: `r = None`, and then `r += x` in a loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import Reading

_EMPTY = {"int": "0", "float": "0.0", "bool": "0", "str": '""', "list": "[]", "tuple": "()", "set": "set()"}
_METHODS = {"append": "[]", "extend": "[]", "insert": "[]", "add": "set()", "update": "{}", "setdefault": "{}"}
_Built = (ast.Add, ast.Sub, ast.BitOr)


def start_instead_of_nothing(read: Reading, node: ast.Name, made: ast.Assign | None) -> Iterator[Proposal]:
    """`r = None` and then `r += 1`: `r = 0`; `r = None` and then `r.append(1)`: `r = []`."""
    start = _start(read, node)
    if not start:
        return
    if made is not None and isinstance(made.value, ast.Constant) and made.value.value is None:
        why = f"`{node.id}` is None, to which nothing can be added; it starts with `{start}` instead."
        yield from read.propose(read.replace(made.value, start), why, "start of a variable", 0.88)
    above = read.parent(node)
    if isinstance(above, ast.AugAssign) and isinstance(above.op, ast.Add) and made is None:
        text = f"{node.id} = ({node.id} or {start}) + {read.atom(above.value)}"
        why = f"`{node.id}` is None; `{start}` stands for it."
        yield from read.propose(read.replace(above, text), why, "value for None", 0.45)


def _start(read: Reading, node: ast.Name) -> str:
    """What a variable starts with that is used like this; empty if it can't be told."""
    above = read.parent(node)
    if isinstance(above, ast.AugAssign) and above.target is node and isinstance(above.op, _Built):
        return _EMPTY.get(read.type(above.value), "")
    if isinstance(above, ast.BinOp) and isinstance(above.op, _Built):
        stored = read.parent(above)
        back = isinstance(stored, ast.Assign) and any(read.text(one) == node.id for one in stored.targets)
        other = above.right if above.left is node else above.left
        return _EMPTY.get(read.type(other), "") if back else ""
    if isinstance(above, ast.Attribute) and isinstance(read.parent(above), ast.Call):
        return _METHODS.get(above.attr, "")
    return "{}" if isinstance(above, ast.Subscript) and isinstance(above.ctx, ast.Store) else ""
