"""The panel as a Jupyter widget: for front ends without our labextension. Imported at the first failure there."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from reflex_ipython.ipython.messages import FromKernel, FromPage
from reflex_ipython.ipython.page import dump, parse

_STATIC = files("reflex_ipython") / "static"


class PanelWidget(anywidget.AnyWidget):
    """One panel. `state` is the panel's JSON document; decisions come back as messages.

    Parameters
    ----------
    state : dict
        `present.panel.PanelState` as JSON.
    receive : callable
        Is given each message of the view.
    warn : callable
    """

    _esm = (_STATIC / "panel.js").read_text(encoding="utf-8")
    state = traitlets.Dict().tag(sync=True)

    def __init__(self, state: dict[str, Any], receive: Callable[[FromPage], None], warn: Callable[[str], None]) -> None:
        super().__init__(state=state)
        self._receive = receive
        self._warn = warn
        self.on_msg(self._on_message)

    def tell(self, message: FromKernel) -> None:
        """Send a message to the view."""
        self.send(dump(message))

    def _on_message(self, widget: Any, content: Any, buffers: Any) -> None:
        try:
            self._receive(parse(content))
        except ValueError as error:
            self._warn(f"a message of the panel was not understood: {error}")
