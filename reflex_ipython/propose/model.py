"""A language model as a provider of fixes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

from reflex_ipython.errors import ModelError
from reflex_ipython.models import Cause, Edit, Fix, Usage, new_id
from reflex_ipython.propose.address import address
from reflex_ipython.propose.asking import Asking
from reflex_ipython.propose.chat import Reply, would_send
from reflex_ipython.propose.consent import Consent
from reflex_ipython.propose.extract import Answer, extract
from reflex_ipython.propose.home import sources_in_question
from reflex_ipython.propose.local.model_files import ModelFiles, shown_name
from reflex_ipython.propose.prompt import BUDGET, LOCAL_BUDGET, SMALL_BUDGET, build_messages
from reflex_ipython.propose.servers import find_local_servers, list_models, suggestion
from reflex_ipython.propose.spending import Spending, cost
from reflex_ipython.protocols import Context, Outgoing, Request, Transport, Where
from reflex_ipython.settings import Settings

_COMPLETE = ("stop", "eos", "end_turn", "eos_token")


class ModelProvider:
    """Asks the model that the settings name. Each call gives one fix at most.

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
        self.files = ModelFiles()
        self._asking = Asking(self._consent, self._spending, context.clock, transport)

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
        """Yield the model's fix.

        Raises
        ------
        ModelError
            If no model was chosen or can be asked, or if its answer holds no fix.
        """
        settings = self._settings()
        if not settings.model:
            raise ModelError(_with_servers("No model is chosen: `%reflex model NAME` chooses one."), "no-such-model")
        served = self.files.served(settings, _loading(request), request.cancelled)
        reply = None if served is None else _ask(cause, request, served, self._asking)
        if served is not None and reply is not None:
            yield _fix(cause, reply, served)

    def would_send(self, cause: Cause, request: Request) -> Outgoing:
        """What `propose` would send first, up to the last byte. Nothing is sent.

        Raises
        ------
        ModelError
            If the settings name no address.
        """
        settings = _no_model(self.files.now(self._settings()))
        messages = build_messages(cause, request.hint, request.attempts, budget=_budget(settings))
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
    def spent(self) -> str:
        """What was asked in this session, in words; empty for nothing."""
        return str(self._spending)


def _loading(request: Request) -> Callable[[str, int], None]:
    return lambda name, percent: request.on_wait(f"loading {name}, {percent} %")


def _no_model(settings: Settings) -> Settings:
    return settings if settings.model else dataclasses.replace(settings, model="(none is chosen)")


def _budget(settings: Settings) -> int:
    return LOCAL_BUDGET if address(settings).local else BUDGET


def _ask(cause: Cause, request: Request, settings: Settings, asking: Asking) -> Reply | None:
    """The model's reply, to a smaller question if the first is too long for it; None when cancelled."""
    local = address(settings).local
    try:
        try:
            return _ask_within(_budget(settings), cause, request, settings, asking)
        except ModelError as error:
            if error.code != "too-long":
                raise
            return _ask_within(SMALL_BUDGET, cause, request, settings, asking)
    except ModelError as error:
        if error.code == "no-key":
            raise ModelError(_with_servers(str(error)), error.code) from None
        if error.code == "no-such-model" and local:
            names = list_models(address(settings).base_url)
            raise ModelError(f"{error} It has: {', '.join(names[:8]) or 'none'}.", error.code) from None
        raise


def _ask_within(budget: int, cause: Cause, request: Request, settings: Settings, asking: Asking) -> Reply | None:
    messages = build_messages(cause, request.hint, request.attempts, budget=budget)
    return asking.ask(messages, settings, request)


def _with_servers(sentence: str) -> str:
    return f"{sentence} {suggestion(find_local_servers())}".rstrip()


def _fix(cause: Cause, reply: Reply, settings: Settings) -> Fix:
    sources = sources_in_question(cause)
    answer = extract(reply.text, sources, complete=reply.finish_reason in _COMPLETE)
    if not isinstance(answer, Answer):
        cut = " Reflex.max_tokens limits how much it may write." if reply.finish_reason == "length" else ""
        raise ModelError(f"{answer.problem}{cut} Ask again with a hint, or choose another model.", "bad-reply")
    places = (*(earlier.cell for earlier in sources[:-1]), cause.situation.place)
    edits = [Edit(place, old.source, new) for place, old, new in zip(places, sources, answer.sources)]
    return Fix(
        id=new_id(),
        steps=tuple(edit for edit in edits if edit.source != edit.expected),
        explanation=answer.reason,
        provider=settings.model or reply.model,
        usage=_usage(reply, settings),
    )


def _usage(reply: Reply, settings: Settings) -> Usage:
    return Usage(reply.model, reply.input_tokens, reply.output_tokens, reply.seconds, cost(reply, settings))
