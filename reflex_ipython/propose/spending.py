"""What the questions of a session have cost, and where that ends."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.address import Address
from reflex_ipython.propose.transport import Message
from reflex_ipython.settings import Settings

if TYPE_CHECKING:
    from reflex_ipython.propose.chat import Reply

_CHARACTERS = 4
"""Of a token, about, where a server does not count them."""


class Spending:
    """Adds up, on any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._questions = self._tokens = 0
        self._dollars = 0.0
        self._guessed = False

    def require(self, settings: Settings, where: Address) -> None:
        """Go on if there is something left.

        Raises
        ------
        ModelError
            That it is used up, or that dollars can't be counted, and what to do.
        """
        most, dollars = settings.budget_tokens, settings.budget_dollars
        if most is not None and self._tokens >= most:
            about = "about " if self._guessed else ""
            raise _used_up(f"{about}{self._tokens:,} of {most:,} tokens", "budget_tokens")
        if dollars is not None and self._dollars >= dollars:
            raise _used_up(f"${self._dollars:.4f} of ${dollars:g}", "budget_dollars")
        if dollars is not None and not where.local and not where.preset.says_cost and _prices(settings) is None:
            raise ModelError(
                f"Nothing was asked: Reflex.budget_dollars is set, and what {where.host} charges is not known. Set "
                "Reflex.input_price and Reflex.output_price, or set Reflex.budget_tokens instead.",
                "budget",
            )

    def answered(self, reply: Reply, messages: Sequence[Message], settings: Settings) -> None:
        """Count an answer."""
        known = reply.input_tokens is not None and reply.output_tokens is not None
        tokens = (reply.input_tokens or 0) + (reply.output_tokens or 0) if known else _about(messages, len(reply.text))
        self._add(tokens, cost(reply, settings) or 0.0, guessed=not known)

    def broken_off(self, messages: Sequence[Message], length: int, settings: Settings) -> None:
        """Count a question whose answer was not heard to its end: servers charge for that as well.

        Parameters
        ----------
        messages : sequence of Message
        length : int
            Characters that came.
        settings : Settings
        """
        read, written = _about(messages, 0), length // _CHARACTERS
        prices = _prices(settings) or (0.0, 0.0)
        self._add(read + written, (read * prices[0] + written * prices[1]) / 1_000_000, guessed=True)

    def __str__(self) -> str:
        """In words; empty while nothing was asked."""
        if not self._questions:
            return ""
        questions = "1 question" if self._questions == 1 else f"{self._questions} questions"
        dollars = f", ${self._dollars:.4f}" if self._dollars else ""
        return f"{questions}, {'about ' if self._guessed else ''}{self._tokens:,} tokens{dollars}"

    def _add(self, tokens: int, dollars: float, *, guessed: bool) -> None:
        with self._lock:
            self._questions += 1
            self._tokens += tokens
            self._dollars += dollars
            self._guessed = self._guessed or guessed


def cost(reply: Reply, settings: Settings) -> float | None:
    """US dollars: what the server says, else by the tokens where they and their prices are known."""
    prices = _prices(settings)
    if reply.cost is not None:
        return reply.cost
    if prices is None or reply.input_tokens is None or reply.output_tokens is None:
        return None
    return (reply.input_tokens * prices[0] + reply.output_tokens * prices[1]) / 1_000_000


def _prices(settings: Settings) -> tuple[float, float] | None:
    if settings.input_price is None or settings.output_price is None:
        return None
    return settings.input_price, settings.output_price


def _about(messages: Sequence[Message], length: int) -> int:
    return (sum(len(message["content"]) for message in messages) + length) // _CHARACTERS


def _used_up(what: str, name: str) -> ModelError:
    return ModelError(
        f"The budget of this session is used up: {what}. No model is asked any more. To go on, raise Reflex.{name}.",
        "budget",
    )
