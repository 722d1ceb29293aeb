"""What is asked of the providers that take their time because the user wants it, and what leaves the machine then."""

from __future__ import annotations

import dataclasses

from reflex_ipython.errors import BadInput
from reflex_ipython.models import LONGEST_HINT, Repair
from reflex_ipython.protocols import Asks, Attempt, FixProvider, NeedsConsent, Request
from reflex_ipython.repairs.loaded_plugins import LoadedPlugins
from reflex_ipython.repairs.open_repairs import OpenRepairs
from reflex_ipython.repairs.pipeline import without_secrets
from reflex_ipython.repairs.repair_workers import RepairWorkers
from reflex_ipython.repairs.rounds import Rounds
from reflex_ipython.repairs.services import Services
from reflex_ipython.stages import Question


class Questions:
    """Those about the repairs of one kernel.

    Parameters
    ----------
    repairs : OpenRepairs
    workers : RepairWorkers
        Wait for the answers.
    rounds : Rounds
        Knows who can be asked.
    plugins : LoadedPlugins
    services : Services
        Take secrets out.
    """

    def __init__(
        self,
        repairs: OpenRepairs,
        workers: RepairWorkers,
        rounds: Rounds,
        plugins: LoadedPlugins,
        services: Services,
    ) -> None:
        self._repairs = repairs
        self._workers = workers
        self._rounds = rounds
        self._plugins = plugins
        self._services = services

    def ask(self, repair_id: str, hint: str = "") -> None:
        """Ask all that can be asked, again if they were asked before.

        Raises
        ------
        BadInput
            If nobody can be, since no model was chosen, if there is no such repair, if it was decided for good, or if
            the hint is too long.
        """
        if len(hint) > LONGEST_HINT:
            raise BadInput(f"The hint is longer than {LONGEST_HINT:,} characters: say it in fewer words.")
        self._repairs.find(repair_id)
        if not self._rounds.slow():
            raise BadInput("No model is chosen: `%reflex model` shows how to choose one.")
        with self._repairs.lock:  # it may be decided on another thread meanwhile
            repair = self._repairs.find(repair_id)
            if repair.decision is not None and repair.decision.kind in ("accepted", "superseded"):
                raise BadInput("That cell has changed or run since; `%reflex fix` looks at the latest error.")
            opened = self._repairs.open(repair.id)
            self._workers.cancel(opened)
            request = _request(repair, hint)
            self._repairs.change(repair.id, lambda repair: dataclasses.replace(repair, decision=None, trouble=""))
            self._workers.ask(opened, request)

    def allow(self, host: str = "") -> str:
        """Let what is asked be sent to a host, now and in other sessions. Nothing is asked by that.

        Parameters
        ----------
        host : str
            As it was shown to the user. Empty: the one that has to be allowed now.

        Returns
        -------
        str
            The host; empty if that one does not have to be allowed.
        """
        for provider in self._rounds.slow():
            if isinstance(provider, NeedsConsent) and (wanted := provider.consent_for) and host in ("", wanted):
                provider.allow(wanted)
                self._repairs.offers_changed()
                return wanted
        return ""

    def preview(self, repair_id: str, hint: str = "") -> list[Question]:
        """What would be sent if it were asked for a fix now, and what was withheld from that. Nothing is sent.

        Where none can be asked: what those would send that could be, once they are chosen.

        Raises
        ------
        BadInput
            If no provider sends anything.
        ProviderError
            If the settings name no server that could be asked.
        """
        repair = self._repairs.find(repair_id)
        request = _request(repair, hint)
        asked = self._rounds.slow() or [provider for provider in self._plugins.providers if isinstance(provider, Asks)]
        if not asked:
            raise BadInput("No installed provider asks a model, so nothing is sent.")
        repair = dataclasses.replace(repair, cause=self._services.enrich(repair.cause))
        return [self._question(repair, provider, request) for provider in asked]

    def _question(self, repair: Repair, provider: FixProvider, request: Request) -> Question:
        if not isinstance(provider, Asks):
            return Question(provider.label)
        redactor = self._services.make_redactor()
        outgoing = provider.would_send(*without_secrets(repair.cause, request, redactor))
        withheld = redactor.withheld(outgoing.body.decode("utf-8", "replace"))
        return Question(provider.label, outgoing, tuple(withheld))


def _request(repair: Repair, hint: str) -> Request:
    return Request(hint=hint, attempts=tuple(Attempt(fix, repair.verdict(fix)) for fix in repair.fixes))
