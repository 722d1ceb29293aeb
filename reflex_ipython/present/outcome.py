"""What became of a repair that was decided, in one line."""

from __future__ import annotations

from reflex_ipython.models import Decision, Edit, Repair
from reflex_ipython.present.amounts import duration
from reflex_ipython.present.notice import Notice


def outcome(repair: Repair, decision: Decision) -> Notice | None:
    """The line.

    Parameters
    ----------
    repair : Repair
    decision : Decision
        Its own.
    """
    if decision.kind == "rejected":
        return Notice("Rejected. The cell is as it was.")
    if decision.kind == "superseded":
        return Notice(decision.reason or "The cell has changed since.", "warning")
    if decision.kind == "undone":
        return Notice(_undone(decision))
    rerun = repair.rerun
    if rerun is None:
        waiting = "the cell is waiting for its turn" if decision.run else "the cell was rewritten, not run"
        return Notice(f"Accepted; {waiting}.")
    state = f" · {_parts(rerun.state)}" if rerun.state else ""
    if rerun.succeeded and rerun.state:
        return Notice(_resumed(rerun.state), "good")
    if rerun.succeeded:
        return Notice(f"Accepted; the cell ran without an error in {duration(rerun.seconds)}.", "good")
    if rerun.ename == "InstallFailed":
        return Notice("Accepted; what it needs could not be installed, so the cell did not run on.", "bad")
    return Notice(f"Accepted; the cell then raised {rerun.ename}{state}.", "bad")


def _resumed(state: str) -> str:
    """An accepted cell that ran: where it began, and what was put back."""
    parts = _parts(state)
    return parts[0].upper() + parts[1:] if parts.startswith("resumed") else f"The cell ran without an error · {parts}"


def _parts(state: str) -> str:
    return state.replace("state restored exactly", "state restored").replace(", state restored", " · state restored")


def _undone(decision: Decision) -> str:
    rewritten = any(isinstance(step, Edit) and step.source != step.expected for step in decision.steps)
    said = ["the cell has its old text back"] if rewritten else []
    said += [decision.reason] if decision.reason else []
    return f"Undone: {', '.join(said)}." if said else "Undone."
