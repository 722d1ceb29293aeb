"""Where the calls are that were recorded, and how many there may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from reflex_ipython.traces.opened import Opened


@dataclass(frozen=True)
class TraceBounds:
    """How much one trace may hold.

    Parameters
    ----------
    calls : int
        Calls.
    each : int
        Calls of one function, from the first on: later ones are counted, which costs much less.
    bytes : int
        Of summaries and payloads together.
    payload : int
        Bytes of one payload, before it is made text of.
    depth : int
        Recorded calls above one another.
    """

    calls: int = 10_000
    each: int = 100
    bytes: int = 16_000_000
    payload: int = 1_000_000
    depth: int = 200


class Kept(Protocol):
    """Where the calls are that were recorded."""

    @property
    def calls(self) -> Sequence[Opened]:
        """All that are there."""

    def add(self, opened: Opened) -> bool:
        """Take one that begins; False: there is no room."""


class AllCalls:
    """Keeps calls from the first on, until there are so many.

    Parameters
    ----------
    most : int
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self.calls: list[Opened] = []

    def add(self, opened: Opened) -> bool:
        """Take one that begins; False: there is no room."""
        if len(self.calls) >= self._most:
            return False
        self.calls.append(opened)
        return True
