"""Looking ahead while a cell runs. A cell that is over within a quarter of a second pays for nothing but a note of it.

A thread that slept until then would be one more in all that lists threads. The kernel's own control thread, which runs
an event loop anyway, keeps the time instead; a thread of ours is there as long as a look takes, some milliseconds.
"""

from __future__ import annotations

import contextvars
import logging
import math
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reflex_ipython.ipython.cells import RanCell
from reflex_ipython.ipython.statements import UnderWay

if TYPE_CHECKING:
    from reflex_ipython.foreseen import ForeseenFailure

_log = logging.getLogger(__name__)
FIRST, LONGEST = 0.25, 4.0
"""Seconds until the first look at a cell, and at most between two: each time it is twice as long."""
QUICK = 0.001
"""Seconds that the statements of a cell take on average below which it is not looked at: to look at one takes a third
of that, from a cell that is past it by then.
"""
Later = Callable[[float, Callable[[], None]], None]
"""Calls something in so many seconds, on some thread that is there anyway."""


def on_control_thread(shell: Any) -> Later | None:
    """What ipykernel's control thread does later; None where there is none."""
    loop = getattr(getattr(getattr(shell, "kernel", None), "control_thread", None), "io_loop", None)
    return None if loop is None else lambda seconds, work: loop.add_callback(loop.call_later, seconds, work)


class _Watched:
    """A cell that runs, and the context that its outputs belong to."""

    def __init__(self, cell: RanCell, context: contextvars.Context) -> None:
        self.cell = cell
        self.context = context
        self.pause = FIRST
        self.began = time.monotonic()
        self.due = self.began + FIRST
        """When it is to be looked at; infinite while it is."""
        self.begun = 0
        """How many statements had begun at the last look."""


class LookAhead:
    """Looks at the cells of one shell.

    Parameters
    ----------
    under_way : callable
        Gives the statements of the cell that runs; None while they are not known.
    namespace : callable
        Gives the user's namespace.
    found : callable
        Is told, on the thread that looks, of a cell and what will fail in it; once for each text of it.
    later : callable or None
        Keeps the time. None: nobody does, and nothing is looked at.
    """

    def __init__(
        self,
        under_way: Callable[[], UnderWay | None],
        namespace: Callable[[], dict[str, Any]],
        found: Callable[[RanCell, ForeseenFailure, UnderWay], None],
        later: Later | None,
    ) -> None:
        self._under_way = under_way
        self._namespace = namespace
        self._found = found
        self._later = later
        self._now: _Watched | None = None
        self._called = math.inf
        """When somebody will call; while cells are short, one call serves many of them."""
        self._thread: threading.Thread | None = None

    def begins(self, cell: RanCell) -> None:
        """A cell begins."""
        text = cell.source.strip()
        if "\n" in text or ";" in text:  # a single statement has none behind it
            self._watch(_Watched(cell, contextvars.copy_context()))

    def becomes(self, cell: RanCell) -> None:
        """The cell that runs has another text from now on, and is looked at anew."""
        watched = self._now
        if watched is not None:
            self._watch(_Watched(cell, watched.context))

    def watches(self, cell: RanCell) -> bool:
        """Whether that cell still runs, with that text."""
        watched = self._now
        return watched is not None and watched.cell is cell

    def over(self) -> None:
        """It has ended."""
        self._now = None

    def close(self) -> None:
        """Look no more."""
        self._now = self._later = None
        if self._thread is not None:
            self._thread.join(1.0)

    def _watch(self, watched: _Watched) -> None:
        self._now = watched
        self._call(watched.due)

    def _call(self, at: float) -> None:
        """Have somebody call then, or before."""
        if self._later is not None and self._called > at:
            self._called = at
            self._later(max(at - time.monotonic(), 0.0), self._is_time)

    def _is_time(self) -> None:
        """Somebody calls: perhaps the cell that runs is to be looked at."""
        self._called = math.inf  # before the cell is asked for: one that begins just now has itself called for
        watched = self._now
        if watched is None or watched.due == math.inf:
            return
        if watched.due > time.monotonic():
            self._call(watched.due)
            return
        from reflex_ipython.base.own_threads import OwnThread  # as below

        watched.due = math.inf
        self._thread = OwnThread(target=self._look_at, args=(watched,), name="reflex-look-ahead")
        try:
            self._thread.start()
        except RuntimeError:  # there can be no thread any more: Python ends
            self._now = None

    def _look_at(self, watched: _Watched) -> None:
        """Look, if more of it has begun since the look before, and the rest is not about to be over."""
        under_way = self._under_way()
        quick = under_way is not None and time.monotonic() - watched.began < QUICK * under_way.begun
        if under_way is not None and under_way.begun > watched.begun and not quick:
            watched.begun = under_way.begun
            if self._look(watched, under_way):
                watched.begun = len(under_way.to_run)
        watched.pause = min(2 * watched.pause, LONGEST)
        watched.due = time.monotonic() + watched.pause
        if self._now is watched:
            self._call(watched.due)

    def _look(self, watched: _Watched, under_way: UnderWay) -> bool:
        """Whether something will fail."""
        from reflex_ipython.foreseen import foresee  # 10 ms, in the shadow of the first cell that takes so long

        try:
            statements = [node for node, _ in list(under_way.to_run)]
            found = foresee(statements, under_way.begun, self._namespace(), pause=lambda: time.sleep(0))
            if found is None or self._now is not watched:
                return False
            watched.context.copy().run(self._found, watched.cell, found, under_way)
        except Exception:  # noqa: BLE001 - nothing of ours is worth a word in a cell that runs
            _log.debug("looking ahead failed", exc_info=True)
            return False
        return True
