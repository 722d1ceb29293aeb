"""The environment of the process, which holds secrets and tells programs what to do."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.check.critic.added import Change
from reflex_ipython.check.critic.qualified import Names
from reflex_ipython.check.parsed_cell import ParsedCell
from reflex_ipython.models import Finding

_WHOLE = ("os.environ", "os.environb")
_VARIABLE = re.compile(
    r"PATH|LD_|DYLD_|PYTHON|PROXY|_URL|HOST|SSL_|CERT|EDITOR|PAGER|BROWSER|SHELL|JUPYTER|REFLEX|API|HOME", re.I
)


def environment(change: Change, names: Names) -> Iterator[Finding]:
    """The environment as a whole, or those of its variables that programs obey."""
    before = {text for _, text in _environments(change.old, names)}
    for what, text in _environments(change.new, names):
        if text not in before:
            yield Finding("environment", f"{what}: `{text[:80]}`", "danger")


def _environments(cell: ParsedCell, names: Names) -> Iterator[tuple[str, str]]:
    named = set[int]()
    for node in cell.nodes():
        owner, key = _item(node)
        if owner is not None and names.full(owner) in _WHOLE and key is not None:
            text = names.text(key)
            if text is None:
                continue
            named.add(id(owner))
            if isinstance(node, ast.Call) and _method(node) == "pop" and _VARIABLE.search(text):
                yield "changes the environment", ast.unparse(node)
            if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load) and _VARIABLE.search(text):
                yield "changes the environment", ast.unparse(node)
    for node in cell.nodes():
        if isinstance(node, (ast.Name, ast.Attribute)) and id(node) not in named:
            if names.full(node) in _WHOLE and isinstance(node.ctx, ast.Load):
                yield "reads or changes the environment", ast.unparse(node)
            elif names.full(node) in ("os.putenv", "os.unsetenv"):
                yield "changes the environment", ast.unparse(node)


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _item(node: ast.AST) -> tuple[ast.expr | None, ast.expr | None]:
    """The owner and the key of `owner[key]`, `owner.get(key)`, `key in owner`."""
    if isinstance(node, ast.Subscript):
        return node.value, node.slice
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "pop"):
        return node.func.value, node.args[0] if node.args else None
    if isinstance(node, ast.Compare) and len(node.comparators) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
        return node.comparators[0], node.left
    return None, None
