"""Fixes that turn off warnings or hide output."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from reflex_ipython.check.critic.added import Change, changes
from reflex_ipython.check.critic.qualified import Names, names_after
from reflex_ipython.models import Cause, Finding, Fix, Trial
from reflex_ipython.protocols import Context

_IF_IGNORED = ("warnings.filterwarnings", "warnings.simplefilter", "numpy.seterr", "numpy.errstate")
_ALWAYS = ("logging.disable", "contextlib.redirect_stderr", "contextlib.redirect_stdout")


class SilenceChecker:
    """Says where a fix silences warnings, logs or output."""

    name = "silenced warnings"
    needs_trial = False

    def __init__(self, context: Context | None = None) -> None:
        """Needs nothing of the context."""

    def check(self, cause: Cause, fix: Fix, trial: Trial | None = None) -> Iterator[Finding]:
        """Yield a finding for each."""
        for change in changes(fix):
            names = names_after(cause.situation, fix)
            for call in change.added(ast.Call, functools.partial(_silencing, names)):
                yield Finding("silences-warnings", f"silences warnings or output: `{ast.unparse(call)[:100]}`")
            yield from _other(change)


def _silencing(names: Names, node: ast.Call) -> str | None:
    name = names.full(node.func)
    if name not in _ALWAYS and name not in _IF_IGNORED:
        return None
    values = [*node.args, *(keyword.value for keyword in node.keywords)]
    ignored = any(isinstance(value, ast.Constant) and value.value == "ignore" for value in values)
    return ast.unparse(node) if name in _ALWAYS or (name in _IF_IGNORED and ignored) else None


def _other(change: Change) -> Iterator[Finding]:
    if any(magic.startswith("%%capture") for magic in change.new.magics) and not any(
        magic.startswith("%%capture") for magic in change.old.magics
    ):
        yield Finding("silences-warnings", "hides the output of the cell (`%%capture`)")
    for _ in change.added(ast.Assign, _chained):
        yield Finding("silences-warnings", "silences the warning about chained assignment")


def _chained(node: ast.Assign) -> str | None:
    """The assignment to pandas' option, if it is one."""
    option = any(isinstance(target, ast.Attribute) and target.attr == "chained_assignment" for target in node.targets)
    return ast.unparse(node) if option else None
