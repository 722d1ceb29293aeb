"""Which recorded requests of the network a call may have made, and which environment variables it read."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from reflex_ipython.testwriting.network_mocks import MOCKS
from reflex_ipython.traces.recorded import Call, NetworkExchange, Trace

MOST = 50
_NOISE = frozenset(("connection", "content-length", "date", "keep-alive", "server", "set-cookie", "transfer-encoding"))
"""Headers that say how an answer came, or when: those are played back that the called functions name."""
_PACKAGES = {"requests": ("requests",), "urllib3": ("urllib3",), "httpx": ("httpx", "httpcore")}


def asked_in(trace: Trace, call: Call) -> list[dict[str, Any]]:
    """Those that were made while a call lasted, as plain data, in the order in which they are tried.

    First those that were made beneath it; tasks and threads that it started may have made the others.
    """
    end = call.start + (call.duration or 0.0)
    found = [one for one in trace.network if call.start <= one.start <= end and one.library in MOCKS]
    is_beneath = _beneath(trace, call)
    found.sort(key=lambda one: not is_beneath(one.call))
    called = {one.function for one in trace.calls if is_beneath(one.id)}
    source = "\n".join(one.source for one in trace.functions if one.id in called).lower()
    return [dataclasses.asdict(_without_noise(one, source)) for one in found[:MOST]]


def got_cookies(trace: Trace, call: Call) -> bool:
    """Whether a call, or what it called, got cookies of the network: a trace keeps no more of them than that."""
    is_beneath = _beneath(trace, call)
    names = (name.lower() for one in trace.network if is_beneath(one.call) for name, _ in one.response.headers)
    return "set-cookie" in names


def read_in(trace: Trace, call: Call) -> list[dict[str, Any]]:
    """The environment variables that a call read, and those that it called, as plain data."""
    is_beneath = _beneath(trace, call)
    return [dataclasses.asdict(one) for one in trace.environment if is_beneath(one.call)]


def _beneath(trace: Trace, call: Call) -> Callable[[int | None], bool]:
    """Tells of the number of a call whether it is this one, or was made by it."""
    parents = {one.id: one.parent for one in trace.calls}

    def is_beneath(number: int | None) -> bool:
        while number is not None and number != call.id:
            number = parents.get(number)
        return number is not None

    return is_beneath


def _without_noise(one: NetworkExchange, source: str) -> NetworkExchange:
    headers = one.response.headers
    named = {name for name in _NOISE if f'"{name}"' in source or f"'{name}'" in source}
    kept = tuple((name, value) for name, value in headers if name.lower() not in _NOISE - named)
    return dataclasses.replace(one, response=dataclasses.replace(one.response, headers=kept))


def packages(trace: Trace) -> list[str]:
    """What has to be installed to ask the network as is recorded."""
    names = dict.fromkeys(one.library.partition(" ")[0] for one in trace.network)
    return [package for name in names for package in _PACKAGES.get(name, ())]
