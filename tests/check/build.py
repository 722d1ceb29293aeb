"""Failures and fixes for the checkers, and what these find."""

from __future__ import annotations

from typing import Any

from reflex_ipython.check.critic.danger import DangerChecker
from reflex_ipython.check.critic.hidden import HiddenTextChecker
from reflex_ipython.check.critic.invented import InventedDataChecker
from reflex_ipython.check.critic.kind_of_result import ResultKindChecker
from reflex_ipython.check.critic.removal import RemovalChecker
from reflex_ipython.check.critic.results import ResultChecker
from reflex_ipython.check.critic.silence import SilenceChecker
from reflex_ipython.check.critic.swallow import SwallowChecker
from reflex_ipython.check.critic.writes import WriteChecker
from reflex_ipython.check.lookups import LookupChecker
from reflex_ipython.check.names import NameChecker
from reflex_ipython.check.static import SyntaxChecker
from reflex_ipython.models import (
    CellChanges,
    CellRef,
    CellSource,
    Edit,
    ExceptionInfo,
    Failure,
    Finding,
    Fix,
    Situation,
    Trial,
)

CRITIC = (
    SwallowChecker(),
    SilenceChecker(),
    RemovalChecker(),
    DangerChecker(),
    WriteChecker(),
    HiddenTextChecker(),
    ResultChecker(),
    InventedDataChecker(),
    ResultKindChecker(),
)
STATIC = (SyntaxChecker(), NameChecker(), LookupChecker())
CELL = CellRef("cell")


def failure(source: str, ename: str = "KeyError", line: int | None = 1, **more: Any) -> Failure:
    """A failed cell. `earlier`: the texts of the cells before."""
    earlier = tuple(CellSource(CellRef(f"e{n}"), text) for n, text in enumerate(more.pop("earlier", ())))
    exceptions = more.pop("exceptions", (ExceptionInfo(ename, "told"),))
    known = {name: more.pop(name) for name in ("names", "meanings", "versions") if name in more}
    situation = Situation(CELL, source, earlier=earlier, **known)
    stage = more.pop("stage", "run")
    return Failure("f", "", situation, stage, exceptions, lineno=line, **more)


def fix(old: str, new: str) -> Fix:
    """A fix of one cell."""
    return Fix("x", (Edit(CELL, old, new),), "", "model")


def edits(*sources: str) -> CellChanges:
    """The changes of several cells, the failing one's last."""
    *earlier, failing = (Edit(CellRef(f"c{n}"), "", source) for n, source in enumerate(sources))
    return CellChanges(tuple(earlier), failing)


def criticise(old: str, new: str, trial: Trial | None = None, **more: Any) -> list[Finding]:
    """All that the critic finds."""
    return [finding for one in CRITIC for finding in one.check(failure(old, **more), fix(old, new), trial)]


def codes(old: str, new: str, trial: Trial | None = None, **more: Any) -> list[str]:
    """The codes of it."""
    return [finding.code for finding in criticise(old, new, trial, **more)]
