"""A conversation with a model: asked again while its answers hold no fix, as further turns of the same chat."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import TypeVar

from reflex_ipython.errors import ModelError
from reflex_ipython.models import Cause, CellSource, Exchange, Failure, Fix, Trial, Usage, Wish, new_id
from reflex_ipython.propose.address import address
from reflex_ipython.propose.answer_agreement import AnswerAgreement
from reflex_ipython.propose.answer_end import DONE, TOO_LONG, end_of
from reflex_ipython.propose.answer_form import form_of
from reflex_ipython.propose.answered import NeedsMore, Proposed, answered
from reflex_ipython.propose.asking import Asking
from reflex_ipython.propose.chat import Reply
from reflex_ipython.propose.extract import Unusable
from reflex_ipython.propose.prompt import BUDGET, LOCAL_BUDGET, SMALL_BUDGET, build_question, size
from reflex_ipython.propose.review import read_review, review_messages
from reflex_ipython.propose.servers import find_local_servers, list_models, suggestion
from reflex_ipython.propose.spending import cost
from reflex_ipython.propose.structured_answer import MALFORMED
from reflex_ipython.propose.turns import Message, unusable
from reflex_ipython.protocols import Request, Review
from reflex_ipython.settings import Settings

_Number = TypeVar("_Number", int, float)

SAME_CODE = "The model wrote the same code again, so it was not asked once more. Say it in other words, or give a hint."
_HOT = 0.8
"""The temperature at which a model that repeats itself is asked once more."""
NO_JSON = "The model's answer is not the JSON that was asked for."
_COMPLETE = ("stop", "eos", "end_turn", "eos_token", DONE)
_CUT = {
    "length": " Reflex.max_tokens limits how much it may write.",
    TOO_LONG: " It had become far longer than this cell could need, so it was stopped.",
}


def budget(settings: Settings) -> int:
    """How many characters a question to that model may have."""
    return LOCAL_BUDGET if address(settings).local else BUDGET


def with_servers(sentence: str) -> str:
    """The sentence, and which servers were found on this machine."""
    return f"{sentence} {suggestion(find_local_servers())}".rstrip()


class Conversation:
    """One question, which goes on while the answers hold no fix.

    Parameters
    ----------
    cause : Failure or Wish
    request : Request
    settings : Settings
    asking : Asking
    agreement : AnswerAgreement
        Says in which form the model is to answer.
    """

    def __init__(
        self, cause: Cause, request: Request, settings: Settings, asking: Asking, agreement: AnswerAgreement
    ) -> None:
        self._cause = cause
        self._request = request
        self._settings = settings
        self._asking = asking
        self._agreement = agreement
        self._said: list[Message] = []  # answers without a fix, and what was wrong with each
        self._replies: list[Reply] = []
        self._heated = False
        self._question = ""
        self._shown: tuple[CellSource, ...] = ()

    def fixes(self) -> Iterator[Fix]:
        """The fixes of the first answer that has some: several where the model leaves it to the user.

        Raises
        ------
        ModelError
            If the model can't be asked, was asked often enough, or says what it lacks.
        """
        settings = self._settings
        while True:
            reply = self._ask(settings)
            if reply is None:
                return
            self._replies.append(reply)
            found = self._found(reply)
            if not isinstance(found, Unusable):
                yield from (self._fix(one) for one in found)
                return
            if isinstance(found, NeedsMore):
                raise ModelError(found.problem, "needs-more")
            if found.repeats and isinstance(self._cause, Wish):
                raise ModelError(SAME_CODE, "bad-reply")
            if not found.again or not self._request.ask_again(found.problem):
                cut = _CUT.get(reply.finish_reason, "")
                raise ModelError(f"{found.problem}{cut} Ask again with a hint, or choose another model.", "bad-reply")
            form = form_of(self._agreement.agreed(settings))
            self._said += unusable(reply.text, _to_the_model(found, self._cause), form)
            settings = self._hotter() if found.repeats else self._settings

    def _found(self, reply: Reply) -> tuple[Proposed, ...] | Unusable:
        complete = reply.finish_reason in _COMPLETE
        attempts = self._request.attempts
        found = answered(self._cause, reply.text, attempts=attempts, shown=self._shown, complete=complete)
        return Unusable(NO_JSON) if isinstance(found, Unusable) and reply.finish_reason == MALFORMED else found

    def _fix(self, proposed: Proposed) -> Fix:
        return Fix(
            id=new_id(),
            steps=proposed.steps,
            explanation=proposed.reason,
            provider=self._settings.model or self._replies[-1].model,
            usage=_usage(self._replies, self._settings),
            prior=proposed.prior,
            exchange=Exchange(self._question, self._replies[-1].text, self._replies[-1].thinking),
        )

    def _hotter(self) -> Settings:
        """The settings for a model that repeats itself: hotter, once, where it is known to take a temperature."""
        cold = self._settings.temperature is not None or address(self._settings).local
        if self._heated or not cold or (self._settings.temperature or 0) >= _HOT:
            return self._settings
        self._heated = True
        return dataclasses.replace(self._settings, temperature=_HOT)

    def _ask(self, settings: Settings) -> Reply | None:
        """The model's reply, in blocks if it takes no schema; None when cancelled."""
        agreed = self._agreement.agreed(settings)
        try:
            return self._ask_agreed(agreed)
        except ModelError as error:
            if error.code != "no-schema":
                raise
            self._agreement.refused(agreed)
            return self._ask_agreed(self._agreement.agreed(settings))

    def _ask_agreed(self, settings: Settings) -> Reply | None:
        """The model's reply, to a smaller question if the first is too long for it; None when cancelled."""
        local = address(settings).local
        try:
            try:
                return self._ask_within(budget(settings), settings)
            except ModelError as error:
                if error.code != "too-long":
                    raise
                return self._ask_within(SMALL_BUDGET, settings)
        except ModelError as error:
            if error.code == "no-key":
                raise ModelError(with_servers(str(error)), error.code) from None
            if error.code == "no-such-model" and local:
                names = list_models(address(settings).base_url)
                raise ModelError(f"{error} It has: {', '.join(names[:8]) or 'none'}.", error.code) from None
            raise

    def _ask_within(self, characters: int, settings: Settings) -> Reply | None:
        request = self._request
        left = characters - size(self._said)
        asked = build_question(self._cause, request.hint, request.attempts, budget=left, form=form_of(settings))
        messages, self._shown = [*asked.messages, *self._said], asked.shown
        end = end_of(self._cause, self._shown, early=address(settings).local and settings.output_price is None)
        self._question = _written(messages)
        reply = self._asking.ask(messages, settings, request, end.enough)
        return dataclasses.replace(reply, finish_reason=end.reason) if reply is not None and end.reason else reply


