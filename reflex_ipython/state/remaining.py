"""Which statements of a new text must be executed when its functions were changed in place."""

from __future__ import annotations

import ast
from typing import Any

from reflex_ipython.state.deferring import DEFERRING, runs_nothing
from reflex_ipython.state.definitions import CompiledCell


def to_run(old: CompiledCell, new: CompiledCell, swapped: set[str], done: set[tuple[str, int]]) -> tuple[int, ...]:
    """The places of the new cell's statements that remain to be run.

    Parameters
    ----------
    old, new : CompiledCell
    swapped : set of str
        The paths of the functions that have changed and run their new code.
    done : set of (str, int)
        All functions that have the new cell's code, each with its place among those of its path.
    """
    before, after = _Bare(old, swapped, done), _Bare(new, swapped, done)
    bare = {ast.dump(before.statement(statement, "")) for statement in old.tree.body}
    return tuple(
        place for place, statement in enumerate(new.tree.body) if ast.dump(after.statement(statement, "")) not in bare
    )


def _only_holds(statement: ast.stmt) -> bool:
    """Whether a statement calls none of its lambdas: `key = lambda: 1`, `{'a': lambda: 1}`, `partial(lambda: 1)`."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return all(runs_nothing(node, DEFERRING.__contains__) for node in _at_once(statement))
    if isinstance(statement, ast.ClassDef):
        return all(map(_only_holds, statement.body))
    value = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
    return isinstance(statement, ast.Pass) or (value is not None and runs_nothing(value, DEFERRING.__contains__))


def _at_once(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    """What runs when a function is defined."""
    defaults = [*function.args.defaults, *filter(None, function.args.kw_defaults)]
    return [*function.decorator_list, *defaults]


class _Bare:
    """A cell's statements with nothing in those functions that were swapped: if one differs, it must be executed.

    Parameters
    ----------
    cell : CompiledCell
    swapped : set of str
        The paths of the functions that have changed and run their new code.
    done : set of (str, int)
        All functions that have the new cell's code, each with its place among those of its path.
    """

    def __init__(self, cell: CompiledCell, swapped: set[str], done: set[tuple[str, int]]) -> None:
        self._swapped = swapped
        self._lambdas = {
            id(node): f"lambda {path} {place}"
            for path, nodes in cell.definitions().items()
            for place, node in enumerate(nodes)
            if isinstance(node, ast.Lambda) and (path, place) in done
        }
        for statement in cell.tree.body:
            if not _only_holds(statement):  # what it called them for was computed with the old code
                for node in ast.walk(statement):
                    self._lambdas.pop(id(node), None)

    def statement(self, statement: ast.stmt, prefix: str) -> ast.AST:
        """One statement so; `prefix`: the classes that it is in."""
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            name = prefix + statement.name
            return ast.Expr(ast.Constant(f"def {name}")) if name in self._swapped else self._node(statement)
        if isinstance(statement, ast.ClassDef):
            inside = f"{prefix}{statement.name}."
            return ast.ClassDef(
                **{
                    **{name: self._value(getattr(statement, name)) for name in statement._fields},
                    "body": [self.statement(child, inside) for child in statement.body],
                }
            )
        return self._node(statement)

    def _node(self, node: ast.AST) -> ast.AST:
        if id(node) in self._lambdas:
            return ast.Constant(self._lambdas[id(node)])
        return type(node)(**{name: self._value(getattr(node, name, None)) for name in node._fields})

    def _value(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._value(one) for one in value]
        return self._node(value) if isinstance(value, ast.AST) else value
