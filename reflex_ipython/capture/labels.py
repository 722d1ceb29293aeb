"""Labels that are no strings, as they are written: the number 1 is not the text "1"."""

from __future__ import annotations

import itertools
from typing import Any

from reflex_ipython.capture import libraries, safe_inspection
from reflex_ipython.capture.bounds import SummaryDeadline, clip
from reflex_ipython.capture.safe_repr import ReprBudget, safe_repr

_MOST = 60  # labels that are told: enough to see their type, and the column labels of most tables


def others(found: Any) -> tuple[str, ...]:
    """The labels among these that are no strings, as their `repr`.

    Parameters
    ----------
    found : iterable
        Keys of a mapping, or an Index of pandas' own.
    """
    labels = libraries.index(found)
    if labels is not None:
        if labels.dtype.kind not in "OifubM" and labels.nlevels == 1:
            return ()
        found = labels[: libraries.LABELS].tolist()
    clock = SummaryDeadline(0.02, 0.02)
    plain = (label for label in found if not safe_inspection.is_a(label, str))
    return tuple(safe_repr(label, ReprBudget(clock)) for label in itertools.islice(plain, _MOST))


def levels(labels: Any) -> tuple[str, ...]:
    """The names of an Index, level by level; empty where one has no name that is a string."""
    names = list(labels.names)[:20]
    named = any(name is not None for name in names)
    return tuple(clip(name, 100) if type(name) is str else "" for name in names) if named else ()
