"""Showing repairs in a notebook: one MIME bundle, drawn by the labextension, by the widget, or as static HTML."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Callable
from typing import Any, Protocol

from reflex_ipython.base.characters import encodable
from reflex_ipython.ipython.from_kernel import FromKernel, ModelText, State
from reflex_ipython.ipython.publish import DISPLAY_IDS, Bundle, Publish
from reflex_ipython.models import Repair
from reflex_ipython.present.genuine import fingerprint, is_fix
from reflex_ipython.present.kept import NOTE, kept, kept_state, slim
from reflex_ipython.present.offers import Offers
from reflex_ipython.present.panel import MIME, PanelState, document, panel_state
from reflex_ipython.present.working import working
from reflex_ipython.stages import Work

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
KEPT_WIDGETS = 20
"""Panels beyond are closed, oldest first: each costs the front end memory."""

FAILED = "The cell has failed: see the panel below."
"""Why nothing is to be decided any more of a failure that was foreseen: it has come, and has a panel of its own."""
NOTHING: Bundle = {"text/html": "", "text/plain": ""}


class Widget(Protocol):
    """What a presenter needs of the panel's widget."""

    state: dict[str, Any]
    model_id: str

    def tell(self, message: FromKernel) -> None: ...
    def close(self) -> None: ...


@dataclasses.dataclass
class WidgetPanel:
    """A repair's panel where the front end has no labextension.

    Parameters
    ----------
    widget : Widget
    parent : dict
        The message that ran the cell above it.
    in_place : bool
        Whether its fix runs in that cell's place: the whole panel, which has the fixed source, is then shown again.
    """

    widget: Widget
    parent: dict[str, Any]
    in_place: bool = False


