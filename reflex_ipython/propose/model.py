"""A language model as a provider of fixes.

The first failure of a kernel waits for what is imported here, also where no model was chosen: so what asks is imported
when something is asked.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from reflex_ipython.errors import ModelError
from reflex_ipython.models import Cause, Fix, Trial, Wish
from reflex_ipython.propose.address import address
from reflex_ipython.propose.answer_agreement import AnswerAgreement
from reflex_ipython.propose.consent import Consent
from reflex_ipython.propose.local.model_files import ModelFiles, shown_name
from reflex_ipython.propose.spending import Spending
from reflex_ipython.propose.transport import Transport
from reflex_ipython.protocols import Context, Outgoing, Request, Review, Where
from reflex_ipython.settings import Settings

if TYPE_CHECKING:
    from reflex_ipython.propose.asking import Asking


class ModelProvider:
    """Asks the model that the settings name. Each call gives the fixes of one answer.

    Parameters
    ----------
    context : Context
        For the settings, which are read anew at each call, for the clock, which says how long an answer took, and for
        whether anybody can be asked for consent.
    transport : Transport or None
        How to reach the model. None: as its server speaks.
    """

    name = "model"

    def __init__(self, context: Context, transport: Transport | None = None) -> None:
        self._settings = context.settings
        self._transport = transport
        self._consent, self._spending = Consent(context.attended), Spending()
        self._agreement = AnswerAgreement()
        self.files = ModelFiles()
        self._clock = context.clock

    @functools.cached_property
    def _asking(self) -> Asking:
        from reflex_ipython.propose.asking import Asking

        return Asking(self._consent, self._spending, self._clock, self._transport)

    @property
    def where(self) -> Where:
        """Local, if the server that the settings name is on this machine."""
        try:
            return "local" if address(self._settings()).local else "remote"
        except ModelError:  # asking will say what is wrong with the address
            return "remote"

    @property
    def cost(self) -> str:
        """What the settings say that it charges."""
        settings = self._settings()
        prices = settings.input_price, settings.output_price
        if None in prices:
            return "" if self.where == "local" else "what its server charges"
        return "{:g} + {:g} US dollars per million tokens".format(*prices) if any(prices) else ""

    @property
    def label(self) -> str:
        """The model's name; empty if none was chosen."""
        return shown_name(self._settings())

    def propose(self, cause: Cause, request: Request) -> Iterator[Fix]:
        """Yield the model's fix, or several of which the user is to choose.

        Raises
        ------
        ModelError
            If no model was chosen or can be asked, or if its answer holds no fix.
        """
        from reflex_ipython.propose.conversation import Conversation, with_servers

        settings = self._settings()
        if not settings.model:
            raise ModelError(with_servers("No model is chosen: `%reflex model NAME` chooses one."), "no-such-model")
        served = self.files.served(settings, _loading(request), request.cancelled)
        if served is not None:
            yield from Conversation(cause, request, served, self._asking, self._agreement).fixes()

    def review(self, wish: Wish, fix: Fix, trial: Trial, request: Request) -> Review | None:
        """Ask whether code that ran does what was asked for; None where the model says neither yes nor no.

        Raises
        ------
        ModelError
            If it can't be asked.
        """
        from reflex_ipython.propose.conversation import reviewed

        served = self.files.served(self._settings(), _loading(request), request.cancelled)
        return None if served is None else reviewed(wish, fix, trial, request, served, self._asking)

    def would_send(self, cause: Cause, request: Request) -> Outgoing:
        """What `propose` would send first, up to the last byte. Nothing is sent.

        Raises
        ------
        ModelError
            If the settings name no address.
        """
        from reflex_ipython.propose.answer_form import form_of
        from reflex_ipython.propose.chat import would_send
        from reflex_ipython.propose.conversation import budget
        from reflex_ipython.propose.prompt import build_messages

        settings = self._agreement.agreed(_no_model(self.files.now(self._settings())))
        messages = build_messages(
            cause, request.hint, request.attempts, budget=budget(settings), form=form_of(settings)
        )
        return would_send(messages, settings, self._transport)

    @property
    def consent_for(self) -> str:
        """The host that the user has to allow before anything is sent; empty: none."""
        settings = self._settings()
        try:
            return self._consent.missing(settings, address(settings)) if settings.model else ""
        except ModelError:  # asking will say what is wrong with the address
            return ""

    def allow(self, host: str) -> None:
        """Send questions to that host from now on, in other sessions as well."""
        self._consent.allow(host)

    def close(self) -> None:
        """End the process of a model file."""
        self.files.close()

    @property
    def answers(self) -> str:
        """In which form it answers, where the settings ask for another than blocks: a sentence; else empty."""
        try:
            return self._agreement.in_words(self.files.now(self._settings()))
        except ModelError:  # asking will say what is wrong with the address
            return ""

    @property
    def spent(self) -> str:
        """What was asked in this session, in words; empty for nothing."""
        return str(self._spending)


def _loading(request: Request) -> Callable[[str, int], None]:
    return lambda name, percent: request.on_wait(f"loading {name}, {percent} %")


def _no_model(settings: Settings) -> Settings:
    return settings if settings.model else dataclasses.replace(settings, model="(none is chosen)")
