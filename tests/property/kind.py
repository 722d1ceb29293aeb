"""What the grammar knows of one kind of object: how to make one, how to change it, how to look at it."""

from __future__ import annotations

import ast
import dataclasses
import functools


@dataclasses.dataclass(frozen=True)
class Kind:
    """One kind of object.

    Parameters
    ----------
    name : str
        What it is called in the report.
    make : tuple of str
        Statements that make one. The names that they bind are those of this kind alone.
    changes : tuple of str
        Statements that change it, each of which may run several times, in any order.
    reads : tuple of str
        Expressions that look at it, and change nothing.
    needs : tuple of str
        Import statements.
    """

    name: str
    make: tuple[str, ...]
    changes: tuple[str, ...]
    reads: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """The names that it binds."""
        return tuple(dict.fromkeys(name for source in self.make for name in bound(source)))


def bound(source: str, *, in_strings: bool = False) -> list[str]:
    """The names that a statement binds at its top level. `in_strings`: what `exec` may bind as well."""
    return [name for node in ast.parse(source).body for name in _bound(node, in_strings)]


def _bound(node: ast.AST, in_strings: bool) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [(alias.asname or alias.name).partition(".")[0] for alias in node.names]
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)):
        return []
    if in_strings and isinstance(node, ast.Constant) and isinstance(node.value, str) and is_code(node.value):
        return bound(node.value, in_strings=True)
    if in_strings and isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        return [
            *_by_its_text(node),
            *(name for part in ast.iter_child_nodes(node) for name in _bound(part, in_strings)),
        ]
    own = [node.id] if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else []
    return own + [name for child in ast.iter_child_nodes(node) for name in _bound(child, in_strings)]


def _by_its_text(node: ast.Subscript) -> list[str]:
    """The name that `globals()['name'] = …` binds."""
    of_all = isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name)
    text = node.slice.value if isinstance(node.slice, ast.Constant) else None
    return [text] if of_all and node.value.func.id == "globals" and isinstance(text, str) else []


def used(source: str) -> set[str]:
    """The names that a statement mentions, in strings of code as well."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= used(node.value) if is_code(node.value) else set()
    return found


def is_code(text: str) -> bool:
    """Whether a string is Python, and more than a word."""
    if text.isidentifier() or not text.strip():
        return False
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True
