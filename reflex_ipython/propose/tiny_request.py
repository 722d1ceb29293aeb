"""One tiny request to a model, to see whether it answers. Nothing of the user's is in it."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.address import address
from reflex_ipython.propose.chat import stream_chat
from reflex_ipython.propose.openai_chat import load
from reflex_ipython.propose.servers import list_models
from reflex_ipython.settings import Settings

QUESTION = "Answer with one word: ready"
PATIENCE = 60.0
"""Seconds in all: a server that has to load the model first may take most of a minute."""
_NAMED = 8
"""Models that are named at most, where the one that was asked for is not there."""


def time_to_answer(
    settings: Settings,
    ended: threading.Event,
    *,
    patience: float = PATIENCE,
    clock: Callable[[], float] = time.monotonic,
) -> float | None:
    """Ask the model that the settings name one short question, and hang up as soon as it begins to answer.

    Parameters
    ----------
    settings : Settings
        Which model, where, with which key.
    ended : threading.Event
        Ends the request when it is set; set as well once the model has answered.
    patience : float
        Seconds that it may take at most.
    clock : callable
        Gives seconds.

    Returns
    -------
    float or None
        Seconds until it began to answer. None: it was ended before.

    Raises
    ------
    ModelError
        Why it does not answer, in words for the user.
    """
    bounded = dataclasses.replace(
        settings,
        answers="blocks",
        timeout=min(settings.timeout, patience),
        total_timeout=min(settings.total_timeout, patience),
    )
    load()
    started, answered = clock(), []

    def first(text: str) -> None:
        answered.append(clock() - started)
        ended.set()

    try:
        reply = stream_chat(
            [{"role": "user", "content": QUESTION}], bounded, cancelled=ended, on_text=first, clock=clock
        )
    except ModelError as error:
        raise ModelError(_why(error, bounded), error.code, error.retry_after) from None
    if answered:
        return answered[0]
    return None if reply is None else reply.seconds  # it may think, and then say nothing


def _why(error: ModelError, settings: Settings) -> str:
    """In words for who is choosing a model: they look at its name, its address and the key's variable."""
    where = address(settings)
    if error.code == "no-key":
        free = f"If {where.host} needs no key, set it to any word."
        return f"{where.key_variable} is not set in the kernel's environment. {free}"
    if error.code == "no-such-model" and where.local:
        names = list_models(where.base_url)
        has = f"It has: {', '.join(names[:_NAMED])}{', …' if len(names) > _NAMED else '.'}" if names else "It has none."
        return f"The server at {where.host} has no model {settings.model}. {has}"
    return str(error)
