"""The last calls of each function, for as long as somebody may want to make them again."""

from __future__ import annotations

import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence

from reflex_ipython.traces.kept import TraceBounds
from reflex_ipython.traces.opened import Opened
from reflex_ipython.traces.recorder import CallRecorder
from reflex_ipython.traces.thrift import Thrift

CALLS = 20
"""Of each function."""
_FUNCTIONS = 200
_BOUNDS = TraceBounds(each=sys.maxsize, bytes=32_000_000, payload=200_000, depth=200)


class LastCalls:
    """Keeps so many calls of each function, the latest (`recorder.Kept`).

    Parameters
    ----------
    most : int
    """

    def __init__(self, most: int = CALLS) -> None:
        self._most = most
        self._calls: OrderedDict[int, deque[Opened]] = OrderedDict()
        self.dropped: Callable[[Opened], None] = lambda opened: None
        """Told of each call that goes."""

    @property
    def calls(self) -> Sequence[Opened]:
        """All of them, function by function."""
        return [opened for calls in list(self._calls.values()) for opened in list(calls)]

    def add(self, opened: Opened) -> bool:
        """Take one that begins; the oldest of its function goes."""
        calls = self._calls.get(id(opened.code))
        if calls is None:
            calls = self._calls[id(opened.code)] = deque()
            if len(self._calls) > _FUNCTIONS:
                for old in self._calls.popitem(last=False)[1]:
                    self.dropped(old)
        calls.append(opened)
        if len(calls) > self._most:
            self.dropped(calls.popleft())
        return True


def recorder_of_last_calls() -> CallRecorder:
    """A recorder that keeps the last calls, with payloads.

    Of a function that is called more often than that, calls are passed over while there is no time for them.
    """
    kept = LastCalls()
    recorder = CallRecorder(kept, _BOUNDS, values=True, thrift=Thrift(CALLS))
    kept.dropped = recorder.give_back
    return recorder
