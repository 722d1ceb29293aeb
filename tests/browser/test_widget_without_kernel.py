"""A panel as a widget whose kernel ends before it has answered."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

import reflex_ipython
from reflex_ipython.models import Repair
from reflex_ipython.present.panel import document, panel_state
from tests.browser.chromium import new_window
from tests.check.build import failure

ASKS = """async ([source, state]) => {
  const file = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const widget = (await import(file)).default();
  const asked = [], ignore = () => undefined;
  const send = message => {
    asked.push(message.type);
    throw new Error('Cannot send');
  };
  widget.initialize({ model: { get: () => state, send, on: ignore, off: ignore } })();
  return asked;
}"""


def test_what_it_would_ask_of_a_kernel_that_has_ended_raises_nothing(chromium: Browser) -> None:
    source = (Path(reflex_ipython.__file__).parent / "static" / "panel.js").read_text()
    state = document(panel_state(Repair("r", "s", failure("toatl", "NameError"))))
    window = new_window(chromium)
    assert window.new_page().evaluate(ASKS, [source, state]) == ["recall"]
    window.close()
