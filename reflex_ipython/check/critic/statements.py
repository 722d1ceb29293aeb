"""Statements of two texts, side by side: which became which, and which are gone."""

from __future__ import annotations

import ast
import functools
import io
import tokenize
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from reflex_ipython.base.opcodes import opcodes
from reflex_ipython.check.critic.added import Change, top_level

_SAME = 0.5  # so similar are a statement and what it was made into


@dataclass(frozen=True)
class Statement:
    """One statement without the block below it.

    Parameters
    ----------
    text : str
        As `ast.unparse` writes it; a compound statement's head.
    node : ast.stmt
    conditions : tuple of str
        What must be true for it to run.
    """

    text: str
    node: ast.stmt
    conditions: tuple[str, ...]

    @property
    def works(self) -> bool:
        """Whether it does something: no import, no constant, no `pass`."""
        if isinstance(self.node, (ast.Import, ast.ImportFrom, ast.Pass, ast.Global, ast.Nonlocal)):
            return False
        return not (isinstance(self.node, ast.Expr) and isinstance(self.node.value, ast.Constant))


def statements(body: Sequence[ast.stmt]) -> list[Statement]:
    """All statements of a part of a cell, and those in them, in the order of the text."""
    return list(_below([*body], ()))


def pairs(change: Change) -> Iterator[tuple[Statement, Statement | None]]:
    """Each old statement with what became of it, without those at the beginning and the end that are as they were.

    None: it is gone.
    """
    before, after = ([text for _, text in top_level(cell)] for cell in (change.old, change.new))
    start = _alike(before, after)
    end = _alike(before[start:][::-1], after[start:][::-1])
    assert change.old.tree is not None
    assert change.new.tree is not None
    whole = change.new.tree.body
    everywhere = functools.cache(lambda: {one.text: one for one in reversed(statements(whole))})
    old = statements(change.old.tree.body[start : len(before) - end])
    new = statements(whole[start : len(after) - end])
    for tag, i1, i2, j1, j2 in opcodes([one.text for one in old], [one.text for one in new]):
        if tag == "equal":
            yield from zip(old[i1:i2], new[j1:j2])
        else:
            yield from _paired(old[i1:i2], new[j1:j2], everywhere)


def _alike(before: list[str], after: list[str]) -> int:
    """How many at the beginning are the same."""
    count = 0
    for one, other in zip(before, after):
        if one != other:
            break
        count += 1
    return count


def comments(source: str) -> set[str]:
    """The comments of a text, without the signs."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError):  # magics, or no Python
        return {line.strip().lstrip("# ") for line in source.split("\n") if line.strip().startswith("#")}
    return {token.string.lstrip("# ").strip() for token in tokens if token.type == tokenize.COMMENT}


def _below(body: list[ast.stmt], conditions: tuple[str, ...]) -> Iterator[Statement]:
    for node in body:
        yield Statement(_head(node), node, conditions)
        inner = (*conditions, ast.unparse(node.test)) if isinstance(node, (ast.If, ast.While)) else conditions
        yield from _below(getattr(node, "body", []), inner)
        otherwise = (*conditions, f"not ({ast.unparse(node.test)})") if isinstance(node, ast.If) else conditions
        yield from _below(getattr(node, "orelse", []), otherwise)
        yield from _below(getattr(node, "finalbody", []), conditions)
        for part in (*getattr(node, "handlers", []), *getattr(node, "cases", [])):
            yield from _below(
                part.body, (*conditions, "an exception was caught" if hasattr(part, "type") else "a case")
            )


def _head(node: ast.stmt) -> str:
    text = ast.unparse(node)
    if not hasattr(node, "body"):
        return text
    decorators = len(getattr(node, "decorator_list", []))
    return "\n".join(text.split("\n")[: decorators + 1])


def _paired(
    old: list[Statement], new: list[Statement], everywhere: Callable[[], dict[str, Statement]]
) -> Iterator[tuple[Statement, Statement | None]]:
    """The most similar first; what is left of either side, in order; then what has moved elsewhere."""
    left, made = list(old), list(new)
    ranked = sorted(((_similarity(a, b), i, j) for i, a in enumerate(old) for j, b in enumerate(new)), reverse=True)
    for likeness, i, j in ranked:
        if likeness >= _SAME and old[i] in left and new[j] in made:
            left.remove(old[i])
            made.remove(new[j])
            yield old[i], new[j]
    candidates = [statement for statement in made if _may_replace(statement)]
    for statement in left:
        moved = everywhere().get(statement.text)
        yield statement, moved or (candidates.pop(0) if candidates else None)


def _similarity(one: Statement, other: Statement) -> float:
    if type(one.node) is not type(other.node) and not (one.works and other.works):
        return 0.0
    if isinstance(one.node, ast.Return) and isinstance(other.node, ast.Return):
        return _SAME
    if _targets(one.node) and _targets(one.node) == _targets(other.node):
        return 1.0
    from rapidfuzz.fuzz import ratio  # imported with the first fix, not at load

    return float(ratio(one.text, other.text) / 100)


def _targets(node: ast.stmt) -> str:
    """What an assignment assigns to."""
    return ", ".join(map(ast.unparse, node.targets)) if isinstance(node, ast.Assign) else ""


def _may_replace(statement: Statement) -> bool:
    """Whether a statement that looks quite different may do the old one's work: it calls or computes something."""
    if not statement.works or isinstance(statement.node, (ast.Try, ast.FunctionDef, ast.ClassDef)):
        return False
    printing = isinstance(statement.node, ast.Expr) and ast.unparse(statement.node).startswith(("print(", "display("))
    calls = any(isinstance(node, (ast.Call, ast.BinOp, ast.Subscript, ast.Await)) for node in ast.walk(statement.node))
    return calls and not printing
