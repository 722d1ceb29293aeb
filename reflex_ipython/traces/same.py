"""The first difference between what a call gave and what it gives now, in words."""

from __future__ import annotations

import dataclasses
import math
import pickle
import sys
from typing import Any

from reflex_ipython.capture import safe_inspection
from reflex_ipython.capture.bounds import SummaryDeadline, clip
from reflex_ipython.capture.safe_repr import ReprBudget, safe_repr

_CLOSE = 1e-9  # of two numbers: another order of summation is no other result
_DEEP = 20
_TEXT = 120


class NotComparable(Exception):
    """There are objects of which nobody can tell whether they are the same, and no other difference."""


def difference(before: Any, after: Any, close: float = _CLOSE) -> str:
    """In words that follow the call: "gave 3, gives 6"; empty if both are the same.

    It runs the values' own `==`: only where nothing can be harmed by it, as in a copy of a process.

    Parameters
    ----------
    before, after : object
    close : float
        By which share of their size numbers may differ.

    Raises
    ------
    NotComparable
        If that can't be told, as of two functions.
    """
    comparison = _Comparison(close)
    found = comparison.different(before, after, "", _DEEP)
    if found is None and comparison.is_unsure:
        raise NotComparable
    if found is None:
        return ""
    place, old, new = found
    at = f" at {place}" if place else ""
    return f"gave {brief(old)}{at}, gives {brief(new)}"


def brief(value: Any) -> str:
    """A value in a few words."""
    if isinstance(value, _Absent):
        return value.words
    return clip(safe_repr(value, ReprBudget(SummaryDeadline(0.05, 0.05), text=60)), _TEXT)


@dataclasses.dataclass(frozen=True)
class _Absent:
    words: str


def _is_number(value: Any) -> bool:
    """Whether it is a float of Python's or of numpy's, which are the same to whoever reads them."""
    numpy = sys.modules.get("numpy")
    return isinstance(value, float) or (numpy is not None and isinstance(value, numpy.floating))


def _is_table(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] in ("numpy", "pandas")


class _Comparison:
    """Compares, numbers up to a share of their size."""

    def __init__(self, close: float) -> None:
        self._close = close
        self.is_unsure = False
        """Whether it met objects of which it can't tell."""

    def different(self, before: Any, after: Any, place: str, depth: int) -> tuple[str, Any, Any] | None:
        """The place where they differ, and what is there in each."""
        if before is after:
            return None
        if type(before) is not type(after) and not (_is_number(before) and _is_number(after)):
            return place, before, after
        if isinstance(before, float):
            same = before == after or (before != before and after != after)
            return None if same or math.isclose(before, after, rel_tol=self._close) else (place, before, after)
        if depth <= 0:
            return None
        if isinstance(before, dict):
            return self._in_mapping(before, after, place, depth)
        if isinstance(before, (list, tuple)):
            return self._in_sequence(before, after, place, depth)
        if _is_table(before):
            return None if self._same_table(before, after) else (place, before, after)
        return None if self._equal(before, after, depth) else (place, before, after)

    def _in_mapping(self, before: Any, after: Any, place: str, depth: int) -> tuple[str, Any, Any] | None:
        for key, value in before.items():
            if key not in after:
                return f"{place}[{brief(key)}]", value, _Absent("nothing")
            found = self.different(value, after[key], f"{place}[{brief(key)}]", depth - 1)
            if found is not None:
                return found
        added = next((key for key in after if key not in before), _Absent(""))
        return None if isinstance(added, _Absent) else (f"{place}[{brief(added)}]", _Absent("nothing"), after[added])

    def _in_sequence(self, before: Any, after: Any, place: str, depth: int) -> tuple[str, Any, Any] | None:
        if len(before) != len(after):
            return place, before, after
        for number, (one, other) in enumerate(zip(before, after)):
            found = self.different(one, other, f"{place}[{number}]", depth - 1)
            if found is not None:
                return found
        return None

    def _same_table(self, before: Any, after: Any) -> bool:
        if hasattr(before, "equals"):
            return bool(before.equals(after)) or self._close_table(before, after)
        numpy = sys.modules["numpy"]
        if not isinstance(before, numpy.ndarray):
            return bool(before == after)
        if before.shape != after.shape or before.dtype != after.dtype:
            return False
        if before.dtype.kind in "fc":
            return bool(numpy.allclose(before, after, rtol=self._close, atol=0, equal_nan=True))
        return bool(numpy.array_equal(before, after))

    def _close_table(self, before: Any, after: Any) -> bool:
        """Whether two tables or columns are the same but for the last digits."""
        testing = sys.modules["pandas"].testing
        name = {"DataFrame": "frame", "Series": "series"}.get(type(before).__name__, "index")
        try:
            getattr(testing, f"assert_{name}_equal")(before, after, rtol=self._close, atol=0, check_exact=False)
        except (AssertionError, TypeError, ValueError):
            return False
        return True

    def _equal(self, before: Any, after: Any, depth: int) -> bool:
        """By `==` where a class says what that is, else by what the objects hold."""
        if safe_inspection.in_class(before, "__eq__") is not vars(object)["__eq__"]:
            return bool(before == after)
        held, now = getattr(before, "__dict__", None), getattr(after, "__dict__", None)
        if isinstance(held, dict) and isinstance(now, dict) and held:
            return self._in_mapping(held, now, "", depth) is None
        try:
            return pickle.dumps(before) == pickle.dumps(after)
        except Exception:  # noqa: BLE001 - the user's own classes: what can't be told is no difference
            self.is_unsure = True
            return True
