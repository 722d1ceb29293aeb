"""What recording calls costs, against cProfile in the same run, by turns: processor time, whatever else runs."""

from __future__ import annotations

import cProfile
import itertools
import json
import sys
import textwrap
import time
from collections.abc import Callable
from types import FrameType

import reflex_ipython
from reflex_ipython.traces.hook import record
from reflex_ipython.traces.last_calls import recorder_of_last_calls
from tests.bench.figures import heading, ratio, row

_ROUNDS = 9
_TEXT = "the quick brown fox jumps over the lazy dog " * 8


def increment(number: int) -> int:
    return number + 1


def copied(order: dict[str, object]) -> object:
    return json.loads(json.dumps(order))


def filled(text: str) -> str:
    return textwrap.fill(text, 40)


def _tiny() -> None:
    for number in range(5_000):
        increment(number)


def _many_tiny() -> None:
    for number in range(50_000):
        increment(number)


def _small() -> None:
    for number in range(2_000):
        copied({"items": [number, 2, 3], "name": "x"})


def _medium() -> None:
    for _ in range(500):
        filled(_TEXT)


def _profiled(work: Callable[[], None]) -> None:
    profiler = cProfile.Profile()
    profiler.enable()
    work()
    profiler.disable()


def _traced(work: Callable[[], None]) -> None:
    with reflex_ipython.trace(calls=1_000_000):
        work()


def _nothing(work: Callable[[], None]) -> None:
    """What a tracer costs that is written in Python and does nothing."""
    before = sys.gettrace()
    sys.settrace(lambda frame, event, argument: None)
    work()
    sys.settrace(before)


def _counted(work: Callable[[], None]) -> None:
    """One that counts the calls of each function, and does no more than that."""
    before, counts = sys.gettrace(), dict[int, Callable[[], int]]()

    def begins(frame: FrameType, event: str, argument: object) -> None:
        try:
            counts[id(frame.f_code)]()
        except KeyError:
            counts[id(frame.f_code)] = itertools.count(1).__next__

    sys.settrace(begins)
    work()
    sys.settrace(before)


def _kept(work: Callable[[], None]) -> None:
    undo = record(recorder_of_last_calls())
    work()
    undo()


def _seconds(way: Callable[[Callable[[], None]], None], work: Callable[[], None]) -> float:
    start = time.process_time()
    way(work)
    return time.process_time() - start


def main() -> None:
    """Print the figures."""
    ways: dict[str, Callable[[Callable[[], None]], None]] = {
        "plain": lambda work: work(),
        "cProfile": _profiled,
        "traced": _traced,
        "last calls": _kept,
    }
    if sys.version_info < (3, 12):  # where tracers are what tells of calls
        ways |= {"a tracer that does nothing": _nothing, "a tracer that counts": _counted}
    for name, work, calls in (
        ("x + 1", _tiny, 5_000),  # the first hundred of a function are kept whole, the others are counted
        ("x + 1, many times", _many_tiny, 50_000),
        ("a small JSON there and back", _small, 2_000),
        ("a text filled by textwrap", _medium, 500),
    ):
        heading(f"A call of a function: {name} (processor time of {calls:,} calls)")
        taken: dict[str, list[float]] = {way: [] for way in ways}
        for _ in range(_ROUNDS):
            for way, run in ways.items():
                taken[way].append(_seconds(run, work))
        for way, samples in taken.items():
            row(way, samples)
        ratio("traced, against cProfile", taken["traced"], taken["cProfile"], "≤ 2")
        for way in list(ways)[3:]:
            ratio(f"{way}, against cProfile", taken[way], taken["cProfile"])
