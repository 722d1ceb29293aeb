"""Showing repairs in a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from reflex_ipython.models import Repair
from reflex_ipython.present.working import working
from reflex_ipython.stages import Work

if TYPE_CHECKING:
    from rich.console import Console


class TerminalPresenter:
    """Prints each fix once, as a coloured diff.

    Parameters
    ----------
    console : callable
        Gives the console to print on.
    """

    def __init__(self, console: Callable[[], Console]) -> None:
        self.muted = False
        """Whether nothing is printed: who runs a script shows the fix that it asks about."""
        self._console = console
        self._printed: dict[str, tuple[int, str]] = {}

    def show(self, repair: Repair, work: Work | None) -> None:
        """Print the repair, or who is at work on it."""
        self._printed.pop(repair.id, None)
        if self.muted:
            return
        if work is not None and not repair.fixes:
            self._console().print(f"reflex: {working(work)} …", style="dim", markup=False, highlight=False)
        self._print_news(repair, work)

    def update(self, repair: Repair, work: Work | None) -> None:
        """Print a fix that is new, or why there is none."""
        if not self.muted:
            self._print_news(repair, work)

    def note(self, repair: Repair) -> None:
        """Print what became of an accepted repair."""
        from reflex_ipython.present.panel import panel_state

        notice = panel_state(repair).notice
        if notice is not None:
            self._console().print(f"reflex: {notice.text}", style="dim", markup=False, highlight=False)

    def text(self, repair: Repair, piece: str, start: bool) -> None:
        """Say nothing: a terminal waits for the whole answer."""

    def forget(self, repair_id: str) -> None:
        """Forget what was printed of a repair that is no more."""
        self._printed.pop(repair_id, None)

    def _print_news(self, repair: Repair, work: Work | None) -> None:
        from reflex_ipython.present.text import repair_panel

        news = (len(repair.fixes), repair.trouble)
        if repair.decision is None and work is None and news != self._printed.get(repair.id):
            self._printed[repair.id] = news
            self._console().print(repair_panel(repair))
