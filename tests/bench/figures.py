"""Taking and printing figures."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence


def seconds(work: Callable[[], object]) -> float:
    """How long the work takes, once."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def heading(text: str) -> None:
    """Begin a group of figures."""
    print(f"\n{text}")


def row(name: str, samples: Sequence[float], goal: str = "") -> None:
    """One figure: the median, the middle half, and how many samples there were.

    Parameters
    ----------
    name : str
    samples : sequence of float
        Seconds.
    goal : str
        What we aim at, in words.
    """
    ordered = sorted(samples)
    low, high = ordered[len(ordered) // 4], ordered[(3 * len(ordered)) // 4]
    middle = statistics.median(ordered)
    spread = f"{low * 1e3:8.2f} – {high * 1e3:.2f} ms"
    print(f"  {name:<58}{middle * 1e3:9.2f} ms   {spread:<22} n={len(ordered):<4}{f'goal {goal}' if goal else ''}")


def ratio(name: str, samples: Sequence[float], plain: Sequence[float], goal: str = "") -> None:
    """The ratio of two medians that were taken in the same run, by turns."""
    value = statistics.median(samples) / statistics.median(plain)
    print(f"  {name:<58}{value:9.3f} ×    {'':<22} {f'goal {goal}' if goal else ''}")
