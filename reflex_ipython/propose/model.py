"""A language model as a provider of fixes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

from reflex_ipython.errors import ModelError
from reflex_ipython.models import Cause, Fix, Usage, new_id
from reflex_ipython.propose.address import address
from reflex_ipython.propose.answer_end import DONE, TOO_LONG, end_of
from reflex_ipython.propose.answered import NeedsMore, answered
from reflex_ipython.propose.chat import Reply, stream_chat, would_send
from reflex_ipython.propose.extract import Unusable
from reflex_ipython.propose.prompt import BUDGET, LOCAL_BUDGET, SMALL_BUDGET, build_messages
from reflex_ipython.propose.servers import find_local_servers, list_models, suggestion
from reflex_ipython.protocols import Context, Outgoing, Request, Where
from reflex_ipython.settings import Settings

_COMPLETE = ("stop", "eos", "end_turn", "eos_token", DONE)
_CUT = {
    "length": " Reflex.max_tokens limits how much it may write.",
    TOO_LONG: " It had become far longer than this cell could need, so it was stopped.",
}


class ModelProvider:
    """Asks the model that the settings name, over the OpenAI API. Each call gives one fix at most, or those between
    which the model has the user decide.

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
        """Yield the model's fix.

        Raises
        ------
        ModelError
            If no model was chosen or can be asked, or if its answer holds no fix.
        """
        settings = self._settings()
        if not settings.model:
            raise ModelError(_with_servers("No model is chosen: `%reflex model NAME` chooses one."), "no-such-model")
        reply = _ask(cause, request, settings, self._clock)
        if reply is not None:
            yield from _fixes(cause, reply, settings)

    def would_send(self, cause: Cause, request: Request) -> Outgoing:
        """What `propose` would send first, up to the last byte. Nothing is sent.

        Raises
        ------
        ModelError
            If the settings name no address.
        """
        settings = _no_model(self._settings())
        messages = build_messages(cause, request.hint, request.attempts, budget=_budget(settings))
        return would_send(messages, settings)


def _no_model(settings: Settings) -> Settings:
    return settings if settings.model else dataclasses.replace(settings, model="(none is chosen)")


def _budget(settings: Settings) -> int:
    return LOCAL_BUDGET if address(settings).local else BUDGET


def _ask(cause: Cause, request: Request, settings: Settings, clock: Callable[[], float]) -> Reply | None:
    """The model's reply, to a smaller question if the first is too long for it; None when cancelled."""
    local = address(settings).local
    try:
        try:
            return _ask_within(_budget(settings), cause, request, settings, clock)
        except ModelError as error:
            if error.code != "too-long":
                raise
            return _ask_within(SMALL_BUDGET, cause, request, settings, clock)
    except ModelError as error:
        if error.code == "no-key":
            raise ModelError(_with_servers(str(error)), error.code) from None
        if error.code == "no-such-model" and local:
            names = list_models(address(settings).base_url)
            raise ModelError(f"{error} It has: {', '.join(names[:8]) or 'none'}.", error.code) from None
        raise


def _ask_within(
    budget: int, cause: Cause, request: Request, settings: Settings, clock: Callable[[], float]
) -> Reply | None:
    messages = build_messages(cause, request.hint, request.attempts, budget=budget)
    end = end_of(cause, early=address(settings).local and settings.output_price is None)
    reply = stream_chat(
        messages,
        settings,
        cancelled=request.cancelled,
        on_text=request.on_text,
        clock=clock,
        enough=end.enough,
    )
    return dataclasses.replace(reply, finish_reason=end.reason) if reply is not None and end.reason else reply


def _with_servers(sentence: str) -> str:
    return f"{sentence} {suggestion(find_local_servers())}".rstrip()


def _fixes(cause: Cause, reply: Reply, settings: Settings) -> Iterator[Fix]:
    found = answered(cause, reply.text, complete=reply.finish_reason in _COMPLETE)
    if isinstance(found, NeedsMore):
        raise ModelError(found.problem, "needs-more")
    if isinstance(found, Unusable):
        cut = _CUT.get(reply.finish_reason, "")
        raise ModelError(f"{found.problem}{cut} Ask again with a hint, or choose another model.", "bad-reply")
    for one in found:
        yield Fix(
            id=new_id(),
            steps=one.steps,
            explanation=one.reason,
            provider=settings.model or reply.model,
            usage=_usage(reply, settings),
            prior=one.prior,
        )


def _usage(reply: Reply, settings: Settings) -> Usage:
    return Usage(reply.model, reply.input_tokens, reply.output_tokens, reply.seconds, _cost(reply, settings))


def _cost(reply: Reply, settings: Settings) -> float | None:
    """US dollars, where the tokens and their prices are known."""
    if reply.input_tokens is None or reply.output_tokens is None:
        return None
    if settings.input_price is None or settings.output_price is None:
        return None
    return (reply.input_tokens * settings.input_price + reply.output_tokens * settings.output_price) / 1_000_000
