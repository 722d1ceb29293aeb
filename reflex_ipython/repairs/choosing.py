"""Names of which the user may say that it was meant, where nothing that was proposed has passed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reflex_ipython.models import Edit, Fix, new_id
from reflex_ipython.repairs.open_repair import OpenRepair
from reflex_ipython.repairs.progress import LOOKING, SEARCHING

if TYPE_CHECKING:
    from reflex_ipython.propose.near_matches import NearMatch


def offered(opened: OpenRepair) -> tuple[NearMatch, ...]:
    """The names that can be chosen now, nearest first: none twice.

    None while fixes are still looked for, and once something has passed or is decided.

    Parameters
    ----------
    opened : OpenRepair
    """
    repair = opened.repair
    if repair.failure is None or not repair.is_open_without_a_pass or opened.work in (LOOKING, SEARCHING):
        return ()
    if any(fix.runs_first for fix in repair.fixes):  # then the name is known, and which cell sets it
        return ()
    proposed = {fix.source_of(repair.situation.place, "") for fix in repair.fixes}
    return tuple(match for match in opened.near_matches if match.source not in proposed)


def chosen(opened: OpenRepair, name: str) -> Fix | None:
    """The fix that a name makes; None if it is not one of those that can be chosen."""
    match = next((one for one in offered(opened) if one.name == name), None)
    if match is None:
        return None
    situation = opened.repair.situation
    edit = Edit(situation.place, situation.source, match.source)
    return Fix(new_id(), (edit,), match.explanation, "you", "chosen name")
