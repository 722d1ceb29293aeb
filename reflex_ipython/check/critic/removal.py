"""Fixes that leave out the work that failed, or other work besides."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from reflex_ipython.check.critic.added import changes
from reflex_ipython.check.critic.statements import Statement, comments, pairs
from reflex_ipython.models import Cause, Failure, Finding, Fix, Trial
from reflex_ipython.protocols import Context

_WORK = (ast.Call, ast.BinOp, ast.Subscript, ast.Attribute, ast.Await, ast.Compare, ast.ListComp, ast.DictComp)
_LONGEST = 60


class RemovalChecker:
    """Says which statements a fix leaves out, comments out, replaces by a constant, or runs only sometimes."""

    name = "removed work"
    needs_trial = False

    def __init__(self, context: Context | None = None) -> None:
        """Needs nothing of the context."""

    def check(self, cause: Cause, fix: Fix, trial: Trial | None = None) -> Iterator[Finding]:
        """Yield a finding for each such statement, or for all of them together."""
        failed_at = cause.lineno if isinstance(cause, Failure) else None
        for change in changes(fix):
            if change.old.tree is None or change.new.tree is None:
                continue
            lineno = failed_at if change.old.source == cause.situation.source else None
            compared = list(pairs(change))
            failing = _at_line([old for old, _ in compared], lineno)
            gone = [old for old, new in compared if new is None and old.works and not _explained(old, cause)]
            if gone:
                yield from _gone(gone, failing, comments(change.new.source) - comments(change.old.source))
            for old, new in compared:
                if new is not None:
                    yield from _emptied(old, new)
                    yield from _guarded(old, new, failing)


def _at_line(found: list[Statement], lineno: int | None) -> Statement | None:
    """The innermost statement at a line."""
    if lineno is None:
        return None
    there = [one for one in found if one.node.lineno <= lineno <= (one.node.end_lineno or one.node.lineno)]
    return max(there, key=lambda one: one.node.lineno, default=None)


def _explained(gone: Statement, cause: Cause) -> bool:
    """Whether the error is that statement: a stray word that means nothing, or a builtin that was bound to a value."""
    node = gone.node
    error = cause.error if isinstance(cause, Failure) else None
    if error is None:
        return False
    if error.ename == "NameError" and isinstance(node, ast.Expr) and isinstance(node.value, ast.Name):
        return f"'{node.value.id}'" in error.evalue
    if error.ename == "TypeError" and "not callable" in error.evalue and isinstance(node, ast.Assign):
        return any(isinstance(target, ast.Name) and hasattr(builtins, target.id) for target in node.targets)
    return False


def _gone(gone: list[Statement], failing: Statement | None, commented: set[str]) -> Iterator[Finding]:
    for statement in gone:
        if _is_comment(statement, commented):
            yield Finding("comments-out", f"comments out {_quoted(statement)}")
    left = [statement for statement in gone if not _is_comment(statement, commented)]
    if failing is not None and failing in left:
        left.remove(failing)
        yield Finding("drops-failing-work", f"leaves out {_quoted(failing)}, the statement that failed")
    if len(left) == 1:
        yield Finding("drops-statements", f"leaves out {_quoted(left[0])}")
    elif left:
        yield Finding("drops-statements", f"leaves out {len(left)} statements, including {_quoted(left[0])}")


def _is_comment(statement: Statement, commented: set[str]) -> bool:
    return any(_normal(comment) == _normal(statement.text) for comment in commented)


def _normal(text: str) -> str:
    return "".join(text.split()).replace("'", '"')


def _emptied(old: Statement, new: Statement) -> Iterator[Finding]:
    """What was computed before is a constant now."""
    before, after = _value(old.node), _value(new.node)
    if before is None or after is None or not _is_constant(after) or not _computes(before):
        return
    if ast.dump(after) in map(ast.dump, _called_on(before)):  # `"abc".decode()`: the value stood there before
        return
    if isinstance(new.node, ast.Return):
        yield Finding("constant-result", f"returns `{ast.unparse(after)[:_LONGEST]}` instead of computing it")
    elif isinstance(new.node, ast.Assign):
        target = ast.unparse(new.node.targets[0])
        value = ast.unparse(after)[:_LONGEST]
        yield Finding("constant-result", f"sets `{target}` to `{value}` instead of computing it")


def _value(node: ast.stmt) -> ast.expr | None:
    return node.value if isinstance(node, (ast.Assign, ast.AnnAssign, ast.Return, ast.Expr)) else None


def _computes(node: ast.expr) -> bool:
    return any(isinstance(part, _WORK) for part in ast.walk(node))


def _called_on(node: ast.expr) -> Iterator[ast.expr]:
    """What a method is called on, and that of its own, from the outside inwards."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
        yield node


def _is_constant(node: ast.expr) -> bool:
    """A literal, of whatever depth."""
    return not any(isinstance(part, (*_WORK, ast.Name)) for part in ast.walk(node))


def _guarded(old: Statement, new: Statement, failing: Statement | None) -> Iterator[Finding]:
    if old is not failing:
        return
    fresh = [condition for condition in new.conditions if condition not in old.conditions]
    if fresh and len(new.conditions) > len(old.conditions):
        yield Finding("conditional", f"runs {_quoted(new)} only if `{fresh[0][:_LONGEST]}`", "note")


def _quoted(statement: Statement) -> str:
    first = statement.text.split("\n")[0]
    return f"`{first if len(first) <= _LONGEST else first[: _LONGEST - 1] + '…'}`"
