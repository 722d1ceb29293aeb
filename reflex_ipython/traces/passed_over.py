"""Which calls a hook tells nothing of: libraries', and those of functions of which a recorder has enough.

A hook asks at every call there is, so asking is one look into a dict and one call of what stands there, which C does.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from types import CodeType

from reflex_ipython.traces.own_code import is_own

_of_a_library: Callable[[], object] = int  # gives 0
_to_be_told: Callable[[], object] = [].clear  # gives None: a function of Python's own would take twice as long


class PassedOver:
    """What is known of the functions that were called."""

    def __init__(self) -> None:
        self.ask: dict[int, Callable[[], object]] = {}
        """By the id of a function's code: to be called once at each call.

        It gives None for one that is to be told of, 0 for a library's, another number for one that was counted by that.
        """
        self._codes: list[CodeType] = []
        """Those that stand there: another code must not get the id of one."""
        self.counted: dict[int, int] = {}
        """The functions whose calls are counted, and how many more than were called the counter of each has by now."""

    def meet(self, code: CodeType) -> object:
        """The answer for a code that does not stand there yet."""
        self._codes.append(code)
        answer = self.ask[id(code)] = _to_be_told if is_own(code) else _of_a_library
        return answer()

    def count(self, code: CodeType) -> None:
        """Tell nothing more of a function's calls, but count them."""
        self._codes.append(code)
        self.counted[id(code)] = 1
        self.ask[id(code)] = itertools.count(1).__next__

    def counts(self) -> dict[int, int]:
        """How many calls each of these functions had since."""
        return {key: self.count_of(key) for key in list(self.counted)}

    def count_of(self, key: int) -> int:
        """The same of one of them."""
        found = self.ask[key]()
        assert isinstance(found, int)
        count = found - self.counted[key]
        self.counted[key] += 1
        return count

    def one_less(self, key: int) -> None:
        """One that was counted is recorded after all."""
        self.counted[key] += 1
