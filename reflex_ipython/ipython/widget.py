"""The panel as a Jupyter widget: for front ends without our labextension. Imported at the first failure there."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from reflex_ipython.ipython.from_kernel import FromKernel, dump

_STATIC = files("reflex_ipython") / "static"


class PanelWidget(anywidget.AnyWidget):
    """One panel. `state` is the panel's JSON document; decisions come back as messages.

    Parameters
    ----------
    state : dict
        `present.panel.PanelState` as JSON.
    receive : callable
        Is given each message of the view, a JSON object.
    """

    _esm = (_STATIC / "panel.js").read_text(encoding="utf-8")
    state = traitlets.Dict().tag(sync=True)

    def __init__(self, state: dict[str, Any], receive: Callable[[Any], None]) -> None:
        self._receive = receive
        self.on_msg(self._on_message)  # first: a subshell may hear the view before this thread has gone on
        super().__init__(state=state)

    def tell(self, message: FromKernel) -> None:
        """Send a message to the view."""
        self.send(dump(message))

    def close(self) -> None:
        """Close the comm, and that of the layout, which ipywidgets makes for every widget."""
        layout = self.layout
        super().close()
        if layout is not None:
            layout.close()

    def _on_message(self, widget: Any, content: Any, buffers: Any) -> None:
        self._receive(content)
