"""Fixes that make the error invisible instead of mending it."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from reflex_ipython.check.critic.added import Change, changes
from reflex_ipython.check.critic.qualified import Names, names_after
from reflex_ipython.models import Cause, Failure, Finding, Fix, Trial
from reflex_ipython.protocols import Context

_BROAD = {"Exception", "BaseException"}
_SKIPPING = {
    ("errors", "ignore"): "ignores what can't be converted (`errors='ignore'`)",
    ("errors", "coerce"): "turns what can't be converted into missing values (`errors='coerce'`)",
    ("on_bad_lines", "skip"): "skips the lines that can't be read (`on_bad_lines='skip'`)",
    ("on_bad_lines", "warn"): "skips the lines that can't be read (`on_bad_lines='warn'`)",
    ("encoding_errors", "ignore"): "drops the characters that can't be read (`encoding_errors='ignore'`)",
    ("error_bad_lines", False): "skips the lines that can't be read (`error_bad_lines=False`)",
    ("return_exceptions", True): "collects exceptions as results (`return_exceptions=True`)",
}


class SwallowChecker:
    """Says where a fix catches the exception and goes on, or tells a library to do so."""

    name = "swallowed exceptions"
    needs_trial = False

    def __init__(self, context: Context | None = None) -> None:
        """Needs nothing of the context."""

    def check(self, cause: Cause, fix: Fix, trial: Trial | None = None) -> Iterator[Finding]:
        """Yield a finding for each new way in which an exception gets lost."""
        ename = cause.error.ename if isinstance(cause, Failure) else ""
        for change in changes(fix):
            for handler in change.added(ast.ExceptHandler, ast.unparse):
                yield from _handler(handler, ename, change)
            names = names_after(cause.situation, fix)
            for call in change.added(ast.Call, functools.partial(_suppressing, names)):
                suppressed = ", ".join(map(ast.unparse, call.args))
                yield Finding("swallows-exception", f"suppresses {suppressed} and goes on")
            for keyword in change.added(ast.keyword, _skipping):
                yield Finding("ignores-errors", _SKIPPING[_skipping(keyword)])  # type: ignore[index]  # added() leaves None out


def _handler(handler: ast.ExceptHandler, ename: str, change: Change) -> Iterator[Finding]:
    caught = {name.rpartition(".")[2] for name in _caught(handler)}
    if _raises(handler.body) or _was_narrower(handler, change):
        return
    if not caught or caught & _BROAD:
        yield Finding("swallows-exception", "catches every exception and goes on")
    elif ename in caught:
        yield Finding("swallows-exception", f"catches the {ename} and goes on")


def _caught(handler: ast.ExceptHandler) -> list[str]:
    if handler.type is None:
        return []
    parts = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return [ast.unparse(part) for part in parts]


def _was_narrower(handler: ast.ExceptHandler, change: Change) -> bool:
    """Whether the old cell caught the same, and only what it does then has changed."""
    before = [sorted(_caught(node)) for node in change.old.nodes() if isinstance(node, ast.ExceptHandler)]
    return sorted(_caught(handler)) in before


def _raises(body: list[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Raise) for statement in body for node in ast.walk(statement))


def _suppressing(names: Names, node: ast.Call) -> str | None:
    return ast.unparse(node) if names.full(node.func) in ("contextlib.suppress", "suppress") else None


def _skipping(node: ast.keyword) -> tuple[str, object] | None:
    value = node.value.value if isinstance(node.value, ast.Constant) else None
    key = (node.arg or "", value)
    return key if isinstance(value, (str, bool)) and key in _SKIPPING else None
