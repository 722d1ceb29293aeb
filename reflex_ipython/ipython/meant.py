"""The fix that a command means, of one repair."""

from __future__ import annotations

from reflex_ipython.errors import BadInput
from reflex_ipython.models import Fix, Repair
from reflex_ipython.present.alternatives import which_one


def meant_fix(repair: Repair, number: int, command: str) -> Fix:
    """The fix with that number; without one the first, where there is nothing to choose.

    Parameters
    ----------
    repair : Repair
    number : int
        From 1 on, as they are shown; 0: none was given.
    command : str
        `accept` or `edit`.

    Raises
    ------
    BadInput
        If there is no such fix, or several may be meant and none is named.
    """
    count = len(repair.fixes)
    if not count:
        raise BadInput(f"There is no fix to {command} yet.")
    if number > count:
        there = "only one fix" if count == 1 else f"fixes 1 to {count}"
        raise BadInput(f"There is no fix {number} of {repair.id}: it has {there}. Nothing has changed.")
    if not number and repair.is_choice:
        raise BadInput(which_one(repair, command))
    return repair.fixes[max(number, 1) - 1]
