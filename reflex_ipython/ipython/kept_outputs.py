"""Keeping what a cell sends to the front end, which clears it before the cell runs again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reflex_ipython.ipython.interrupts import hand_on
from reflex_ipython.ipython.publish import DISPLAY_IDS

Take = Callable[[str, dict[str, Any]], None]
_SHOWN = ("stream", "display_data", "update_display_data", "execute_result", "error", "clear_output")


class KeptOutputs:
    """Keeps what is sent, no longer than a cell runs: nothing of ours stands in the way of a reply.

    Parameters
    ----------
    shell : InteractiveShell
    take : callable
        Is given the type and the content of each output.
    """

    def __init__(self, shell: Any, take: Take) -> None:
        kernel = getattr(shell, "kernel", None)
        self._session = None if kernel is None else kernel.session
        self._take = take
        self._before: Any = None
        """What stood in the place of the session's own method; None if nothing did."""
        self._send: Any = None
        """What stands there while a cell runs; made anew only where something else has stood there before."""

    @property
    def are_cleared(self) -> bool:
        """Whether the front end clears them before a cell runs again: a terminal keeps what it has printed."""
        return self._session is not None

    def begin(self) -> None:
        """Keep what is sent from now on."""
        if self._session is None:
            return
        attributes = vars(self._session)
        before = attributes.get("send")
        if before is self._send and before is not None:  # somebody has put it back that had replaced it
            return
        if self._send is None or before is not self._before:
            self._before, self._send = before, _keeping(self._take, self._session.send)
        attributes["send"] = self._send

    def end(self) -> None:
        """Keep nothing more; whoever has replaced ours since has it still."""
        attributes = {} if self._session is None else vars(self._session)
        if self._send is None or attributes.get("send") is not self._send:
            return
        if self._before is None:
            del attributes["send"]
        else:
            attributes["send"] = self._before


def _keeping(take: Take, original: Callable[..., Any]) -> Callable[..., Any]:
    """What sends, and has it kept before."""

    def send(*arguments: Any, **named: Any) -> Any:
        __tracebackhide__ = True  # IPython draws an interrupt that strikes in what it sends, through all frames
        try:
            keep_output(take, *arguments[1:3], **named)
        except KeyboardInterrupt:
            hand_on()
        return original(*arguments, **named)

    return send


def keep_output(take: Take, msg_or_type: Any = None, content: Any = None, **_: Any) -> None:
    """Take what `Session.send` was given, if it is an output of the cell's."""
    kind = msg_or_type
    if isinstance(msg_or_type, dict):
        kind, content = msg_or_type.get("header", {}).get("msg_type"), msg_or_type.get("content")
    if kind not in _SHOWN or not isinstance(content, dict):
        return
    shown_as = (content.get("transient") or {}).get("display_id") or ""
    if not str(shown_as).startswith(DISPLAY_IDS):  # a panel that changes meanwhile is ours, not the cell's
        take(str(kind), content)
