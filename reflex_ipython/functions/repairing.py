"""A failed call, from its exception to a new text of the function or to the reason why there is none."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from reflex_ipython import plugins
from reflex_ipython.capture import held_secrets
from reflex_ipython.errors import BadInput
from reflex_ipython.functions.call_trials import CallRunner, CallTrials
from reflex_ipython.functions.healed import AWAITED, CALL, Healed, Policy
from reflex_ipython.functions.source import CannotHeal
from reflex_ipython.models import DefinitionRef, Edit, Finding, Fix, Repair, RunOption, Verdict
from reflex_ipython.models.cell_changes import CellChanges
from reflex_ipython.protocols import Context, RepairStore, StoreContext
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.remember.recorder import Recorder
from reflex_ipython.remember.resilient import ResilientStore
from reflex_ipython.repairs.ranking import convincing
from reflex_ipython.repairs.redaction import Redaction
from reflex_ipython.repairs.services import Services
from reflex_ipython.repairs.session import Session
from reflex_ipython.reports.log_folder import LogFolder
from reflex_ipython.settings import Settings
from reflex_ipython.stages import Work

if TYPE_CHECKING:
    pass

NO_FIX = "no fix was found"
NOT_PROVEN = "no fix is proven"
CHOICE = "several things may be meant"
DANGEROUS = "the fix is dangerous"
REJECTED = "the fix was not accepted"


class FailedCall:
    """One failed call of a function that heals.

    Parameters
    ----------
    healed : Healed
    error : Exception
    again : callable
        Calls the function as it was called; gives a coroutine for one that is awaited.
    awaited : bool
        Whether it does.
    settings : Settings
    """

    def __init__(
        self, healed: Healed, error: Exception, again: Callable[[], Any], settings: Settings, *, awaited: bool = False
    ) -> None:
        self._healed = healed
        self._settings = settings
        self._redaction = Redaction(
            lambda: settings, held_secrets(healed.function.__globals__, os.environ, error.__traceback__)
        )
        self._failure = healed.failure(error, AWAITED if awaited else CALL, settings)
        self._trials = CallTrials(CallRunner(healed, again, type(error).__name__))
        self.may_pass = False
        """Whether there may be a fix the next time: a model could not be reached, say."""

    def mend(self, policy: Policy, ask: Callable[[Repair, Fix], bool]) -> str:
        """Find a fix, and have the function run it.

        Parameters
        ----------
        policy : Policy
        ask : callable
            Given the repair and its fix, says whether the user wants it; asked where the policy is "ask".

        Returns
        -------
        str
            Why there is none, as the end of a sentence; empty: the function has a new text.
        """
        session = self._session()
        try:
            opened = session.repairs.open(session.failed(self._failure).id)
            opened.wait()
            repair = opened.repair
            self.may_pass = bool(repair.trouble) and not repair.asked
            fix, why_not = _chosen(repair, policy)
            if fix is not None and policy == "ask" and not ask(repair, fix):
                session.decisions.reject(repair.id)
                return REJECTED
            if fix is None:
                return why_not
            session.decisions.accept(repair.id, fix.id)
            self._healed.put_in(_text(fix, self._healed))
        except (CannotHeal, BadInput) as reason:
            return str(reason)
        finally:
            session.close()
        return ""

    def _session(self) -> Session:
        recorder = Recorder(self._open_store, _warn, self._kept, LogFolder(lambda: self._settings.log_folder, _warn))
        context = Context(lambda: self._settings, recorder, attended=lambda: False)

        def load() -> tuple[list[Any], list[Any]]:
            providers = plugins.load(plugins.PROVIDERS, context, _warn)
            return providers, plugins.load(plugins.CHECKERS, context, _warn)

        services = Services(self._redaction.redactor, load, self._trials, _NoConsequences())
        return Session(self._settings, presenter=_Silent(), recorder=recorder, services=services)

    def _kept(self, repair: Repair) -> Repair:
        return (
            self._redaction.redactor(paths_in_code=True).repair(repair) if self._settings.history_redacted else repair
        )

    def _open_store(self) -> RepairStore:
        context = StoreContext(lambda: self._settings)
        stores = plugins.load(plugins.STORES, context, _warn) if self._settings.history else []
        return ResilientStore(stores[-1], _warn, context.clock) if stores else MemoryStore()


def _chosen(repair: Repair, policy: Policy) -> tuple[Fix | None, str]:
    """The fix that a policy allows, or why it allows none."""
    own = [fix for fix in repair.fixes if all(isinstance(step, Edit) and _is_definition(step) for step in fix.steps)]
    if not own:
        return None, repair.trouble.rstrip(".") or NO_FIX
    best = own[0]
    if repair.verdict(best).dangerous:
        return None, DANGEROUS
    if policy == "proven" and repair.is_choice:
        return None, CHOICE
    if policy == "proven" and not convincing(repair.verdict(best)):
        return None, f"{NOT_PROVEN}: {_objection(repair.verdict(best))}"
    return best, ""


def _objection(verdict: Verdict) -> str:
    """What speaks against a fix."""
    return verdict.reason or next((f"it {finding.text}" for finding in verdict.doubts), verdict.outcome)


def _text(fix: Fix, healed: Healed) -> str:
    return fix.source_of(healed.target, healed.source.text)


class _NoConsequences:
    """What a call has done is not undone (`stages.Consequences`)."""

    def run_options(self, changes: CellChanges) -> tuple[RunOption, ...]:
        return ()

    def findings(self, changes: CellChanges) -> Sequence[Finding]:
        others = [edit for edit in changes.changed_earlier if not _is_definition(edit)]
        return [Finding("elsewhere", "changes more than the function", "warning")] if others else []


def _is_definition(edit: Edit) -> bool:
    return isinstance(edit.target, DefinitionRef)


class _Silent:
    """Shows nothing: who called the function waits (`stages.Presenter`)."""

    def show(self, repair: Repair, work: Work | None) -> None: ...

    def update(self, repair: Repair, work: Work | None) -> None: ...

    def note(self, repair: Repair) -> None: ...

    def text(self, repair: Repair, piece: str, start: bool) -> None: ...


def _warn(text: str) -> None:
    print(f"reflex: {text}", file=sys.stderr)
