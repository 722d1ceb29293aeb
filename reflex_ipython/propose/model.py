"""A language model as a provider of fixes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from reflex_ipython.errors import ModelError
from reflex_ipython.models import Cause, Fix
from reflex_ipython.propose.address import address
from reflex_ipython.propose.chat import would_send
from reflex_ipython.propose.conversation import Conversation, budget, with_servers
from reflex_ipython.propose.prompt import build_messages
from reflex_ipython.protocols import Context, Outgoing, Request, Where
from reflex_ipython.settings import Settings


class ModelProvider:
    """Asks the model that the settings name, over the OpenAI API. Each call gives the fixes of one answer.

    Parameters
    ----------
    context : Context
        For the settings, which are read anew at each call, and for the clock, which says how long an answer took.
    """

    name = "model"

    def __init__(self, context: Context) -> None:
        self._settings = context.settings
        self._clock = context.clock

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
        return self._settings().model or ""

    def propose(self, cause: Cause, request: Request) -> Iterator[Fix]:
        """Yield the model's fix, or several of which the user is to choose.

        Raises
        ------
        ModelError
            If no model was chosen or can be asked, or if its answer holds no fix.
        """
        settings = self._settings()
        if not settings.model:
            raise ModelError(with_servers("No model is chosen: `%reflex model NAME` chooses one."), "no-such-model")
        yield from Conversation(cause, request, settings, self._clock).fixes()

    def would_send(self, cause: Cause, request: Request) -> Outgoing:
        """What `propose` would send first, up to the last byte. Nothing is sent.

        Raises
        ------
        ModelError
            If the settings name no address.
        """
        settings = _no_model(self._settings())
        messages = build_messages(cause, request.hint, request.attempts, budget=budget(settings))
        return would_send(messages, settings)


def _no_model(settings: Settings) -> Settings:
    return settings if settings.model else dataclasses.replace(settings, model="(none is chosen)")
