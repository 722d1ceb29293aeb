"""What became of a repair that was decided, in one line."""

from __future__ import annotations

from reflex_ipython.models import Decision, Edit, FileRef, Repair, Rerun, target_name
from reflex_ipython.present.amounts import duration
from reflex_ipython.present.notice import Notice
from reflex_ipython.present.stale_results import again_by_hand, stale_results

RAN_AGAIN = "The cell has run again since."
NOT_UNDONE = "Not undone"
"""How it begins what is said of a click on Undo that came to nothing."""


def outcome(repair: Repair, decision: Decision) -> Notice | None:
    """The line, with why it can't be undone, if that was wanted.

    Parameters
    ----------
    repair : Repair
    decision : Decision
        Its own.
    """
    line = _outcome(repair, decision)
    if line is None or decision.kind != "accepted" or not repair.trouble.startswith(NOT_UNDONE):
        return line
    return Notice(f"{line.text.rstrip('.')}. {repair.trouble}", "warning")


def _outcome(repair: Repair, decision: Decision) -> Notice | None:
    """What became of it alone."""
    if decision.kind == "rejected":
        return Notice("Rejected. The cell is as it was.")
    if decision.kind == "superseded":
        return Notice(decision.reason or "The cell has changed since.", "warning")
    if decision.kind == "undone":
        return Notice(_undone(decision) + (f" {RAN_AGAIN}" if decision.over else ""))
    rerun = repair.rerun
    foreseen = repair.failure is not None and repair.failure.foreseen
    if rerun is None and decision.run and foreseen:
        return Notice("Accepted; the running cell goes on with it.", "good")
    if rerun is None:
        waiting = "the cell is waiting for its turn" if decision.run else "the cell was rewritten, not run"
        return Notice(f"Accepted; {waiting}.")
    state = f" · {_parts(rerun.state)}" if rerun.state else ""
    if rerun.succeeded:
        return Notice(" ".join(filter(None, (_succeeded(rerun, foreseen), *_stale(rerun)))), "good")
    if rerun.ename == "InstallFailed":
        return Notice("Accepted; what it needs could not be installed, so the cell did not run on.", "bad")
    return Notice(f"Accepted; the cell then raised {rerun.ename}{state}.", "bad")


def _succeeded(rerun: Rerun, foreseen: bool) -> str:
    if rerun.state:
        return _resumed(rerun.state) + ("." if rerun.stale else "")
    if foreseen:
        return "Accepted while the cell ran; it went on with it, and ended without an error."
    return f"Accepted; the cell ran without an error in {duration(rerun.seconds)}."


def _stale(rerun: Rerun) -> tuple[str, str]:
    """Which results are of values that are no more; cells without ids are those of a terminal."""
    by_hand = again_by_hand(rerun.stale) if all(one.cell.id is None for one in rerun.stale) else ""
    return stale_results(rerun.stale), by_hand


def _resumed(state: str) -> str:
    """An accepted cell that ran: where it began, and what was put back."""
    parts = _parts(state)
    return parts[0].upper() + parts[1:] if parts.startswith("resumed") else f"Ran, no error · {parts}"


def _parts(state: str) -> str:
    return state.replace("state restored exactly", "state restored").replace(", state restored", " · state restored")


def _undone(decision: Decision) -> str:
    edits = [step for step in decision.steps if isinstance(step, Edit) and step.source != step.expected]
    files = [target_name(edit.target) for edit in edits if isinstance(edit.target, FileRef)]
    rewritten = ["the cell"] if len(edits) > len(files) else []
    said = [f"{what} has its old text back" for what in (*rewritten, *files)]
    said += [decision.reason] if decision.reason else []
    return f"Undone: {', '.join(said)}." if said else "Undone."
