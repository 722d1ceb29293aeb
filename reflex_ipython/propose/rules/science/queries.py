"""The text of `df.query` and `df.eval`: variables, values and names of columns, and signs of other languages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, keyword, owner_of

# What is written in quotes or backquotes is passed over.
_QUOTED = r"'[^']*'|\"[^\"]*\"|`[^`]*`"
_SIGNS: tuple[tuple[str, str], ...] = (
    (r"&&", "&"),
    (r"\|\|", "|"),
    (r"<>", "!="),
    (r"===", "=="),
    (r"(?<![=<>!])=(?![=<>])", "=="),
    (r"\bAND\b", "and"),
    (r"\bOR\b", "or"),
    (r"\bNOT\b", "not"),
    (r"\bIN\b", "in"),
)


def _texts(scene: Scene) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The tables and the texts of the failing queries."""
    for call in scene.calls("query", "eval"):
        owner = owner_of(call)
        given = keyword(call, "expr")
        text = call.args[0] if call.args else given.value if given else None
        if owner is not None and isinstance(text, (ast.Constant, ast.JoinedStr)):
            yield owner, text


def _replaced(scene: Scene, text: ast.expr, pattern: str, before: str, after: str | None = None) -> list[SpanEdit]:
    """The edits of all that matches in a literal outside its inner quotes: replaced, or put between two texts."""
    start, end = scene.cell.span(text)
    written = scene.cell.source[start:end]
    opening = re.match(r"[A-Za-z]*(?:'''|\"\"\"|'|\")", written)
    if opening is None:
        return []
    mark = opening.group().lstrip("rRfFbBuU")
    inner = written[opening.end() : len(written) - len(mark)]
    return [
        SpanEdit(
            start + opening.end() + found.start(),
            start + opening.end() + found.end(),
            before if after is None else before + found.group() + after,
        )
        for found in re.finditer(rf"{_QUOTED}|(?P<wanted>{pattern})", inner)
        if found["wanted"] is not None
    ]


def _quote_for(scene: Scene, text: ast.expr) -> str:
    """A quote that does not end the literal."""
    return "'" if scene.text(text).lstrip("rRfFbBuU").startswith('"') else '"'


def _overlap(edit: SpanEdit, others: list[SpanEdit]) -> bool:
    return any(edit.start < one.end and one.start < edit.end for one in others)


def _undefined(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df.query("age > limit")`: `@limit`; `df.query("city == Oslo")`: `'Oslo'`; `f"city == {city}"`: `@city`."""
    name = found["name"]
    for owner, text in _texts(scene):
        if isinstance(text, ast.JoinedStr):
            start, end = scene.cell.span(text)
            edits = [
                SpanEdit(start + one.start(1), start + one.end(1), f"{one[1]}!r")
                for one in re.finditer(r"(?<!\{)\{([^{}!:=]+)\}(?!\})", scene.cell.source[start:end])
                if scene.type(one[1].strip()) in ("str", "")
            ]
            if edits:
                why = f"{name!r} stands in the query without quotes; `!r` puts the value in with them."
                yield scene.proposal(edits, why, "quoted value", 0.9)
            continue
        word = rf"(?<![\w@.]){re.escape(name)}(?![\w(])"
        if name in scene.failure.situation.names:
            edits = _replaced(scene, text, word, "@", "")
            why = f"`{scene.text(owner)}` has no column `{name}`; `@` says that the variable is meant."
            if edits:
                yield scene.proposal(edits, why, "variable in a query", 0.93)
        columns = [
            label for label in scene.columns(owner) if name in scene.samples(ast.Subscript(owner, ast.Constant(label)))
        ]
        compared = columns or list(_compared(scene, owner, text, name))
        if compared:
            quote = _quote_for(scene, text)
            edits = _replaced(scene, text, word, quote, quote)
            is_value = f"is a value of column `{columns[0]}`" if columns else f"is compared with column `{compared[0]}`"
            why = f"{name!r} {is_value}, which holds texts; a text stands in quotes."
            if edits:
                yield scene.proposal(edits, why, "quoted value", 0.88)


def _compared(scene: Scene, owner: ast.expr, text: ast.expr, name: str) -> Iterator[str]:
    """The columns of texts that a query compares with a name, if no column and no variable is called so."""
    if name in scene.failure.situation.names or not isinstance(text, ast.Constant):
        return
    for label, facts in scene.columns(owner).items():
        sides = (
            rf"{re.escape(label)}\b`?\s*[=!]=\s*{re.escape(name)}\b",
            rf"\b{re.escape(name)}\s*[=!]=\s*`?{re.escape(label)}\b",
        )
        if re.match(r"str|object|string|category", facts) and any(re.search(one, str(text.value)) for one in sides):
            yield label


def _unreadable(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df.query("Age Group == 'x'")`: names that are no Python names stand in backquotes; `&&` is `&`."""
    for owner, text in _texts(scene):
        labels = [label for label in scene.columns(owner) if not label.strip().isidentifier() and label.strip()]
        quoted = [
            edit
            for label in sorted(labels, key=len, reverse=True)
            for edit in _replaced(scene, text, rf"(?<!\w){re.escape(label.strip())}(?!\w)", f"`{label}`")
        ]
        quoted = [one for at, one in enumerate(quoted) if not _overlap(one, quoted[:at])]
        signs = [edit for pattern, new in _SIGNS for edit in _replaced(scene, text, pattern, new)]
        signs = [one for at, one in enumerate(signs) if not _overlap(one, [*quoted, *signs[:at]])]
        if quoted:
            why = "A column whose name is no Python name stands in backquotes."
            yield scene.proposal(quoted, why, "name in backquotes", 0.93)
        if signs:
            news = ", ".join(sorted({f"`{one.text}`" for one in signs}))
            why = f"A query is written with the signs of Python: {news}."
            yield scene.proposal([*quoted, *signs], why, "signs of a query", 0.92)


queries: Rule = answers(
    "queries",
    (r"UndefinedVariableError: name '(?P<name>[^']+)' is not defined", _undefined),
    (r"^SyntaxError: |cannot assign without a target|can only assign a single|left hand side of an assignment"
     r"|expr must be a string|multi-line expressions are only valid|not supported|BoolOp|'Assign' nodes",
     _unreadable),
)  # fmt: skip

RULES = (queries,)
