"""`%reflex model --test`: one tiny request, while the cell waits; Ctrl-C ends it."""

from __future__ import annotations

import threading

from reflex_ipython.present.model_words import answered
from reflex_ipython.propose.address import address
from reflex_ipython.propose.tiny_request import time_to_answer
from reflex_ipython.settings import Settings


def tested(settings: Settings) -> str:
    """That the model answers, in a sentence.

    Raises
    ------
    ModelError
        Why it does not.
    """
    ended = threading.Event()
    try:
        seconds = time_to_answer(settings, ended)
    finally:
        ended.set()
    return answered(str(settings.model), address(settings).shown, seconds or 0.0)
