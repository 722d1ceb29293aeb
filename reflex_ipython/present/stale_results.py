"""Which cells' results are of values that are no more, in words."""

from __future__ import annotations

from collections.abc import Sequence

from reflex_ipython.models import StaleCell

_CELLS, _NAMES = 5, 3
"""So many are named."""


def stale_results(stale: Sequence[StaleCell], made_by: str = "the old") -> str:
    """The sentence; empty if there are none.

    Parameters
    ----------
    stale : sequence of StaleCell
    made_by : str
        Whose values those were, in front of the names.
    """
    if not stale:
        return ""
    cells = [f"In [{one.cell.execution_count}]" for one in stale]
    names = list(dict.fromkeys(f"`{name}`" for one in stale for name in one.names))
    verb = "was" if len(cells) == 1 else "were"
    return f"{_listed(cells, _CELLS)} {verb} computed with {made_by} {_listed(names, _NAMES)}."


def again_by_hand(stale: Sequence[StaleCell]) -> str:
    """How they are run again where no page can do it: IPython's own command knows cells by their numbers."""
    numbers = " ".join(str(one.cell.execution_count) for one in stale)
    return f"`%rerun {numbers}` runs {'it' if len(stale) == 1 else 'them'} again." if stale else ""


def _listed(items: Sequence[str], most: int) -> str:
    shown = [*items[:most], *([f"{len(items) - most} more"] if len(items) > most else ())]
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
