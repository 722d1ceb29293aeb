"""The functions of a cell, by the path that leads to them: `f`, `A.method`, `outer.<locals>.inner`.

The path is made from the nesting, in the tree and in the code alike: Python 3.10 has no `co_qualname`.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator
from inspect import CO_OPTIMIZED
from types import CodeType

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_TRANSPARENT = "<generic parameters of "
"""The scope of `def f[T]()` since Python 3.12; it is not in the name of what it holds."""


@dataclasses.dataclass(frozen=True)
class CompiledCell:
    """A cell's text as IPython compiles it.

    Parameters
    ----------
    tree : ast.Module
        Of the transformed text.
    filename : str
        The name of the cell's code.
    flags : int
        Of the compiler: the `from __future__` imports that hold in the shell.
    """

    tree: ast.Module
    filename: str
    flags: int = 0

    def codes(self) -> dict[str, list[CodeType]]:
        """The code of every function in it, in order, by path."""
        found: dict[str, list[CodeType]] = {}
        flags = self.flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        for statement in self.tree.body:  # one by one, as IPython does: an import beside a function changes its code
            whole = compile(ast.Module([statement], []), self.filename, "exec", flags, True)
            for path, code in _codes(whole, ""):
                found.setdefault(path, []).append(code)
        return found

    def definitions(self) -> dict[str, list[Definition]]:
        """The tree of every function in it, in order, by path."""
        return definitions(self.tree)


def definitions(tree: ast.Module) -> dict[str, list[Definition]]:
    """The tree of every function in a cell, in order, by path."""
    found: dict[str, list[Definition]] = {}
    for path, node in _definitions(tree, ""):
        found.setdefault(path, []).append(node)
    return found


def _codes(code: CodeType, prefix: str) -> Iterator[tuple[str, CodeType]]:
    for inner in code.co_consts:
        if type(inner) is not CodeType:
            continue
        if inner.co_name.startswith(_TRANSPARENT):
            yield from _codes(inner, prefix)
        elif inner.co_flags & CO_OPTIMIZED:
            yield prefix + inner.co_name, inner
            yield from _codes(inner, f"{prefix}{inner.co_name}.<locals>.")
        else:
            yield from _codes(inner, f"{prefix}{inner.co_name}.")


_COMPREHENSIONS: dict[type[ast.AST], str] = {
    ast.ListComp: "<listcomp>",
    ast.SetComp: "<setcomp>",
    ast.DictComp: "<dictcomp>",
    ast.GeneratorExp: "<genexpr>",
}


def _definitions(node: ast.AST, prefix: str) -> Iterator[tuple[str, Definition]]:
    for child in ast.iter_child_nodes(node):
        inside = prefix
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            name = getattr(child, "name", "<lambda>")
            yield prefix + name, child
            inside = f"{prefix}{name}.<locals>."
        elif isinstance(child, ast.ClassDef):
            inside = f"{prefix}{child.name}."
        elif type(child) in _COMPREHENSIONS:
            inside = f"{prefix}{_COMPREHENSIONS[type(child)]}.<locals>."
        yield from _definitions(child, inside)