class NotebookPresenter:
    """Shows repairs to the front ends of a kernel.

    Parameters
    ----------
    publish : callable
        Sends a display, and a message that it brings for all pages that have the labextension.
    broadcast : callable
        Sends a message to all pages that have the labextension.
    offers : callable
        Says what the panel of a repair can offer now, while that work is done.
    make_panel : callable
        Makes the panel of a state; None where the front end has the labextension, which needs no widget.

    Attributes
    ----------
    panels : dict of str to WidgetPanel
        By their repairs, oldest first.
    """

    def __init__(
        self,
        publish: Publish,
        broadcast: Callable[[FromKernel], None],
        offers: Callable[[Repair, Work | None], Offers],
        make_panel: Callable[[dict[str, Any]], WidgetPanel | None],
    ) -> None:
        self._publish = publish
        self._broadcast = broadcast
        self._offers = offers
        self._make_panel = make_panel
        self.panels: dict[str, WidgetPanel] = {}
        self._noted: dict[str, str] = {}
        """What the notes say, by their repairs."""
        self._told: dict[str, tuple[Repair, frozenset[str]]] = {}
        """Of repairs that nobody works on: what was told to the pages, and the fingerprints of the fixes in that."""

    def show(self, repair: Repair, work: Work | None) -> None:
        """Display the panel below the cell that is running."""
        state, told = self._to_tell(repair, work)
        panel = self.panels.pop(repair.id, None) or self._make_panel(told)
        if panel is not None:
            self._keep(repair.id, panel)
        # With its state: what a page finds in an output alone is a picture to it.
        self._publish(self._bundle(repair, state), display_id=_display_id(repair), brings=State(told))

    def update(self, repair: Repair, work: Work | None) -> None:
        """Change the panel wherever it is shown, and in the saved notebook."""
        state, told = self._to_tell(repair, work)
        self._broadcast(State(told))
        bundle = NOTHING if _has_come(repair) else self._bundle(repair, state)
        self._publish(bundle, display_id=_display_id(repair), update=True)
        panel = self.panels.get(repair.id)
        if panel is not None:  # last: the output is drawn anew, and what was typed into it meanwhile would be lost
            panel.widget.state = told
        if repair.id in self._noted:
            self._note(repair, update=True)

    def note(self, repair: Repair) -> None:
        """Display what became of an accepted repair: the panel without its fixes, which is one line."""
        panel = self.panels.get(repair.id)
        in_sight = repair.failure is not None and repair.failure.foreseen  # its panel is in this very output
        if in_sight or (panel is not None and panel.in_place):
            return
        self._noted.pop(repair.id, None)
        self._note(repair)

    def _note(self, repair: Repair, update: bool = False) -> None:
        """Publish the note, again if it says something else by now: what was undone is no more "accepted"."""
        state, told = self._to_tell(repair, None)
        state = dataclasses.replace(kept_state(state, NOTE), fixes=())
        words = state.notice.text if state.notice else ""
        if self._noted.get(repair.id) == words:
            return
        self._noted[repair.id] = words
        bundle: Bundle = {
            MIME: slim(state),
            "text/html": f'<div style="opacity:.75">Reflex — {html.escape(words)}</div>',
            "text/plain": f"Reflex — {words}",
        }
        brings = None if update else State(told)
        self._publish(bundle, display_id=f"{_display_id(repair)}-note", update=update, brings=brings)

    def tell_pages(self, repair: Repair, work: Work | None) -> None:
        """Send the panel's state to the pages alone; a page that was reloaded has missed some."""
        self._broadcast(State(self._to_tell(repair, work)[1]))

    def _to_tell(self, repair: Repair, work: Work | None) -> tuple[PanelState, dict[str, Any]]:
        """The state that the pages are about to be told, and its JSON."""
        state = self.state(repair, work)
        told = document(state)
        if work is None:
            self._told[repair.id] = repair, frozenset(map(fingerprint, told["fixes"]))
        return state, told

    def has_told(self, repair: Repair, shown: dict[str, Any]) -> bool:
        """Whether a fix, as a page shows it, is one of the repair's. Who clicks waits: no panel is made, if one was."""
        told, fingerprints = self._told.get(repair.id, (None, frozenset[str]()))
        return (told is repair and fingerprint(shown) in fingerprints) or is_fix(shown, self.state(repair, None))

    def assure(self, repair: Repair, work: Work | None) -> None:
        """Tell whatever shows a repair that this kernel knows it, and how it stands."""
        self.tell(repair.id, State(document(self.state(repair, work))))

    def tell(self, repair_id: str, message: FromKernel) -> None:
        """Send a message about a repair to whatever shows it."""
        self._broadcast(message)
        panel = self.panels.get(repair_id)
        if panel is not None:
            panel.widget.tell(message)

    def text(self, repair: Repair, piece: str, start: bool) -> None:
        """Pass on what the model writes; the saved notebook gets only the result."""
        self.tell(repair.id, ModelText(repair.id, encodable(piece), start))

    def state(self, repair: Repair, work: Work | None) -> PanelState:
        """The panel's state now."""
        return panel_state(repair, working=working(work), offers=self._offers(repair, work))

    def forget(self, repair_id: str) -> None:
        """Close the panel of a repair that is no more."""
        self._noted.pop(repair_id, None)
        self._told.pop(repair_id, None)
        panel = self.panels.pop(repair_id, None)
        if panel is not None:
            panel.widget.close()

    def close(self) -> None:
        """Close all panels."""
        for repair_id in list(self.panels):
            self.forget(repair_id)

    def _bundle(self, repair: Repair, state: PanelState) -> Bundle:
        bundle: Bundle = kept(repair, state)
        panel = self.panels.get(repair.id)
        if panel is not None:
            bundle[WIDGET_VIEW] = {"version_major": 2, "version_minor": 0, "model_id": panel.widget.model_id}
        return bundle

    def _keep(self, repair_id: str, panel: WidgetPanel) -> None:
        self.panels[repair_id] = panel
        for old in list(self.panels)[:-KEPT_WIDGETS]:
            self.forget(old)


def _has_come(repair: Repair) -> bool:
    """Whether it is a failure that was foreseen and has come: two panels of one mistake would be one too many."""
    return repair.decision is not None and repair.decision.reason == FAILED


def _display_id(repair: Repair) -> str:
    return f"{DISPLAY_IDS}{repair.id}"
