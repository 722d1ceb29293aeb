"""What a function that heals costs where it does not fail."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import reflex_ipython

CALLS = 200_000
ROUNDS = 9


def plain(number: int) -> int:
    """As it is."""
    return number


def other(number: int) -> int:
    """The same, to be healed."""
    return number


def main() -> None:
    """By turns: seconds a call of each, and what the difference is."""
    healed = reflex_ipython.heal("bench", policy="never")(other)
    times = [(_seconds(plain), _seconds(healed)) for _ in range(ROUNDS)]
    without, with_us = (statistics.median(column) for column in zip(*times))
    cost = statistics.median(b - a for a, b in times)
    print(f"a call: plain {without * 1e6:.2f} us, healed {with_us * 1e6:.2f} us, so it costs {cost * 1e6:.2f} us")


def _seconds(function: Callable[[int], int]) -> float:
    begin = time.perf_counter()
    for number in range(CALLS):
        function(number)
    return (time.perf_counter() - begin) / CALLS
