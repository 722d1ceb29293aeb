"""Functions that a fix writes or rewrites so that they give another kind of thing than they say."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.check.critic.added import Change, changes
from reflex_ipython.check.critic.words import words
from reflex_ipython.check.parsed_cell import ParsedCell, read
from reflex_ipython.models import Cause, Finding, Fix, Trial
from reflex_ipython.protocols import Context

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)

_QUESTIONS = words("is has can should was are")
_AMOUNTS = words("mean average avg median sum total std stdev variance area perimeter ratio percentage percent")
_TEXTS = words("format stringify")
_MANY = words("by per each all and or of_each columns rows groups")
"""In a name: it gives one thing for each of several, or several things."""

_ANNOTATED = {
    **dict.fromkeys(("int", "float", "complex"), "a number"),
    **{"bool": "a truth value", "str": "a text", "list": "a list", "dict": "a dictionary"},
}
_CALLED = {
    **dict.fromkeys(("int", "float", "len", "sum", "abs", "round"), "a number"),
    **dict.fromkeys(("bool", "any", "all", "isinstance", "issubclass", "callable"), "a truth value"),
    **dict.fromkeys(("str", "repr", "format"), "a text"),
    **dict.fromkeys(("list", "sorted"), "a list"),
    **{"dict": "a dictionary", "set": "a set", "tuple": "a tuple"},
}
_COLLECTIONS = ("a list", "a dictionary", "a set", "a tuple")
_EXCLUDED = {
    "a number": ("a text", *_COLLECTIONS),
    "a truth value": ("a text", *_COLLECTIONS),
    "a text": ("a number", "a truth value", *_COLLECTIONS),
    "a list": ("a number", "a truth value", "a text", "a dictionary"),
    "a dictionary": ("a number", "a truth value", "a text", "a list"),
}
"""What can't be meant: numbers pass for truth values, and None for nothing at all."""

_DOCSTRING = {
    "a truth value": re.compile(r"\b(?:returns?|check|tests?|tells?|says?|true)\s+(?:true\s+)?(?:if|whether)\b", re.I),
    "a number": re.compile(
        r"\breturns?\s+(?:an?\s+|the\s+)?(?:arithmetic\s+)?(?:mean|average|sum|median|number)\b", re.I
    ),
    "a list": re.compile(r"\breturns?\s+(?:an?\s+|the\s+)?list\b", re.I),
    "a dictionary": re.compile(r"\breturns?\s+(?:an?\s+|the\s+)?dict(?:ionary)?\b", re.I),
    "a text": re.compile(r"\breturns?\s+(?:an?\s+|the\s+)?(?:str|string|text)\b", re.I),
}


class ResultKindChecker:
    """Says which new or changed functions give what their name, docstring or uses do not say."""

    name = "kind of result"
    needs_trial = False

    def __init__(self, context: Context | None = None) -> None:
        """Needs nothing of the context."""

    def check(self, cause: Cause, fix: Fix, trial: Trial | None = None) -> Iterator[Finding]:
        """Yield a finding for each such function."""
        cells = [read(cell.source) for cell in cause.situation.earlier]
        cells.append(read(fix.source_of(cause.situation.place, cause.situation.source)))
        for change in changes(fix):
            for function, before in _rewritten(change):
                expected, who = _expected(function, cells)
                kinds = set(_kinds(function)) - (set(_kinds(before)) if before is not None else set())
                wrong = sorted(kinds & set(_EXCLUDED.get(expected, ())))
                if wrong:
                    yield Finding("another-kind", f"`{function.name}` gives {wrong[0]}, where {who} {expected}")


def _rewritten(change: Change) -> Iterator[tuple[_Function, _Function | None]]:
    """The functions that are not as they were, and what they were."""
    old = {node.name: node for node in change.old.nodes() if isinstance(node, _Function)}
    for node in change.new.nodes():
        if isinstance(node, _Function):
            before = old.get(node.name)
            if before is None or ast.dump(before) != ast.dump(node):
                yield node, before


