"""Which expressions of a statement are evaluated whenever it runs to its end, in the order in which Python does it.

What stands in a branch, a loop's body, a function, a comprehension or behind `and` may not be evaluated at all; what
stands in a `try` may be caught. None of it is told.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator


def evaluated(statement: ast.stmt) -> Iterator[ast.expr]:
    """The expressions that are surely evaluated, each behind those that it is made of."""
    for part in _parts(statement):
        yield from _within(part)


def _parts(statement: ast.stmt) -> Iterator[ast.expr | None]:
    """The whole expressions of a statement that are surely evaluated."""
    if isinstance(statement, (ast.Expr, ast.Return)):
        yield statement.value
    elif isinstance(statement, ast.Assign):
        yield statement.value
        for target in statement.targets:
            yield from _of_target(target)
    elif isinstance(statement, ast.AugAssign):
        yield from [statement.target, statement.value]
    elif isinstance(statement, ast.AnnAssign):
        yield statement.value
    elif isinstance(statement, (ast.If, ast.While, ast.Assert)):
        yield statement.test
    elif isinstance(statement, (ast.For, ast.AsyncFor)):
        yield statement.iter
    elif isinstance(statement, (ast.With, ast.AsyncWith)):
        yield statement.items[0].context_expr  # what comes behind it may be caught by it
    elif isinstance(statement, ast.Raise):
        yield statement.exc
    elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        yield from [*statement.decorator_list, *statement.args.defaults, *statement.args.kw_defaults]
    elif isinstance(statement, ast.ClassDef):
        yield from [*statement.decorator_list, *statement.bases]
    elif isinstance(statement, ast.Delete):
        for target in statement.targets:
            yield from [target] if isinstance(target, ast.Name) else _of_target(target)
    elif isinstance(statement, ast.Match):
        yield statement.subject


def _of_target(target: ast.expr) -> Iterator[ast.expr]:
    """What is evaluated to find out where something is put."""
    if isinstance(target, ast.Attribute):
        yield target.value
    elif isinstance(target, ast.Subscript):
        yield from [target.value, target.slice]
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from _of_target(element)
    elif isinstance(target, ast.Starred):
        yield from _of_target(target.value)


def _within(node: ast.expr | None) -> Iterator[ast.expr]:
    if node is None or isinstance(node, ast.Lambda):
        return
    if isinstance(node, ast.BoolOp):
        inside: list[ast.expr] = node.values[:1]
    elif isinstance(node, ast.IfExp):
        inside = [node.test]
    elif isinstance(node, ast.Compare):
        inside = [node.left, node.comparators[0]]
    elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        inside = [node.generators[0].iter]
    elif isinstance(node, ast.NamedExpr):
        inside = [node.value]
    else:
        inside = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
        inside += [child.value for child in ast.iter_child_nodes(node) if isinstance(child, ast.keyword)]
    for child in inside:
        yield from _within(child)
    yield node
