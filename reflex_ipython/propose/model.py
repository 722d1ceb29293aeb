"""A language model as a provider of fixes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence

from reflex_ipython.errors import ModelError
from reflex_ipython.models import Cause, Edit, Failure, Fix, Target, Usage, new_id
from reflex_ipython.propose.address import address
from reflex_ipython.propose.chat import Reply, stream_chat, would_send
from reflex_ipython.propose.extract import Answer, Unusable, extract
from reflex_ipython.propose.home import sources_in_question
from reflex_ipython.propose.magics import parses, syntax_error
from reflex_ipython.propose.prompt import BUDGET, LOCAL_BUDGET, SMALL_BUDGET, build_messages, size
from reflex_ipython.propose.servers import find_local_servers, list_models, suggestion
from reflex_ipython.propose.turns import OF_RULES, Message, unusable
from reflex_ipython.protocols import Attempt, Context, Outgoing, Request, Where
from reflex_ipython.settings import Settings

_HOT = 0.8
"""The temperature at which a model that repeats itself is asked once more."""
_COMPLETE = ("stop", "eos", "end_turn", "eos_token")


class ModelProvider:
    """Asks the model that the settings name, over the OpenAI API. Each call gives one fix at most.

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
        chat = _Chat(cause, request, settings, self._clock)
        fix = chat.fix()
        if fix is not None:
            yield fix

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


class _Chat:
    """One question, which goes on while the answers hold no fix.

    Parameters
    ----------
    cause : Failure or Wish
    request : Request
    settings : Settings
    clock : callable
    """

    def __init__(self, cause: Cause, request: Request, settings: Settings, clock: Callable[[], float]) -> None:
        self._cause = cause
        self._request = request
        self._settings = settings
        self._clock = clock
        self._said: list[Message] = []  # answers without a fix, and what was wrong with each
        self._replies: list[Reply] = []
        self._heated = False

    def fix(self) -> Fix | None:
        """The first answer that is one; None when cancelled.

        Raises
        ------
        ModelError
            If the model can't be asked, or was asked often enough.
        """
        settings = self._settings
        while True:
            reply = self._ask(settings)
            if reply is None:
                return None
            self._replies.append(reply)
            found = _read(self._cause, reply, self._request.attempts)
            if not isinstance(found, Unusable):
                return Fix(
                    id=new_id(),
                    steps=found.steps,
                    explanation=found.reason,
                    provider=settings.model or reply.model,
                    usage=_usage(self._replies, settings),
                )
            if not found.again or not self._request.ask_again(found.problem):
                cut = " Reflex.max_tokens limits how much it may write." if reply.finish_reason == "length" else ""
                advice = "Ask again with a hint, or choose another model."
                raise ModelError(f"{found.problem}{cut} {advice}", "bad-reply")
            self._said += unusable(reply.text, _to_the_model(found, self._cause))
            settings = self._hotter() if found.repeats else self._settings

    def _hotter(self) -> Settings:
        """The settings for a model that repeats itself: hotter, once, where it is known to take a temperature."""
        cold = self._settings.temperature is not None or address(self._settings).local
        if self._heated or not cold or (self._settings.temperature or 0) >= _HOT:
            return self._settings
        self._heated = True
        return dataclasses.replace(self._settings, temperature=_HOT)

    def _ask(self, settings: Settings) -> Reply | None:
        """The model's reply, to a smaller question if the first is too long for it; None when cancelled."""
        local = address(settings).local
        try:
            try:
                return self._ask_within(_budget(settings), settings)
            except ModelError as error:
                if error.code != "too-long":
                    raise
                return self._ask_within(SMALL_BUDGET, settings)
        except ModelError as error:
            if error.code == "no-key":
                raise ModelError(_with_servers(str(error)), error.code) from None
            if error.code == "no-such-model" and local:
                names = list_models(address(settings).base_url)
                raise ModelError(f"{error} It has: {', '.join(names[:8]) or 'none'}.", error.code) from None
            raise

    def _ask_within(self, budget: int, settings: Settings) -> Reply | None:
        request = self._request
        messages = build_messages(self._cause, request.hint, request.attempts, budget=budget - size(self._said))
        return stream_chat(
            [*messages, *self._said],
            settings,
            cancelled=request.cancelled,
            on_text=request.on_text,
            clock=self._clock,
        )


def _with_servers(sentence: str) -> str:
    return f"{sentence} {suggestion(find_local_servers())}".rstrip()


@dataclasses.dataclass(frozen=True)
class _Found:
    """The steps of an answer, and its reason."""

    steps: tuple[Edit, ...]
    reason: str


def _read(cause: Cause, reply: Reply, attempts: Sequence[Attempt]) -> _Found | Unusable:
    """What an answer proposes, if it is something new that parses."""
    sources = sources_in_question(cause)
    answer = extract(reply.text, sources, complete=reply.finish_reason in _COMPLETE)
    if not isinstance(answer, Answer):
        return answer
    places = (*(earlier.cell for earlier in sources[:-1]), cause.situation.place)
    edits = (Edit(place, old.source, new) for place, old, new in zip(places, sources, answer.sources))
    steps = tuple(edit for edit in edits if edit.source != edit.expected)
    wrong = next((edit.source for edit in steps if not parses(edit.source)), None)
    if wrong is not None:
        why = syntax_error(wrong)
        return Unusable(f"The model's answer is not valid Python{f': {why}' * bool(why)}.")
    if any(_is_repeated(steps, attempt) for attempt in attempts):
        return Unusable("The model answered with what was tried before.", repeats=True)
    return _Found(steps, answer.reason)


def _is_repeated(steps: Sequence[Edit], attempt: Attempt) -> bool:
    """Whether it is that attempt again. One of the rules that ran, or was not tried, may be chosen."""
    if attempt.fix.provider == OF_RULES and attempt.verdict.outcome in ("passed", "not_tried"):
        return False
    return _bare(steps) == _bare(edit for edit in attempt.fix.edits if edit.source != edit.expected)


def _bare(edits: Iterable[Edit]) -> list[tuple[Target, str]]:
    return [(edit.target, edit.source.strip()) for edit in edits]


def _to_the_model(found: Unusable, cause: Cause) -> str:
    """A sentence about the model, said to it; of what it repeats, what that comes to."""
    if found.repeats and isinstance(cause, Failure):
        return "You repeat what fails. Change the code so that the error can't come up again."
    return found.problem.replace("The model's answer", "Your answer").replace("The model", "You")


def _usage(replies: Sequence[Reply], settings: Settings) -> Usage:
    """What it took to ask so often."""
    last = replies[-1]
    tokens_in, tokens_out = (
        _sum([reply.input_tokens for reply in replies]),
        _sum([reply.output_tokens for reply in replies]),
    )
    whole = dataclasses.replace(last, input_tokens=tokens_in, output_tokens=tokens_out)
    seconds = round(sum(reply.seconds for reply in replies), 3)
    return Usage(last.model, tokens_in, tokens_out, seconds, _cost(whole, settings))


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _cost(reply: Reply, settings: Settings) -> float | None:
    """US dollars, where the tokens and their prices are known."""
    if reply.input_tokens is None or reply.output_tokens is None:
        return None
    if settings.input_price is None or settings.output_price is None:
        return None
    return (reply.input_tokens * settings.input_price + reply.output_tokens * settings.output_price) / 1_000_000
