"""Keeping what a cell sends to the front end, which clears it before the cell runs again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reflex_ipython.ipython.interrupts import hand_on
from reflex_ipython.ipython.publish import DISPLAY_IDS

Take = Callable[[str, dict[str, Any]], None]
_SHOWN = ("stream", "display_data", "update_display_data", "execute_result", "clear_output")


def keep_outputs(shell: Any, take: Take) -> Callable[[], None]:
    """Keep what is sent from now on; not longer than the cell runs: nothing of ours stands in the way of a reply.

    Parameters
    ----------
    shell : InteractiveShell
    take : callable
        Is given the type and the content of each output.

    Returns
    -------
    callable
        Call it to end that.
    """
    kernel = getattr(shell, "kernel", None)
    if kernel is None:  # a terminal keeps what it has printed
        return lambda: None
    session, original = kernel.session, kernel.session.send

    def send(*arguments: Any, **named: Any) -> Any:
        __tracebackhide__ = True  # IPython draws an interrupt that strikes in what it sends, through all frames
        try:
            keep_output(take, *arguments[1:3], **named)
        except KeyboardInterrupt:
            hand_on()
        return original(*arguments, **named)

    return _replace(session, "send", send)


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


def _replace(holder: Any, name: str, method: Any) -> Callable[[], None]:
    """Replace a method of an object; gives the function that puts it back, unless somebody has replaced ours since."""
    own = vars(holder).get(name)
    setattr(holder, name, method)

    def put_back() -> None:
        if vars(holder).get(name) is not method:
            return
        if own is None:
            delattr(holder, name)
        else:
            setattr(holder, name, own)

    return put_back