def _written(messages: Sequence[Message]) -> str:
    """The messages as one text."""
    return "\n\n".join(f"[{message['role']}]\n{message['content']}" for message in messages)


def reviewed(wish: Wish, fix: Fix, trial: Trial, request: Request, settings: Settings, asking: Asking) -> Review | None:
    """Ask once whether code that ran does what was asked for."""
    plainly = dataclasses.replace(settings, answers="blocks")  # one line, which no schema describes
    reply = asking.ask(review_messages(wish, fix, trial), plainly, request)
    found = None if reply is None else read_review(reply.text)
    if reply is None or found is None:
        return None
    return Review(*found, _usage([reply], settings))


def _to_the_model(found: Unusable, cause: Cause) -> str:
    """A sentence about the model, said to it; of what it repeats, what that comes to."""
    if found.came:
        return f"You repeat an earlier repair. {found.came}"
    if found.repeats and isinstance(cause, Failure):
        return "You repeat what fails. Change the code so that the error can't come up again."
    return found.problem.replace("The model's answer", "Your answer").replace("The model", "You")


def _usage(replies: Sequence[Reply], settings: Settings) -> Usage:
    """What it took to ask so often."""
    last = replies[-1]
    return Usage(
        last.model,
        _sum([reply.input_tokens for reply in replies]),
        _sum([reply.output_tokens for reply in replies]),
        round(sum(reply.seconds for reply in replies), 3),
        _sum([cost(reply, settings) for reply in replies]),
    )


def _sum(counts: Sequence[_Number | None]) -> _Number | None:
    """All together; None if one is not known."""
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
