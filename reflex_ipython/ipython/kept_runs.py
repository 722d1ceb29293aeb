"""The runs of the last cells, and what it takes to put the state back to where each of them began.

Their journals are there anyway, and hold nothing whose end anybody could see (`state.settling`). So keeping that of the
last cell until the next one begins costs the memory of what it holds, which is bounded. Those before it are asked about
at each statement's end, like that of the cell that runs (`state.held`).
"""

from __future__ import annotations

from collections.abc import Callable

from reflex_ipython.ipython.cell_run import CellRun
from reflex_ipython.ipython.failed_runs import FailedRuns
from reflex_ipython.ipython.journals import Journals
from reflex_ipython.settings import Settings

_MOST, _SHARE = 64_000_000, 0.02
"""Bytes that runs may hold by default: so many, or this share of the memory that is free if that is less."""
_SMALL = 1_000_000
"""Bytes below which the free memory is not asked for."""
_LONG = 200
"""Statements beyond which it would cost the next cells something that what was noted is still there."""
NONE = (
    "There is no run to take back: no cell has run since Reflex was loaded, or it was taken back already. "
    "What ran before a restart of the kernel can't be taken back."
)
NOT_KEPT = "Nothing can be taken back: `keep_state` is off, or `keep_cells` is 0."
TOO_LONG = f"In [{{}}] can't be taken back: it has more than {_LONG} statements."
TOO_LARGE = (
    "In [{}] can't be taken back: {:,.0f} MB would have to be kept for it{}, and `back_bytes` allows {:,.0f} MB."
)
_NAMED = 3
"""Names of large things that are told."""


class KeptRuns:
    """Those of one shell.

    Parameters
    ----------
    settings : callable
        Gives the settings as they are now.
    journals : Journals
        Gets back the journals that are not needed any more.
    failures : FailedRuns
        Has that of the last cell, if it has failed: it can be taken back as well.
    """

    def __init__(self, settings: Callable[[], Settings], journals: Journals, failures: FailedRuns) -> None:
        self._settings = settings
        self._journals = journals
        self._failures = failures
        self._refused = ""
        """Why the last cell is not kept, as a sentence."""
        self._older: list[CellRun] = []
        """Those before the last cell, the latest last."""
        self._is_known = True
        """Whether it is known what the last cell did, or that was taken back: else nothing before it can be."""
        self.last: CellRun | None = None
        """That of the last cell, if it ended well and can be taken back."""

    def add(self, run: CellRun) -> None:
        """A run has ended well."""
        if run.begun is None and not self._may_be_kept(run):
            self._journals.end(run.journal)
            return
        if run.begun is not None:
            run.journal.note_end()
        else:  # how the cell has left things, and what it has shown, would be a reference to all of that
            run.forget_shown()
            run.journal.ended_well()
        self.last, self._is_known = run, True

    def _may_be_kept(self, run: CellRun) -> bool:
        """Whether a run that was no accepted one is to be kept."""
        held = run.journal.held
        if not self._settings().keep_cells:
            return False
        if len(run.journal) > _LONG:
            self._refused = TOO_LONG.format(run.cell.number)
        elif held > _SMALL and held > self._most():
            names = ", ".join(f"`{name}`" for name in run.journal.large[:_NAMED])
            what = f", above all of {names}" if names else ""
            self._refused = TOO_LARGE.format(run.cell.number, held / 1e6, what, self._most() / 1e6)
        return not self._refused

    def _most(self) -> int:
        from reflex_ipython.base.process_memory import available  # with the first cell that holds much

        bound = self._settings().back_bytes
        return bound if bound is not None else min(_MOST, int(_SHARE * available()))

    @property
    def refused(self) -> str:
        """Why the last cell can't be taken back though cells are kept, as a sentence; empty if it can, or none ran."""
        return self._refused

    @property
    def why_not(self) -> str:
        """Why there is no run to take back, as a sentence."""
        settings = self._settings()
        return self._refused or (NONE if settings.keep_state and settings.keep_cells else NOT_KEPT)

    @property
    def of_last_cell(self) -> CellRun | None:
        """That of the last cell, however it ended, if it can be taken back."""
        return self.last or self._failures.of_last_cell

    @property
    def latest(self) -> CellRun | None:
        """The latest that can be taken back, if no cell has run since of which that is not so."""
        return next(iter(self.all()), None)

    def all(self) -> list[CellRun]:
        """Those that can be taken back, the latest first."""
        last = self.of_last_cell
        if last is None and not self._is_known:
            return []
        return [*([last] if last is not None else ()), *reversed(self._older)]

    def another_begins(self) -> None:
        """Another cell begins: what is kept of the last one is let go of, unless it is to be kept as an older one."""
        keep, last = self._settings().keep_cells, self.last
        if keep < 2 and not self._older:  # there is no other than the last: each cell comes here, by default
            self._refused, self.last, self._is_known = "", None, False
            if last is not None:
                self._end([last])
            self._failures.outdate()
            return
        run, failed = self.latest, self._failures.of_last_cell
        if run in self._older or (run is not None and run is failed and not len(run.journal)):
            run = None  # the one behind it was taken back, or it was itself, for its fix
        elif run is None:
            self._end(self._older)
        self._refused, self.last, self._is_known = "", None, False
        if run is not None and keep > 1:
            run.is_kept = True
            self._failures.outdate()  # finds out what it did, which nobody can once it is an older one
            self._keep(run)
            return
        if run is not None and run is not failed:
            self._end([run])
        self._end(self._older[: 1 - keep or None])
        self._failures.outdate()

    def goes_on(self) -> None:
        """An accepted fix goes on with the journal of the last cell."""
        self.last, self._is_known = None, False

    def _keep(self, run: CellRun) -> None:
        """It is one of the older runs now."""
        run.journal.retire()
        self._older.append(run)
        self._end(self._older[: 1 - self._settings().keep_cells])
        if self.held > _SMALL:
            most = self._most()
            while self._older and self.held > most:
                self._end(self._older[:1])

    def forget(self, run: CellRun) -> None:
        """It was taken back."""
        if run is self._failures.last:
            self._failures.remove(run)
        if run is self.last:
            self.last = None
        elif run in self._older:
            self._older.remove(run)
        self._is_known = True

    @property
    def held(self) -> int:
        """Bytes that are held to put the state back."""
        last = self.of_last_cell
        return sum(run.journal.held for run in ([last] if last is not None else []) + self._older)

    def let_go(self) -> None:
        """Something ran that is no cell of the user's: what it was the last to hold is held by nobody."""
        if self.last is not None:
            self.last.journal.let_go()

    def close(self) -> None:
        """Let go of everything."""
        self._end(self._older)
        if self.last is not None:
            self._end([self.last])
            self.last = None

    def _end(self, runs: list[CellRun]) -> None:
        """Nothing of these is put back any more."""
        for run in list(runs):
            if run.begun is None and run.failed is None:
                self._journals.end(run.journal)
            else:
                run.journal.clear()
            if run in self._older:
                self._older.remove(run)
