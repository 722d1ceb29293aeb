"""Writing an expression in another form: `{owner}.push({args})` as `{owner}.append({args})`."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import NamedTuple

from reflex_ipython.base.parsing import parse
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.cell import Cell


class Form(NamedTuple):
    """How something is written in Python.

    Parameters
    ----------
    text : str
        With `{owner}` for the expression that was asked, `{0}`, `{1}` for its arguments, `{args}` for however many.
        A text with ` = ` is a statement.
    prior : float
        As in `Proposal`.
    statement : str
        The import that it needs.
    """

    text: str
    prior: float = 0.85
    statement: str = ""


_FIELD = re.compile(r"\{(\w+)\}")
_ATOMS = (
    ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.Dict, ast.Set, ast.ListComp, ast.SetComp,
    ast.DictComp, ast.JoinedStr,
)  # fmt: skip
# Where an expression may stand without brackets, whatever it is.
_LOOSE = (ast.stmt, ast.keyword, ast.List, ast.Set, ast.Tuple, ast.FormattedValue)


def rewritten(cell: Cell, node: ast.expr, form: str, owner: ast.expr | None = None) -> SpanEdit | None:
    """The edit that writes a call (or what is not called) in another form.

    Parameters
    ----------
    cell : Cell
    node : ast.expr
        A call, whose arguments the form may use; or anything else, which has none.
    form : str
        As in `Form`.
    owner : ast.expr or None
        What `{owner}` stands for.

    Returns
    -------
    Edit or None
        None if the form does not fit the arguments, or the text is not where the tree says.
    """
    place = where(cell, node)
    call = node if isinstance(node, ast.Call) else None
    if place is None or not _fits(form, call):
        return None
    parent = cell.parent(node)
    if " = " in form and not (isinstance(parent, ast.Expr) and isinstance(owner, (ast.Name, ast.Attribute))):
        return None
    text = _FIELD.sub(lambda found: _part(cell, found, form, call, owner, place[2]), form)
    loose = isinstance(parent, _LOOSE) or (isinstance(parent, ast.Call) and node is not parent.func)
    return SpanEdit(place[0], place[1], text if " = " in form or loose or _is_atom(text) else f"({text})")


def where(cell: Cell, node: ast.expr) -> tuple[int, int, bool] | None:
    """Where the text of a node starts and ends, and whether that is in an f-string; None if it is not certain.

    Before Python 3.12 the tree's columns can't be trusted in f-strings: there the text is looked for.
    """
    outer = node
    while (parent := cell.parent(outer)) is not None and isinstance(outer, ast.expr):
        if isinstance(parent, ast.JoinedStr):
            return _in_string(cell, parent, ast.unparse(node))
        outer = parent  # type: ignore[assignment]  # the loop ends at what is no expression
        if isinstance(outer, ast.FormattedValue):
            continue
    start, end = cell.span(node)
    return start, end, False


def text_of(cell: Cell, node: ast.expr) -> str:
    """The text of a node, where it may be in an f-string."""
    place = where(cell, node)
    return ast.unparse(node) if place is None or place[2] else cell.source[place[0] : place[1]]


def is_atom(node: ast.expr) -> bool:
    """Whether a dot or a bracket may follow the expression as it is."""
    return isinstance(node, _ATOMS) or (isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)))


def bracketed(cell: Cell, node: ast.expr) -> str:
    """The text of a node, in brackets if a dot could not follow it."""
    text = text_of(cell, node)
    return text if is_atom(node) else f"({text})"


def arguments_of(cell: Cell, parts: Sequence[ast.expr | ast.keyword], in_string: bool) -> str:
    """The text of a call's arguments, as they stand."""
    if in_string:
        return ", ".join(ast.unparse(part) for part in parts)
    spans = sorted(cell.span(part) for part in parts)
    return cell.source[spans[0][0] : spans[-1][1]] if spans else ""


def _in_string(cell: Cell, string: ast.JoinedStr, text: str) -> tuple[int, int, bool] | None:
    start, end = cell.span(string)
    for one in (text, text.replace("'", '"')):
        found = [match.start() for match in re.finditer(rf"(?<![\w.]){re.escape(one)}", cell.source[start:end])]
        if len(found) == 1:
            return start + found[0], start + found[0] + len(one), True
    return None


def _fits(form: str, call: ast.Call | None) -> bool:
    """Whether a call has the arguments that the form takes."""
    fields = set(_FIELD.findall(form))
    if call is None:
        return fields <= {"owner"}
    if "args" in fields:
        given = len(call.args) + len(call.keywords)
        return given > 0 or "{args})" in form.replace(" ", "").replace(",{args}", "?")
    count = len(fields - {"owner"})
    plain = not call.keywords and not any(isinstance(argument, ast.Starred) for argument in call.args)
    return plain and len(call.args) == count


def _part(
    cell: Cell, found: re.Match[str], form: str, call: ast.Call | None, owner: ast.expr | None, in_string: bool
) -> str:
    field = found[1]
    if field == "args":
        assert call is not None
        return arguments_of(cell, [*call.args, *call.keywords], in_string)
    node = owner if field == "owner" else call.args[int(field)] if call is not None else None
    assert node is not None
    alone = form[: found.start()].endswith(("(", ", ")) and form[found.end() :].startswith((")", ", "))
    number = isinstance(node, ast.Constant) and form[found.end() : found.end() + 1] not in (".", "[")
    return text_of(cell, node) if alone or number else bracketed(cell, node)


def _is_atom(text: str) -> bool:
    tree = parse(text)
    statement = tree.body[0] if tree is not None and len(tree.body) == 1 else None
    return isinstance(statement, ast.Expr) and is_atom(statement.value)
