"""Code in pieces that can be compared: a function or method each, and what a cell runs besides; with its words."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reflex_ipython.base.parsing import parse
from reflex_ipython.capture.dataflow import python_of

LONGEST = 200_000
"""Characters of a text that is looked at."""
MOST_WORDS = 400
"""Of one piece."""
_WORD = re.compile(r"[^\W\d]\w{2,}")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class CodePiece:
    """A function, or the statements of a cell.

    Parameters
    ----------
    place : str
        `In [3]`, `shapes.py`.
    name : str
        The function's; empty for a cell's statements.
    source : str
    words : tuple of str
        The names, attributes, calls, libraries and short texts in it, with their parts: `load_sales`, `load`, `sales`.
    """

    place: str
    name: str
    source: str
    words: tuple[str, ...]


@functools.lru_cache(maxsize=2_000)
def pieces(place: str, source: str, *, whole: bool) -> tuple[CodePiece, ...]:
    """The pieces of a text.

    Parameters
    ----------
    place : str
    source : str
    whole : bool
        Whether the statements that stand in no function are a piece as well, as in a cell.
    """
    text = source if len(source) <= LONGEST else ""
    tree = parse(text)
    if tree is None:
        text = python_of(text)
        tree = parse(text)
    if tree is None:
        return ()
    lines = text.split("\n")
    imports = _imported(tree)
    found = [_piece(place, name, _lines(node, lines), node, imports) for name, node in _functions(tree)]
    others = [node for node in tree.body if not isinstance(node, (*_FUNCTIONS, ast.ClassDef))]
    if whole and any(not isinstance(node, (ast.Import, ast.ImportFrom)) for node in others):
        module = ast.Module(others, [])
        found.append(
            _piece(
                place, "", source if not found else "\n".join(_lines(node, lines) for node in others), module, imports
            )
        )
    return tuple(found)


def words_of(text: str) -> list[str]:
    """The words of any text, each with its parts."""
    return [part for word in _WORD.findall(text) for part in _with_parts(word)]


def _piece(place: str, name: str, source: str, node: ast.AST, imports: dict[str, str]) -> CodePiece:
    words: list[str] = []
    for one in ast.walk(node):
        for word in _said(one, imports):
            words += _with_parts(word)
        if len(words) > MOST_WORDS:
            break
    return CodePiece(place, name, source, tuple(words))


def _said(node: ast.AST, imports: dict[str, str]) -> Iterable[str]:
    """The words of one node: what is called counts twice, and a library's name stands for its short one."""
    if isinstance(node, ast.Name):
        return (node.id, *imports.get(node.id, "").split("."))
    if isinstance(node, ast.Attribute):
        return (node.attr,)
    if isinstance(node, ast.Call):
        called = node.func
        return (
            (called.attr,)
            if isinstance(called, ast.Attribute)
            else (called.id,)
            if isinstance(called, ast.Name)
            else ()
        )
    if isinstance(node, ast.keyword):
        return (node.arg,) if node.arg else ()
    if isinstance(node, ast.arg):
        return (node.arg,)
    if isinstance(node, _FUNCTIONS):
        return (node.name, node.name)
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) <= 200:
        return _WORD.findall(node.value)
    return ()


def _with_parts(word: str) -> Iterator[str]:
    if len(word) > 2:
        yield word.lower()
    parts = _PARTS.findall(word)
    if len(parts) > 1:
        yield from (part.lower() for part in parts if len(part) > 2)


def _imported(tree: ast.Module) -> dict[str, str]:
    """What imports bind, and the module behind it: `matplotlib.pyplot` of `plt`."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update({(one.asname or one.name).partition(".")[0]: one.name for one in node.names})
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update({one.asname or one.name: node.module for one in node.names})
    return found


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    for node in tree.body:
        if isinstance(node, _FUNCTIONS):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{one.name}", one) for one in node.body if isinstance(one, _FUNCTIONS))


def _lines(node: ast.AST, lines: list[str]) -> str:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    first = min([getattr(node, "lineno", 1), *(one.lineno for one in decorators)])
    return "\n".join(lines[first - 1 : getattr(node, "end_lineno", first)])
