"""What is shown again of an earlier run: all that it put out, but no script a second time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from reflex_ipython.ipython.publish import send

_SHOWING = ("display_data", "update_display_data", "execute_result")
_RUNS = re.compile(r"javascript|ecmascript|_(exec|load)\b")
"""MIME types that a front end executes: `application/javascript`, and those that bokeh and holoviews have for it."""
_SCRIPT = re.compile(r"<script\b|<[^>]*\son(load|error|begin|pageshow|animation\w+)\s*=", re.IGNORECASE)
_MARKED_UP = ("text/html", "image/svg+xml", "text/markdown", "text/latex")
NOT_AGAIN = "[a script that has already run and was not run again]"


def show_again(shell: Any, outputs: Iterable[tuple[str, dict[str, Any]]]) -> None:
    """Send messages of an earlier run to the front end once more; a terminal has them still.

    Parameters
    ----------
    shell : InteractiveShell
    outputs : iterable of (str, dict)
        Their types and contents.
    """
    kernel = getattr(shell, "kernel", None)
    if kernel is None:
        return
    for kind, content in outputs:
        send(kernel, kind, replayed(kind, content), shell.get_parent())


def replayed(kind: str, content: dict[str, Any]) -> dict[str, Any]:
    """The content of an output message as it may be sent again.

    Parameters
    ----------
    kind : str
        The message's type.
    content : dict
        Its content, which is left as it is.

    Returns
    -------
    dict
        Without scripts, which the front end would run a second time; if nothing else was to be seen, with a line
        that says so.
    """
    data = content.get("data")
    if kind not in _SHOWING or not isinstance(data, dict):
        return content
    left = {mime: value for mime, value in data.items() if not _runs(str(mime), value)}
    if len(left) == len(data):
        return content
    if not any(mime != "text/plain" for mime in left):
        left = {"text/plain": f"{NOT_AGAIN} {left.get('text/plain', '')}".rstrip()}
    metadata = {
        mime: value for mime, value in (content.get("metadata") or {}).items() if mime not in data or mime in left
    }
    return {**content, "data": left, "metadata": metadata}


def _runs(mime: str, value: Any) -> bool:
    """Whether a front end that shows it runs code."""
    if _RUNS.search(mime):
        return True
    text = "".join(map(str, value)) if isinstance(value, list) else str(value)
    return mime in _MARKED_UP and _SCRIPT.search(text) is not None
