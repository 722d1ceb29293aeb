"""What a statement has to do with the names of the namespace: static, from its code."""

from __future__ import annotations

import ast
import dataclasses
import sys
from collections.abc import Iterable, Iterator
from types import ModuleType

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclasses.dataclass(frozen=True)
class Uses:
    """What a statement has to do with the names of the namespace.

    Parameters
    ----------
    reads, binds : frozenset of str
        The names that its own code reads, and those that it binds or deletes.
    same : frozenset of str
        Of those that it binds, the ones that are bound to the same object already.
    aliases : bool
        Whether it gives the value that a name has now to another one.
    loads : bool
        Whether it imports a module that was not imported so far.
    """

    reads: frozenset[str] = frozenset()
    binds: frozenset[str] = frozenset()
    same: frozenset[str] = frozenset()
    aliases: bool = False
    loads: bool = False

    def __or__(self, other: Uses) -> Uses:
        """Those of two statements that run one after the other."""
        return Uses(
            self.reads | other.reads,
            self.binds | other.binds,
            self.same | other.same,
            self.aliases or other.aliases,
            self.loads or other.loads,
        )


def executed(statement: ast.AST, *, lambdas: bool = True) -> Iterator[ast.AST]:
    """The nodes that run with a statement: not those inside of functions that it defines.

    Parameters
    ----------
    statement : ast.AST
    lambdas : bool
        Whether it may call the lambdas that it makes.
    """
    left = [statement]
    while left:
        node = left.pop()
        yield node
        body = {id(part) for part in node.body} if isinstance(node, FUNCTIONS) else set()
        if isinstance(node, ast.Lambda) and not lambdas:
            body = {id(node.body)}
        left += [child for child in ast.iter_child_nodes(node) if id(child) not in body]


def names_read(statement: ast.AST) -> frozenset[str]:
    """The names that a statement reads which only makes its functions."""
    return read_in(executed(statement, lambdas=False))


def read_in(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The names that they read."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return frozenset(found)


def names_bound(statement: ast.stmt) -> frozenset[str]:
    """The names that a statement binds or deletes."""
    return bound_in(executed(statement))


def bound_in(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The names that they bind or delete; those of class bodies and comprehensions too, which are not the module's."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update(name for name, _ in bound_by_import(node))
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            found.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            found.add(node.rest)
    return frozenset(found)


_NOT_THERE = object()


def bound_by_import(statement: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, object]]:
    """The names that an import binds, and to what, as far as that is known without importing."""
    for alias in statement.names:
        if isinstance(statement, ast.Import):
            whole = sys.modules.get(alias.name, _NOT_THERE)
            first, _, rest = alias.name.partition(".")
            there = sys.modules.get(first) if rest and whole is not _NOT_THERE else whole
            yield (alias.asname, whole) if alias.asname else (first, there)
        else:
            module = sys.modules.get(statement.module or "") if not statement.level else None
            members = vars(module) if type(module) is ModuleType else {}
            yield alias.asname or alias.name, members.get(alias.name, _NOT_THERE)
