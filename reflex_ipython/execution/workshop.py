"""One request in words, from its words to what came of it: the composition root of this room."""

from __future__ import annotations

import dataclasses
import os
import sys
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from reflex_ipython import plugins
from reflex_ipython.capture import capture_situation, held_secrets
from reflex_ipython.errors import BadInput
from reflex_ipython.execution.events import EventPresenter, Listen
from reflex_ipython.execution.process_trials import ExecutionBounds, ProcessTrials
from reflex_ipython.models import CellRef, Execution, Finding, Repair, RunOption, Wish, execution, new_id, now
from reflex_ipython.models.cell_changes import CellChanges
from reflex_ipython.protocols import Context, IndexedStore, RepairStore, StoreContext
from reflex_ipython.remember.indexed import indexed
from reflex_ipython.remember.opening import open_store
from reflex_ipython.remember.recorder import Recorder
from reflex_ipython.repairs.redaction import Redaction
from reflex_ipython.repairs.services import Services
from reflex_ipython.repairs.session import Session
from reflex_ipython.reports.log_folder import LogFolder
from reflex_ipython.settings import Settings

if TYPE_CHECKING:
    pass

NOBODY = (
    "No model is chosen, so nobody can write this code: set REFLEX_MODEL (and REFLEX_PROVIDER or REFLEX_BASE_URL), or "
    "give `settings=Settings(model=…)`."
)


class RunningRequest:
    """One request that is worked on. Begin it on the main thread; it can be awaited on any.

    Parameters
    ----------
    words : str
        What the code is to do.
    namespace : dict
        The names that it finds.
    settings : Settings
    bounds : ExecutionBounds
    listen : callable
        Is told what happens.
    """

    def __init__(
        self,
        words: str,
        namespace: dict[str, Any],
        settings: Settings,
        bounds: ExecutionBounds,
        listen: Listen = lambda event: None,
    ) -> None:
        if not words.strip():
            raise BadInput("Say in words what the code is to do.")
        if not settings.model:
            raise BadInput(NOBODY)
        self._settings = settings
        self._redaction = Redaction(lambda: settings, held_secrets(namespace, os.environ))
        self._started = time.monotonic()
        self._session = self._make_session(ProcessTrials(namespace, bounds), listen)
        situation = capture_situation(words, source="", cell=CellRef(), namespace=namespace, settings=settings)
        try:
            repair = self._session.wished(Wish(new_id(), now(), situation, words))
        except BaseException:
            self._session.close()
            raise
        self._opened = self._session.repairs.open(repair.id)
        self._closing = threading.Lock()

    def wait(self) -> Execution:
        """Wait for its end, and let go of all."""
        try:
            self._opened.wait()
        finally:
            self.close()
        return execution(self._opened.repair, time.monotonic() - self._started)

    def cancel(self) -> None:
        """End it soon, from any thread."""
        self._session.cancel(self._opened.repair.id)

    def close(self) -> None:
        """End the work, and the copy."""
        with self._closing:
            self._session.workers.release(self._opened)
            self._session.close()

    def _make_session(self, trials: ProcessTrials, listen: Listen) -> Session:
        recorder = Recorder(self._open_store, _warn, self._kept, LogFolder(lambda: self._settings.log_folder, _warn))
        context = Context(lambda: self._settings, recorder, attended=lambda: False)

        def load() -> tuple[list[Any], list[Any]]:
            return (
                plugins.load(plugins.PROVIDERS, context, _warn),
                plugins.load(plugins.CHECKERS, context, _warn),
            )

        services = Services(self._redaction.redactor, load, trials, NoConsequences())
        return Session(self._settings, presenter=EventPresenter(listen), recorder=recorder, services=services)

    def _kept(self, repair: Repair) -> Repair:
        if not self._settings.history_redacted:
            return repair
        return self._redaction.redactor(paths_in_code=True).repair(repair)

    def _open_store(self) -> RepairStore:
        return history_of(self._settings)


class NoConsequences:
    """Nothing of the caller's is run again, and nothing is accepted (`stages.Consequences`)."""

    def run_options(self, changes: CellChanges) -> tuple[RunOption, ...]:
        """It just runs."""
        return ()

    def findings(self, changes: CellChanges) -> Sequence[Finding]:
        """None."""
        return ()


def history_of(settings: Settings) -> IndexedStore:
    """The store that the settings name; no file and no server is touched yet.

    Raises
    ------
    BadInput
        If its address is none.
    """
    context = StoreContext(lambda: settings)
    return indexed(open_store(context, lambda: plugins.load(plugins.STORES, context, _warn), _warn))


def with_attempts(settings: Settings, attempts: int) -> Settings:
    """The settings for one request.

    Raises
    ------
    BadInput
        If that is no number of attempts.
    """
    if type(attempts) is not int or attempts < 1:
        raise BadInput(f"attempts is {attempts!r}: give 1 or more.")
    return dataclasses.replace(settings, attempts=attempts, trial="automatic")


def _warn(text: str) -> None:
    print(f"reflex: {text}", file=sys.stderr)
