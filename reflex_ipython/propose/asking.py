"""Asking with all that goes with it: consent before, patience with a busy server, and a budget."""

from __future__ import annotations

import dataclasses
import itertools
import time
from collections.abc import Callable, Sequence

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.address import address
from reflex_ipython.propose.chat import Reply, stream_chat
from reflex_ipython.propose.consent import Consent
from reflex_ipython.propose.refusal import in_words
from reflex_ipython.propose.spending import Spending
from reflex_ipython.propose.transport import Message, Transport
from reflex_ipython.protocols import Request
from reflex_ipython.settings import Settings

SHORTEST_WAIT = 0.05
"""Seconds, doubled each time: a server that says "at once" for ever is not asked for ever."""


class Asking:
    """Asks for one session.

    Parameters
    ----------
    consent : Consent
    spending : Spending
    clock : callable
        Gives seconds, for how long an answer took.
    transport : Transport or None
        How to reach the model. None: as its server speaks.
    """

    def __init__(
        self,
        consent: Consent,
        spending: Spending,
        clock: Callable[[], float] = time.monotonic,
        transport: Transport | None = None,
    ) -> None:
        self.consent = consent
        self.spending = spending
        self._clock = clock
        self._transport = transport

    def ask(
        self,
        messages: Sequence[Message],
        settings: Settings,
        request: Request,
        enough: Callable[[str], bool] = lambda text: False,
    ) -> Reply | None:
        """The model's reply; None when cancelled. A server that says when to come back is asked again then.

        All of it takes `total_timeout` at most: who would have to wait for longer is told so at once. `enough` is given
        each piece of text, and says whether the rest is not waited for.

        Raises
        ------
        ModelError
            In words for the user.
        """
        where = address(settings)
        if where.key is not None:  # else nothing can be sent, which is said first
            self.consent.require(settings, where)
        end = time.monotonic() + settings.total_timeout
        refusal: ModelError | None = None
        for number in itertools.count():
            self.spending.require(settings, where)
            try:
                return self._once(messages, settings, request, enough)
            except ModelError as error:
                if error.retry_after is None:
                    if refusal is not None and error.code in ("timeout", "no-connection"):  # in the time that was left
                        raise refusal from None
                    raise
                refusal = error
                wait = max(error.retry_after, SHORTEST_WAIT * 2**number)
                left = round(end - time.monotonic() - wait, 1)
                if left <= 0:
                    raise
            request.on_wait(f"{where.host} asks to wait {in_words(wait)}")
            if request.cancelled.wait(wait):
                return None
            request.on_wait("")
            settings = dataclasses.replace(settings, total_timeout=left)
        raise AssertionError("endless")

    def _once(
        self, messages: Sequence[Message], settings: Settings, request: Request, enough: Callable[[str], bool]
    ) -> Reply | None:
        length, reply = 0, None

        def on_text(text: str) -> None:
            nonlocal length
            length += len(text)
            request.on_text(text)

        try:
            reply = stream_chat(
                messages,
                settings,
                cancelled=request.cancelled,
                on_text=on_text,
                clock=self._clock,
                enough=enough,
                transport=self._transport,
            )
        finally:
            if reply is not None:
                self.spending.answered(reply, messages, settings)
            elif length or request.cancelled.is_set():
                self.spending.broken_off(messages, length, settings)
        return reply
