"""Which recorded requests of the network a call may have made."""

from __future__ import annotations

import dataclasses
from typing import Any

from reflex_ipython.testwriting.network_mocks import MOCKS
from reflex_ipython.traces.recorded import Call, Trace

MOST = 50
_PACKAGES = {"requests": ("requests",), "urllib3": ("urllib3",), "httpx": ("httpx", "httpcore")}


def asked_in(trace: Trace, call: Call) -> list[dict[str, Any]]:
    """Those that were made while a call lasted, as plain data, in the order in which they are tried.

    First those that were made beneath it; tasks and threads that it started may have made the others.
    """
    end = call.start + (call.duration or 0.0)
    found = [one for one in trace.network if call.start <= one.start <= end and one.library in MOCKS]
    parents = {one.id: one.parent for one in trace.calls}

    def is_elsewhere(number: int | None) -> bool:
        while number is not None and number != call.id:
            number = parents.get(number)
        return number is None

    found.sort(key=lambda one: is_elsewhere(one.call))
    return [dataclasses.asdict(one) for one in found[:MOST]]


def packages(trace: Trace) -> list[str]:
    """What has to be installed to ask the network as is recorded."""
    names = dict.fromkeys(one.library.partition(" ")[0] for one in trace.network)
    return [package for name in names for package in _PACKAGES.get(name, ())]
