"""Holes of a pattern: names that stand for what differs from one notebook to the next.

A pattern is Python, so that it can be read, parsed and written by what is there for Python. `__x1` stands for any
expression; `*__rest` for all other arguments of a call, `**__rest` for all other keyword arguments; `__is_numpy` for
whatever name numpy has (a dot is a `·` there, which Python takes in a name).
"""

from __future__ import annotations

import ast
import re

from reflex_ipython.base.parsing import parse_once

REST = "__rest"
HOLE = re.compile(r"__x\d+")
_MEANING = "__is_"


def hole(number: int) -> ast.Name:
    """The hole of that number."""
    return ast.Name(f"__x{number}", ast.Load())


def is_hole(node: ast.AST) -> bool:
    """Whether a node of a pattern is a hole."""
    return isinstance(node, ast.Name) and HOLE.fullmatch(node.id) is not None


def meaning_hole(meaning: str) -> str:
    """The hole for a name that stands for this module, or for this function or class of one."""
    return _MEANING + meaning.replace(".", "·")


def meaning_of(name: str) -> str:
    """What a hole's name is to mean; empty if it is no such hole."""
    return name.removeprefix(_MEANING).replace("·", ".") if name.startswith(_MEANING) else ""


def key(node: ast.AST) -> str:
    """Equal for nodes that are the same code, whether they are read or assigned to."""
    return re.sub(r",? ?ctx=(?:Load|Store|Del)\(\)", "", ast.dump(node))


def is_rest(node: ast.AST) -> bool:
    """Whether it is `*__rest` or `**__rest`."""
    value = node.value if isinstance(node, (ast.Starred, ast.keyword)) else None
    named = isinstance(value, ast.Name) and value.id == REST
    return named and (isinstance(node, ast.Starred) or (isinstance(node, ast.keyword) and node.arg is None))


def literal_texts(pattern: str) -> int:
    """How many texts a pattern names that must stand in the code."""
    tree = parse_once(pattern)
    return sum(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in ast.walk(tree)) if tree else 0


def readable(pattern: str) -> str:
    """A pattern as a person reads it: `‹1›.append(…)`."""
    pattern = re.sub(r"\*{1,2}__rest", "…", pattern)
    pattern = re.sub(r"__x(\d+)", r"‹\1›", pattern)
    return re.sub(rf"{_MEANING}([\w·]+)", lambda found: found[1].replace("·", "."), pattern)
