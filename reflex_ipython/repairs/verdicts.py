"""What there is to say of a fix: whether it holds, and how the failing cell could be run with it."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

from reflex_ipython.check.verdict import verdict
from reflex_ipython.models import (
    Cause,
    Finding,
    Fix,
    Repair,
    RunOption,
    Situation,
    Trial,
    Verdict,
    cell_changes,
    why_not,
)
from reflex_ipython.repairs.loaded_plugins import LoadedPlugins
from reflex_ipython.repairs.repeated_work import with_run_options
from reflex_ipython.stages import Consequences

UNTRIABLE = "installing can't be tried on a copy"
EARLIER = "it was proposed before Reflex was loaded here"
_MOST_READ = 8
"""Of so many fixes it is kept what was found in them: more are seldom tried at the same time."""


class _Read(NamedTuple):
    """What checkers that look at no trial have found in a fix, by their places among all."""

    cause: Cause
    fix: Fix
    found: dict[int, tuple[Finding, ...]]


class Verdicts:
    """Asks the checkers, and what accepting would do.

    Parameters
    ----------
    plugins : LoadedPlugins
        Has the checkers.
    consequences : Consequences
    """

    def __init__(self, plugins: LoadedPlugins, consequences: Consequences) -> None:
        self._plugins = plugins
        self._consequences = consequences
        self._read: dict[str, _Read] = {}
        """What was found in the latest fixes, by their ids."""

    def of(self, cause: Cause, fix: Fix, trial: Trial | None) -> Verdict:
        """What the checkers find, and what came of its trial; None: it was not tried yet."""
        findings = self._findings(cause, fix, trial)
        refusal = why_not(fix, cause.situation)
        if refusal:
            return verdict(cause, findings, Trial("not_tried", refusal))
        changes = cell_changes(fix, cause.situation)
        findings += self._consequences.findings(changes)
        if changes.installs:
            trial = Trial("not_tried", UNTRIABLE)
        return verdict(cause, findings, trial, changes.failing.source)

    def _findings(self, cause: Cause, fix: Fix, trial: Trial | None) -> list[Finding]:
        """What all checkers find; who does not look at the trial has mostly been asked before it."""
        read = self._read.pop(fix.id, None)
        if read is None or trial is None or read.cause is not cause or read.fix is not fix:
            read = _Read(cause, fix, {})
        found: list[Finding] = []
        for place, checker in enumerate(self._plugins.checkers):
            if getattr(checker, "needs_trial", True) is not False:
                found += checker.check(cause, fix, trial)
            else:
                if place not in read.found:
                    read.found[place] = tuple(checker.check(cause, fix, trial))
                found += read.found[place]
        self._read[fix.id] = read
        for old in list(self._read)[:-_MOST_READ]:
            self._read.pop(old, None)
        return found

    def run_options(self, fix: Fix, situation: Situation) -> tuple[RunOption, ...]:
        """How the failing cell could be run with a fix; empty if nothing is known of its failed run."""
        if why_not(fix, situation):
            return ()
        return tuple(self._consequences.run_options(cell_changes(fix, situation)))

    def reconsidered(self, repair: Repair) -> Repair:
        """The repair with the options to run its fixes as they are now: another cell may have run meanwhile."""
        verdicts = {
            fix.id: with_run_options(repair.verdict(fix), self.run_options(fix, repair.situation))
            for fix in repair.fixes
        }
        return dataclasses.replace(repair, verdicts=verdicts)

    def with_fix(self, repair: Repair, fix: Fix) -> Repair:
        """The repair with one more fix in front, as it is judged before it is tried."""
        verdicts = {**repair.verdicts, fix.id: self.of(repair.cause, fix, None)}
        return self.reconsidered(dataclasses.replace(repair, fixes=(fix, *repair.fixes), verdicts=verdicts, trouble=""))

    def of_earlier_session(self, repair: Repair) -> Repair:
        """A repair of an earlier session, with what this kernel knows of its fixes: there is no copy to try them in."""
        untried = Trial("not_tried", EARLIER)
        verdicts = {fix.id: self.of(repair.cause, fix, untried) for fix in repair.fixes}
        return self.reconsidered(dataclasses.replace(repair, verdicts=verdicts))
