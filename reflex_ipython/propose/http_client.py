"""The HTTP client under an SDK: each exchange stays with the server that was chosen, and can be made to end.

OpenAI's SDK and Anthropic's come out of one workshop: both bring an HTTP client of one family, with the same hooks.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

from reflex_ipython.propose.address import Address
from reflex_ipython.propose.bounded_body import ask_for_plain_bytes, bound
from reflex_ipython.propose.redirects import stay_there, without_foreign_headers
from reflex_ipython.propose.transport import HangUp

CONNECT_TIMEOUT = 5.0
"""Seconds until a server that takes no connection counts as not there."""


def client_options(sdk: ModuleType, where: Address, timeout: float, line: HangUp) -> dict[str, Any]:
    """What a client of the SDK is made with, besides its address and key.

    Parameters
    ----------
    sdk : module
        `openai` or `anthropic`.
    where : Address
    timeout : float
        Seconds that the server may send nothing.
    line : HangUp
        Is told of the connections.
    """
    patience = sdk.Timeout(timeout, connect=min(CONNECT_TIMEOUT, timeout))
    # A proxy is for the world outside, not for this machine.
    http = sdk.DefaultHttpxClient(trust_env=not where.local, timeout=patience, event_hooks=_hooks(line, where))
    # The SDK sleeps between its retries, and nothing can wake it.
    return {"timeout": patience, "max_retries": 0, "http_client": http}


def _hooks(line: HangUp, where: Address) -> dict[str, list[Callable[..., None]]]:
    own = [] if where.of_environment else [functools.partial(without_foreign_headers, key=where.key or "")]
    return {"request": [*own, line.watch, ask_for_plain_bytes], "response": [stay_there, bound]}
