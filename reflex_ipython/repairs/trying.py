"""What is tried in the copy of the kernel because the user wants it: a fix, a text of their own for it, a near name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from reflex_ipython.errors import BadInput
from reflex_ipython.models import Fix, Verdict, why_not
from reflex_ipython.repairs.choosing import chosen
from reflex_ipython.repairs.decisions import edited_fix
from reflex_ipython.repairs.open_repair import OpenRepair
from reflex_ipython.repairs.open_repairs import OpenRepairs
from reflex_ipython.repairs.repair_workers import RepairWorkers
from reflex_ipython.repairs.verdicts import Verdicts
from reflex_ipython.settings import Settings

NOT_OFFERED = "That name is not offered here any more: look at the panel again."


class Trying:
    """Has fixes of one kernel's repairs tried.

    Parameters
    ----------
    repairs : OpenRepairs
    workers : RepairWorkers
        Wait for what comes of it.
    verdicts : Verdicts
    settings : callable
        Gives the settings as they are now.
    """

    def __init__(
        self, repairs: OpenRepairs, workers: RepairWorkers, verdicts: Verdicts, settings: Callable[[], Settings]
    ) -> None:
        self._repairs = repairs
        self._workers = workers
        self._verdicts = verdicts
        self._settings = settings

    def fix(self, repair_id: str, fix_id: str) -> None:
        """Try a fix in the copy of the kernel.

        Raises
        ------
        BadInput
            If fixes are not to be tried, or there is no such fix.
        """
        with self._repairs.lock:
            opened, fix = self._free(repair_id, fix_id)
            self._workers.try_fix(opened, fix)

    def again(self, repair_id: str, fix_id: str) -> None:
        """Try a fix anew, in a copy of the kernel as it is now; what was found out before does not count any more.

        Raises
        ------
        BadInput
            If fixes are not to be tried, or this one is no longer open.
        """
        with self._repairs.lock:
            opened, fix = self._free(repair_id, fix_id)
            self._workers.try_again(opened, fix)

    def text(self, repair_id: str, fix_id: str, sources: Sequence[str], then: Callable[[Fix, Verdict], None]) -> bool:
        """Try a fix as the user has changed it, instead of any older text of that repair.

        Parameters
        ----------
        repair_id, fix_id : str
        sources : sequence of str
            The cells' new texts, in the order of `CellChanges.edits`.
        then : callable
            Is told, on another thread, what came of it; not if a newer text is tried by then, or it was decided.

        Returns
        -------
        bool
            Whether it is tried: not where fixes are not tried by themselves, or this one is no longer open.

        Raises
        ------
        BadInput
            If those are not the cells of this fix.
        """
        with self._repairs.lock:
            repair = self._repairs.find(repair_id)
            fix = repair.fix(fix_id)
            automatic = self._settings().trial == "automatic"
            if fix is None or repair.is_decided or not automatic or why_not(fix, repair.situation):
                return False
            edited = edited_fix(fix, repair.situation, sources)
            self._workers.try_text(self._repairs.open(repair.id), edited, lambda verdict: then(edited, verdict))
            return True

    def name(self, repair_id: str, name: str) -> None:
        """Put a name in that is near to what was looked up in vain, and try that unless fixes are not to be tried.

        Raises
        ------
        BadInput
            If it is none of those that are offered, or there is no such repair.
        """
        with self._repairs.lock:
            repair = self._repairs.find(repair_id)
            opened = self._repairs.open(repair.id)
            fix = chosen(opened, name)
            if fix is None:
                raise BadInput(NOT_OFFERED)
            self._workers.cancel(opened)
            self._repairs.change(repair.id, lambda repair: self._verdicts.with_fix(repair, fix), "found")
            if self._settings().trial != "off":
                self._workers.try_fix(opened, fix)

    def _free(self, repair_id: str, fix_id: str) -> tuple[OpenRepair, Fix]:
        """A repair on which nobody works any more, and the fix of it that is to be tried."""
        repair = self._repairs.find(repair_id)
        fix = repair.fix(fix_id)
        if self._settings().trial == "off":
            raise BadInput("Fixes are not tried: `%config Reflex.trial = 'on click'` changes that.")
        if fix is None or repair.decision is not None:
            raise BadInput("That fix is no longer open.")
        opened = self._repairs.open(repair.id)
        self._workers.cancel(opened)
        return opened, fix
