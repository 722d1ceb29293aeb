"""What a trial showed of a fix's effect on earlier results."""

from __future__ import annotations

import ast
import dataclasses
from collections import Counter
from collections.abc import Iterator

from reflex_ipython.check.critic.added import changes
from reflex_ipython.check.parsed_cell import ParsedCell, read
from reflex_ipython.models import Cause, Finding, Fix, NameChange, Situation, Trial, ValueFacts, Wish
from reflex_ipython.protocols import Context

_DROPPING = {
    "dropna",
    "drop_duplicates",
    "drop",
    "head",
    "tail",
    "sample",
    "query",
    "nlargest",
    "nsmallest",
    "truncate",
}
_TABLES = ("DataFrame", "Series")
_MOST = 5
_OF_NAMES = frozenset(
    {
        *("drops-rows", "drops-columns", "drops-items", "adds-rows"),
        *("changes-shape", "changes-type", "removes-name"),
    }
)
"""Codes of findings about the user's names, not about what is outside of the kernel."""


class ResultChecker:
    """Says which earlier results a fix shortens, turns into something else, or removes."""

    name = "results"

    def __init__(self, context: Context | None = None) -> None:
        """Needs nothing of the context."""

    def check(self, cause: Cause, fix: Fix, trial: Trial | None = None) -> Iterator[Finding]:
        """Yield a finding for each change that the failed cell did not ask for; untried, what can be guessed.

        What was asked for in words may be just that, so there it is a note.
        """
        meant = isinstance(cause, Wish)
        for finding in self._check(cause, fix, trial):
            yield dataclasses.replace(finding, severity="note") if meant and finding.code in _OF_NAMES else finding

    def _check(self, cause: Cause, fix: Fix, trial: Trial | None) -> Iterator[Finding]:
        dropping = {name for change in changes(fix) for name in _added_dropping(change.old, change.new)}
        told = _tells_of_missing(fix, dropping)
        if trial is None or trial.outcome != "passed":
            for name in sorted(dropping & {"dropna", "drop_duplicates", "sample"}):
                yield Finding("drops-rows", f"leaves out rows (`{name}`)", "note" if told else "warning")
            return
        again = [*(edit.expected for edit in fix.edits), *(step.source for step in fix.runs_first)]
        old = [read(source) for source in (cause.situation.source, *again)]
        bound = {name for cell in old for name in _bound(cell)}
        meant = {"rebound": bound, "removed": bound, "changed": bound | {n for cell in old for n in _changed(cell)}}
        found = [
            finding
            for change in trial.changes
            if change.kind != "added"
            for finding in _findings(change, meant[change.kind], bool(dropping))
        ]
        for finding in found[:_MOST]:
            fewer = told and finding.code in ("drops-rows", "drops-items", "changes-shape")
            yield dataclasses.replace(finding, severity="note") if fewer else finding
        yield from _accesses(cause.situation, trial)
        yield from _effects(cause.situation, trial)


def _tells_of_missing(fix: Fix, dropping: set[str]) -> bool:
    """Whether a fix of a rule leaves out what is missing, and nothing else, and says so: a fact, and no doubt."""
    alone = bool(dropping) and dropping <= {"dropna"}
    return fix.is_candidate and alone and "missing value" in fix.explanation and "left out" in fix.explanation


def _findings(change: NameChange, meant: set[str], dropping: bool) -> Iterator[Finding]:
    before, after, name = change.before, change.after, change.name
    if before is None:
        return
    if after is None:
        if name not in meant:
            yield Finding("removes-name", f"deletes `{name}`")
    elif before.type != after.type:
        if name not in meant:
            yield Finding("changes-type", f"turns `{name}` from {_short(before)} into {_short(after)}")
    elif name not in meant or dropping:
        yield from _shrunk(name, before, after)


def _shrunk(name: str, before: ValueFacts, after: ValueFacts) -> Iterator[Finding]:
    if before.shape and after.shape and before.shape != after.shape:
        if before.type.endswith(_TABLES) and len(before.shape) == len(after.shape):
            yield from _table(name, before.shape, after.shape)
        else:
            yield Finding("changes-shape", f"changes the shape of `{name}` from {before.shape} to {after.shape}")
    elif before.dtype != after.dtype:
        yield Finding("changes-type", f"changes the dtype of `{name}` from {before.dtype} to {after.dtype}")
    elif not before.shape and before.length is not None and after.length is not None and after.length < before.length:
        lost = before.length - after.length
        yield Finding("drops-items", f"drops {lost:,} of {before.length:,} items in `{name}`")


def _table(name: str, before: tuple[int, ...], after: tuple[int, ...]) -> Iterator[Finding]:
    for index, noun in enumerate(("rows", "columns")[: len(before)]):
        if after[index] < before[index]:
            lost = before[index] - after[index]
            yield Finding(f"drops-{noun}", f"drops {lost:,} of {before[index]:,} {noun} of `{name}`")
        elif after[index] > before[index] and noun == "rows":
            yield Finding(
                "adds-rows", f"adds {after[index] - before[index]:,} rows to the {before[index]:,} of `{name}`"
            )


def _short(facts: ValueFacts) -> str:
    return facts.type.rpartition(".")[2]


def _accesses(situation: Situation, trial: Trial) -> Iterator[Finding]:
    for access in trial.accesses[:_MOST]:
        target = access.text.rpartition("/")[2].rpartition(" ")[2]
        if target not in situation.source:
            yield Finding("reaches-out", f"wanted to {access.text}, which a trial does not allow")


def _effects(situation: Situation, trial: Trial) -> Iterator[Finding]:
    """What a real run does outside. Only a note where the failed cell works with that very thing itself."""
    asked = {node.id for node in read(situation.source).nodes() if isinstance(node, ast.Name)}
    for effect in trial.effects[:_MOST]:
        yield Finding("acts-outside", effect.text, "note" if asked & set(effect.names) else "warning")


def _added_dropping(old: ParsedCell, new: ParsedCell) -> Iterator[str]:
    """Calls that leave out rows, and masks, of which the new text has more."""
    yield from Counter(_droppings(new)) - Counter(_droppings(old))


def _droppings(cell: ParsedCell) -> Iterator[str]:
    for node in cell.nodes():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _DROPPING:
            yield node.func.attr
        elif isinstance(node, ast.Subscript) and any(isinstance(part, ast.Compare) for part in ast.walk(node.slice)):
            yield "a mask"
        elif isinstance(node, ast.keyword) and node.arg in ("errors", "how", "on_bad_lines"):
            yield ast.unparse(node)


def _bound(cell: ParsedCell) -> Iterator[str]:
    """The names that a cell binds or deletes."""
    for node in cell.nodes():
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name


def _changed(cell: ParsedCell) -> Iterator[str]:
    """The names whose objects a cell may change in place."""
    for node in cell.nodes():
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            yield _root(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield _root(node.value.func)
            yield from (argument.id for argument in node.value.args if isinstance(argument, ast.Name))


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
