"""What stands between the kernel and its session while a cell's outputs are kept."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

from reflex_ipython.ipython.kept_outputs import KeptOutputs


class InterruptedSession:
    def send(self, *arguments: Any) -> None:
        raise KeyboardInterrupt


def test_an_interrupt_that_strikes_as_something_is_sent_is_drawn_without_us(shell: Any) -> None:
    session = InterruptedSession()
    kept = KeptOutputs(SimpleNamespace(kernel=SimpleNamespace(session=session)), lambda kind, content: None)
    kept.begin()

    def shows() -> None:
        session.send(None, "stream", {"name": "stdout", "text": "a"})

    try:
        shows()
    except KeyboardInterrupt:
        drawn = "\n".join(shell.InteractiveTB.structured_traceback(*sys.exc_info()))
    kept.end()
    assert "shows" in drawn
    assert "_keeping.<locals>" not in drawn
