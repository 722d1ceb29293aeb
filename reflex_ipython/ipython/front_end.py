"""The two kinds of front end, and what each can do: a notebook, and a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from reflex_ipython.errors import CellEditRefused
from reflex_ipython.ipython.cell_context import CellContext
from reflex_ipython.ipython.from_kernel import Apply, FromKernel, RunFirst, SourceEdit, WantCells, dump
from reflex_ipython.ipython.notebook import NotebookPresenter, WidgetPanel
from reflex_ipython.ipython.page_comm import PageComm
from reflex_ipython.ipython.publish import kernel_publisher, on_main_thread, send
from reflex_ipython.ipython.rerun import run_in_place
from reflex_ipython.ipython.terminal import TerminalPresenter
from reflex_ipython.models import CellChanges, Repair, new_id
from reflex_ipython.present.offers import Offers
from reflex_ipython.stages import Presenter, Work

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

KEPT_REQUESTS = 20
"""So many may still be answered: after "applied" as well, since "run-failed" may follow."""
CLOSED = "This panel is closed: `%reflex accept {}` runs its fix."


class PageRequest(NamedTuple):
    """What a page was asked to do: for which repair, the message of the command's cell (none: a click), what then.

    `done` is called on the main thread, once that is free; `at_once` on the thread on which the page answers.
    """

    repair: str
    parent: dict[str, Any]
    done: Callable[[], str] | None
    at_once: Callable[[], None] | None = None


class FrontEnd(Protocol):
    """What the commands need of whatever the user looks at."""

    @property
    def presenter(self) -> Presenter: ...

    def apply(self, repair_id: str, changes: CellChanges, *, run: bool, done: Callable[[], str] | None = None) -> None:
        """Rewrite cells in the user's document, and run the failing one if asked.

        Parameters
        ----------
        repair_id : str
        changes : CellChanges
            All of them are applied, or none.
        run : bool
        done : callable or None
            Called when it is done, on the main thread; gives what to say below the present cell.

        Raises
        ------
        CellEditRefused
            If there is no page that can.
        """

    def close(self) -> None:
        """Close what is open in the front end."""

    def can_rewrite(self) -> bool:
        """Whether the front end that runs the present cell can rewrite cells."""

    def run_in_place(self, repair_id: str, source: str, then: Callable[[], None]) -> None:
        """Run a source so that its output replaces the failed cell's, then call `then`.

        Raises
        ------
        CellEditRefused
            If it is not known any more where that cell's output is.
        """

    def forget(self, repair_id: str) -> None:
        """Let go of all that is kept for a repair: it is no more."""

    def show(self, renderable: RenderableType, html: str = "") -> None:
        """Show something below the present cell; `html` in its place where HTML can be seen."""


class NotebookFrontEnd:
    """A kernel's front ends: pages with our labextension, and others, which get the widget.

    Parameters
    ----------
    shell : ZMQInteractiveShell
    page : PageComm
        The comm to the pages with the labextension.
    receive : callable
        Is given each message of a widget.
    offers : callable
        Says what the panel of a repair can offer now, while that work is done.
    where : callable
        Gives where cells run.
    """

    def __init__(
        self,
        shell: Any,
        page: PageComm,
        receive: Callable[[Any], None],
        offers: Callable[[Repair, Work | None], Offers],
        where: Callable[[], CellContext | None] = lambda: None,
    ) -> None:
        self.page = page
        self.requests: dict[str, PageRequest] = {}
        publish = kernel_publisher(shell.kernel, lambda: bool(page.clients))
        self.presenter = NotebookPresenter(publish, self.tell, offers, self._make_panel)
        self._shell = shell
        self._receive = receive
        self._where = where

    def tell(self, message: FromKernel) -> None:
        """Send a message to all pages."""
        self.page.send(dump(message))

    def close(self) -> None:
        """Close what is open in the front end."""
        self.presenter.close()

    def can_rewrite(self) -> bool:
        """Whether the tab that runs the present cell has said hello."""
        return self.client in self.page.clients

    def apply(self, repair_id: str, changes: CellChanges, *, run: bool, done: Callable[[], str] | None = None) -> None:
        """Ask the tab that runs the present cell, and only that one, to rewrite cells."""
        self._ask(self.client, new_id(), PageRequest(repair_id, self._shell.get_parent(), done), changes, run)

    def apply_in(self, client: str, request: str, repair_id: str, changes: CellChanges, *, run: bool) -> None:
        """Answer a click in a tab: there cells are to be rewritten, under the click's own name.

        Raises
        ------
        CellEditRefused
            If that page is not there.
        """
        self._ask(client, request, PageRequest(repair_id, {}, None), changes, run)

    def expect(self, request: str, repair_id: str) -> None:
        """A page runs the failing cell by itself: it may still say under that name that it could not."""
        self._expect(request, PageRequest(repair_id, {}, None))

    def mend_in(
        self, client: str, request: str, repair_id: str, changes: CellChanges, at_once: Callable[[], None]
    ) -> None:
        """Answer a click in a tab: there the running cell gets a new text, and then `at_once` is called.

        Raises
        ------
        CellEditRefused
            If that page is not there.
        """
        self._ask(client, request, PageRequest(repair_id, {}, None, at_once), changes, run=False)

    def undo_in(self, client: str, request: str, repair_id: str, changes: CellChanges, done: Callable[[], str]) -> None:
        """Answer a click in a tab: there cells get their old texts back, and then `done` is called.

        Raises
        ------
        CellEditRefused
            If that page is not there.
        """
        self._ask(client, request, PageRequest(repair_id, {}, done), changes, run=False)

    def ask_cells(self, request: str) -> bool:
        """Ask the tab that runs the present cell for the notebook's cells; whether there is one to ask."""
        client = self.client
        if client not in self.page.clients:
            return False
        self.tell(WantCells(client, request))
        return True

    def finish(self, asked: PageRequest) -> None:
        """Do what is to be done once a page has done what was asked, and say it."""
        done = asked.done
        if done is not None:
            on_main_thread(self._shell.kernel, lambda: self.say(done(), asked))

    def say(self, words: str, asked: PageRequest, *, trouble: bool = False) -> None:
        """Print words below the cell with the command, which has ended by now; a click has its panel for that."""
        if not asked.parent:
            return
        content = {"name": "stderr" if trouble else "stdout", "text": f"{words}\n"}
        send(self._shell.kernel, "stream", content, asked.parent)

    def run_in_place(self, repair_id: str, source: str, then: Callable[[], None]) -> None:
        """Run a source into the failed cell's output; what `then` shows comes below."""
        panel = self.presenter.panels.get(repair_id)
        if panel is None:
            raise CellEditRefused(CLOSED.format(repair_id), "no-front-end")
        panel.in_place = True
        run_in_place(self._shell.kernel, panel.parent, source, then, self._where())

    def forget(self, repair_id: str) -> None:
        """Close the panel of a repair, and expect no answer of a page about it any more."""
        self.presenter.forget(repair_id)
        for request in [request for request, asked in list(self.requests.items()) if asked.repair == repair_id]:
            del self.requests[request]

    def show(self, renderable: RenderableType, html: str = "") -> None:
        """Display HTML with a plain text beside it."""
        from IPython.display import display
        from rich.console import Console

        console = Console(width=100, force_terminal=False, force_jupyter=False, color_system=None)
        with console.capture() as capture:
            console.print(renderable)
        text = capture.get()
        if html:
            display({"text/html": html, "text/plain": text}, raw=True)
        else:
            print(text, end="")

    def _ask(self, client: str, request: str, asked: PageRequest, changes: CellChanges, run: bool) -> None:
        wanted = tuple(SourceEdit(edit.cell.id, edit.expected, edit.source) for edit in changes.cells if edit.cell.id)
        first = tuple(
            RunFirst(step.cell.id, changes.expected_of(step)) for step in changes.first if step.cell.id and run
        )
        lacking = len(wanted) < len(changes.cells) or (run and len(first) < len(changes.first))
        if client not in self.page.clients or lacking:
            raise CellEditRefused("No open notebook page can rewrite the cell.", "no-front-end")
        self._expect(request, asked)
        self.tell(Apply(client, request, wanted, first, str(changes.failing.cell.id) if run else ""))

    def _expect(self, request: str, asked: PageRequest) -> None:
        self.requests[request] = asked
        for old in list(self.requests)[:-KEPT_REQUESTS]:
            del self.requests[old]

    @property
    def client(self) -> str:
        """The id of the connection that runs the present cell."""
        header = self._shell.get_parent().get("header") or {}
        return str(header.get("session", ""))

    def _make_panel(self, state: dict[str, Any]) -> WidgetPanel | None:
        if self.can_rewrite():
            return None
        from reflex_ipython.ipython.widget import PanelWidget  # 0.1-0.3 s to import: only where it is needed

        return WidgetPanel(PanelWidget(state, self._receive), self._shell.get_parent())


class TerminalFrontEnd:
    """A terminal, or any shell without a kernel. Cells are not rewritten there: the fix runs as a new one."""

    def __init__(self) -> None:
        self.presenter = TerminalPresenter(_console)

    def close(self) -> None:
        """Nothing is open."""

    def can_rewrite(self) -> bool:
        """Never."""
        return False

    def apply(self, repair_id: str, changes: CellChanges, *, run: bool, done: Callable[[], str] | None = None) -> None:
        """Refuse."""
        raise CellEditRefused("A terminal's cells can't be rewritten.", "no-front-end")

    def run_in_place(self, repair_id: str, source: str, then: Callable[[], None]) -> None:
        """Refuse."""
        raise CellEditRefused("A terminal's cells can't be run again in place.", "no-front-end")

    def forget(self, repair_id: str) -> None:
        """Forget what was printed of a repair."""
        self.presenter.forget(repair_id)

    def show(self, renderable: RenderableType, html: str = "") -> None:
        """Print it."""
        _console().print(renderable)


def _console() -> Console:
    from rich.console import Console

    return Console(file=sys.stdout, force_jupyter=False)
