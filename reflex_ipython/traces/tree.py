"""A trace as a tree: each call with those that it made, those that failed marked, and what repeats itself folded."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from reflex_ipython.traces.recorded import Call, Trace, TracedFunction

_SIBLINGS = 6
"""So many calls of one function below the same call are shown, with those that failed; the rest is counted."""
_MOST = 400  # calls that are shown at all


@dataclasses.dataclass(frozen=True)
class Branch:
    """One call, with what it made.

    Parameters
    ----------
    call : Call
    function : TracedFunction
    branches : tuple of Branch or Folded
    is_failing : bool
        Whether the exception that left it left all calls above it as well.
    """

    call: Call
    function: TracedFunction
    branches: tuple[Branch | Folded, ...]
    is_failing: bool


@dataclasses.dataclass(frozen=True)
class Folded:
    """Calls that are not shown.

    Parameters
    ----------
    name : str
        The function's name; empty: of several.
    count : int
        With the calls below them.
    seconds : float
        That they took, in all.
    """

    name: str
    count: int
    seconds: float


def tree(trace: Trace) -> tuple[Branch | Folded, ...]:
    """The calls at the top, each with those below."""
    return _Tree(trace).branches(None, failing=True)


class _Tree:
    def __init__(self, trace: Trace) -> None:
        self._functions = {one.id: one for one in trace.functions}
        self._left = _MOST
        self._below: dict[int | None, list[Call]] = {}
        known = {call.id for call in trace.calls}
        for call in trace.calls:
            self._below.setdefault(call.parent if call.parent in known else None, []).append(call)

    def branches(self, parent: int | None, *, failing: bool) -> tuple[Branch | Folded, ...]:
        """What is below a call, in order."""
        calls = self._below.get(parent, [])
        last = calls[-1].id if calls else None
        shown: list[Branch | Folded] = []
        folded: dict[int, list[Call]] = {}
        seen: dict[int, int] = {}
        for call in calls:
            seen[call.function] = seen.get(call.function, 0) + 1
            if self._left <= 0 or (seen[call.function] > _SIBLINGS and call.exception is None):
                folded.setdefault(call.function, []).append(call)
                continue
            self._left -= 1
            fails = failing and call.exception is not None and (parent is not None or call.id == last)
            below = self.branches(call.id, failing=fails)
            shown.append(Branch(call, self._functions[call.function], below, fails))
        return (*shown, *(self._folded(number, calls) for number, calls in folded.items()))

    def _folded(self, function: int, calls: list[Call]) -> Folded:
        count = sum(1 for call in calls for _ in self._all(call))
        return Folded(self._functions[function].name, count, sum(call.duration or 0.0 for call in calls))

    def _all(self, call: Call) -> Iterator[Call]:
        waiting = [call]
        while waiting:
            found = waiting.pop()
            yield found
            waiting += self._below.get(found.id, ())