def _expected(function: _Function, cells: list[ParsedCell]) -> tuple[str, str]:
    """What a function is to give, and what says so; empty if nothing does."""
    annotation = function.returns
    if annotation is not None:
        named = annotation.value if isinstance(annotation, ast.Subscript) else annotation
        return _ANNOTATED.get(getattr(named, "id", ""), ""), "its annotation says"
    docstring = (ast.get_docstring(function) or "").partition("\n\n")[0]
    told = [kind for kind, pattern in _DOCSTRING.items() if pattern.search(docstring)]
    if told:
        return (told[0] if len(told) == 1 else ""), "its docstring says"
    parts = function.name.strip("_").split("_")
    if not _MANY.isdisjoint(parts):
        return "", ""
    if parts[0] in _QUESTIONS and len(parts) > 1:
        return "a truth value", "its name says"
    if {parts[0], parts[-1]} & _AMOUNTS:
        return "a number", "its name says"
    if parts[0] in _TEXTS and len(parts) > 1:
        return "a text", "its name says"
    used = {kind for cell in cells for kind in _uses(cell, function.name)}
    return (used.pop() if len(used) == 1 else ""), "it is used as"


def _uses(cell: ParsedCell, name: str) -> Iterator[str]:
    """What the calls of a function are used as."""
    for node in cell.nodes():
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Sub, ast.Div, ast.Pow, ast.FloorDiv)):
            sides = (node.left, node.right)
            number = any(isinstance(side, ast.Constant) and isinstance(side.value, (int, float)) for side in sides)
            if number and any(_calls(side, name) for side in sides):
                yield "a number"
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "round" and node.args:
            if _calls(node.args[0], name):
                yield "a number"
        elif isinstance(node, ast.FormattedValue) and _calls(node.value, name) and node.format_spec is not None:
            if ast.unparse(node.format_spec).rstrip("'\"")[-1:] in ("f", "d", "e", "g", "%"):
                yield "a number"
        elif isinstance(node, ast.Attribute) and _calls(node.value, name):
            if node.attr in ("upper", "lower", "strip", "split", "startswith", "endswith", "title"):
                yield "a text"
            elif node.attr in ("keys", "values", "items"):
                yield "a dictionary"


def _calls(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == name


def _kinds(function: _Function) -> Iterator[str]:
    """What it gives, as far as its own text tells."""
    if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in _own(function)):
        return
    bound: dict[str, list[ast.expr]] = {}
    for node in _own(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            bound.setdefault(node.targets[0].id, []).append(node.value)
        elif isinstance(node, (ast.AugAssign, ast.For, ast.AsyncFor)) and isinstance(node.target, ast.Name):
            bound.setdefault(node.target.id, []).extend([node.target, node.target])
    for node in _own(function):
        if isinstance(node, ast.Return) and node.value is not None:
            values = bound.get(node.value.id, []) if isinstance(node.value, ast.Name) else [node.value]
            if len(values) == 1:
                yield from filter(None, [_kind(values[0])])


def _own(function: _Function) -> Iterator[ast.AST]:
    """The nodes of a function, without those of functions inside it."""
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, _SCOPES):
            todo += ast.iter_child_nodes(node)


def _kind(value: ast.expr) -> str:
    """What an expression certainly is; empty if that can't be told."""
    if isinstance(value, ast.Constant):
        if isinstance(value.value, bool):
            return "a truth value"
        return "a text" if isinstance(value.value, str) else "a number" if isinstance(value.value, (int, float)) else ""
    for kinds, kind in _WRITTEN:
        if isinstance(value, kinds):
            return kind
    if isinstance(value, ast.Call):
        if isinstance(value.func, ast.Attribute):
            joins = isinstance(value.func.value, ast.Constant) and isinstance(value.func.value.value, str)
            return "a text" if joins and value.func.attr in ("join", "format") else ""
        return _CALLED.get(getattr(value.func, "id", ""), "")
    return ""


_WRITTEN: tuple[tuple[tuple[type[ast.expr], ...], str], ...] = (
    ((ast.List, ast.ListComp), "a list"),
    ((ast.Dict, ast.DictComp), "a dictionary"),
    ((ast.Set, ast.SetComp), "a set"),
    ((ast.Tuple,), "a tuple"),
    ((ast.JoinedStr,), "a text"),
)
