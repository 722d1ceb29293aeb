"""What there is to say of a fix: whether it holds, and how the failing cell could be run with it."""

from __future__ import annotations

import dataclasses

from reflex_ipython.check.verdict import verdict
from reflex_ipython.models import Cause, Fix, Repair, RunOption, Situation, Trial, Verdict, cell_changes, why_not
from reflex_ipython.protocols import Consequences
from reflex_ipython.repairs.loaded_plugins import LoadedPlugins
from reflex_ipython.repairs.repeated_work import with_run_options

UNTRIABLE = "installing can't be tried on a copy"
EARLIER = "it was proposed in an earlier session"


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

    def of(self, cause: Cause, fix: Fix, trial: Trial | None) -> Verdict:
        """What the checkers find, and what came of its trial; None: it was not tried yet."""
        findings = [finding for checker in self._plugins.checkers for finding in checker.check(cause, fix, trial)]
        refusal = why_not(fix, cause.situation)
        if refusal:
            return verdict(cause, findings, Trial("not_tried", refusal))
        changes = cell_changes(fix, cause.situation)
        findings += self._consequences.findings(changes)
        if changes.installs:
            trial = Trial("not_tried", UNTRIABLE)
        return verdict(cause, findings, trial, changes.failing.source)

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
