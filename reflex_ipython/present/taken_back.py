"""What came of taking back the run of a cell, in one line."""

from __future__ import annotations

from collections.abc import Sequence

from reflex_ipython.models import StaleCell
from reflex_ipython.present.stale_results import stale_results


def taken_back(number: int, words: str, stale: Sequence[StaleCell] = ()) -> str:
    """The line.

    Parameters
    ----------
    number : int
        The cell's, in `In [n]`.
    words : str
        What came of the rollback (`state.restoration.Restoration.words`).
    stale : sequence of StaleCell
        The cells that have used what it had made.
    """
    return " ".join(filter(None, (f"In [{number}] is taken back: {words}.", stale_results(stale, "its"))))
