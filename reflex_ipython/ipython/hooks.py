"""When a cell runs and when it fails, told by IPython's events alone.

`set_custom_exc` is left alone: its single slot belongs to whoever took it. What a cell raised is in the result that
`post_run_cell` is given; what it only *showed* (a script under `%run`, a formatter, the cell inside `%%capture`) has
gone through `showtraceback`, which leaves it in `sys.last_value`.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Literal, NamedTuple

from IPython.core.error import InputRejected
from IPython.core.interactiveshell import InteractiveShell

from reflex_ipython.ipython.cells import CellLog, RanCell
from reflex_ipython.ipython.interrupts import hand_on, is_over
from reflex_ipython.ipython.last_error import forget, last_shown, show_instead

_RUNNER = InteractiveShell.run_cell_async.__code__
Stage = Literal["syntax", "run", "display", "interrupted"]
NEVER_REPAIRED = (KeyboardInterrupt, SystemExit, GeneratorExit, asyncio.CancelledError)


class CommandError(Exception):
    """A `%reflex` command was wrong, and nothing is to be repaired. It is shown by its text alone."""

    def _render_traceback_(self) -> list[str]:  # what IPython asks of an exception
        return [f"Reflex: {self}"]


class InstallFailed(InputRejected):
    """What an accepted fix needs could not be installed, so that its cell does not run. It is shown by its text."""

    def _render_traceback_(self) -> list[str]:  # what IPython asks of an exception
        return [f"Reflex: {self}"]


class FailedCell(NamedTuple):
    """A cell that failed, with what was raised: for the moment of the capture only."""

    cell: RanCell
    error: Any
    stage: Stage


class _Running(threading.local):
    """The cells that run now, outermost first: one list a thread, since subshells run cells in threads of their own."""

    def __init__(self) -> None:
        self.cells: list[RanCell] = []
        self.shown_before: BaseException | None = None
        self.inner_error: BaseException | None = None


class Hooks:
    """Watches a shell's cells.

    Parameters
    ----------
    shell : InteractiveShell
    cells : CellLog
        Is told of each cell.
    starts : callable
        Called before a cell that the user runs; gives the cell as it really runs.
    ended : callable
        Called after it; with a `FailedCell`, or None if all was well. What was interrupted is not to be repaired.
    warn : callable
        Is told in one line when something of ours went wrong. The cell is never harmed.
    """

    def __init__(
        self,
        shell: Any,
        cells: CellLog,
        *,
        starts: Callable[[RanCell], RanCell],
        ended: Callable[[FailedCell | None], None],
        warn: Callable[[str], None],
    ) -> None:
        self._shell = shell
        self._cells = cells
        self._starts = starts
        self._ended = ended
        self._warn = warn
        self._now = _Running()
        self._threads: set[int] = set()
        """The threads on which cells run now."""
        self._told: BaseException | None = None
        """The last error that one of these cells has ended with: it is none of the others'."""

    def depth(self) -> int:
        """How many cells run inside each other on this thread."""
        return len(self._now.cells)

    def forget_error(self, known: int) -> None:
        """Have the error of that id forgotten, if it is the last one: the run that raised it is taken back."""
        if id(self._now.shown_before) == known:
            self._now.shown_before = None
        forget(self._shell, known)

    def install(self) -> Callable[[], None]:
        """Begin; gives the function that ends it."""
        events = self._shell.events
        # In front of all others: what they do for a cell, as autoreload does, must not be put back.
        events.callbacks["pre_run_cell"].insert(0, self.pre_run_cell)
        events.register("post_run_cell", self.post_run_cell)

        def uninstall() -> None:
            events.unregister("pre_run_cell", self.pre_run_cell)
            events.unregister("post_run_cell", self.post_run_cell)

        return uninstall

    def joins(self, cell: RanCell) -> None:
        """That cell runs already, on this thread: it is the one that loads us, and may still fail."""
        now = self._now
        now.cells[:] = [cell] * _cells_that_run()
        now.shown_before, now.inner_error = last_shown(), None
        self._threads.add(threading.get_ident())

    def pre_run_cell(self, info: Any) -> None:
        """IPython's event. Cells run by cells (`%%capture`) come in between; only the outermost is the user's."""
        try:
            now = self._now
            if now.cells and _cells_that_run() < 2:
                del now.cells[:]  # an interrupt struck where their end was to be noted
            cell = self._cells.add(self._shell, info)
            now.cells.append(cell)
            if len(now.cells) == 1:
                now.shown_before, now.inner_error = last_shown(), None
                self._threads.add(threading.get_ident())
                now.cells[0] = self._starts(cell)
        except KeyboardInterrupt:  # it is the cell's, which is about to begin
            hand_on()
        except Exception as error:  # noqa: BLE001 - nothing of ours may break a cell
            self._complain(error)

    def post_run_cell(self, result: Any) -> None:
        """IPython's event; `result` is None for a cell that was interrupted while awaiting."""
        try:
            self._post_run_cell(result)
        except KeyboardInterrupt:  # the cell was over; what is left of our work ends
            pass
        except Exception as error:  # noqa: BLE001 - as above; and with a raising repr the kernel would never reply
            self._complain(error)

    def _post_run_cell(self, result: Any) -> None:
        now = self._now
        if not now.cells:  # it began before we were loaded, and nobody knows its text
            return
        cell = now.cells.pop()
        error = None if result is None else result.error_before_exec or result.error_in_exec
        if now.cells:
            now.inner_error = error or now.inner_error
            return
        try:
            if isinstance(error, CommandError):
                show_instead(now.shown_before)
            failed = self._failed(cell, error, result)
            self._told = failed.error if failed is not None else self._told
            self._ended(failed)
        finally:
            is_over()  # nor does one that struck in here strike the next cell
            now.shown_before = now.inner_error = None
            self._threads.discard(threading.get_ident())
            self._told = self._told if self._threads else None

    def _failed(self, cell: RanCell, error: BaseException | None, result: Any) -> FailedCell | None:
        if result is None or isinstance(error, NEVER_REPAIRED):
            return FailedCell(cell, error or KeyboardInterrupt(), "interrupted")
        stage: Stage = "syntax" if result.error_before_exec is not None else "run"
        if error is None:
            shown = last_shown()
            is_new = shown is not self._now.shown_before and shown is not self._told
            error = self._now.inner_error or (shown if is_new else None)
            stage = "run" if error is self._now.inner_error or _from_script(error) else "display"
        if error is None or isinstance(error, (*NEVER_REPAIRED, CommandError)):
            return None
        return FailedCell(cell, error, stage)

    def _complain(self, error: Exception) -> None:
        self._warn(f"{type(error).__name__} inside Reflex itself; your cell is not affected: {_first_line(error)}")


def _cells_that_run() -> int:
    """How many cells run on this thread, each run by the one before."""
    frame: FrameType | None = sys._getframe()
    running = 0
    while frame is not None:
        running += frame.f_code is _RUNNER
        frame = frame.f_back
    return running


def _from_script(error: BaseException | None) -> bool:
    """Whether a traceback goes through a script's own top level, as under `%run`."""
    tb = error.__traceback__ if error is not None else None
    while tb is not None:
        if tb.tb_frame.f_code.co_name == "<module>":
            return True
        tb = tb.tb_next
    return False


def _first_line(error: Exception) -> str:
    try:
        return str(error).partition("\n")[0][:200]
    except Exception:  # noqa: BLE001 - an error whose text can't be had is still worth a warning
        return "(no text)"
