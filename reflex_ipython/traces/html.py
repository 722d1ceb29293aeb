"""A trace as static HTML: folded elements, inline styles and no scripts, so that it shows wherever notebooks do."""

from __future__ import annotations

from html import escape

from reflex_ipython.present.printable import printable
from reflex_ipython.traces.labels import Label, folded, label
from reflex_ipython.traces.recorded import Trace
from reflex_ipython.traces.text import summary
from reflex_ipython.traces.tree import Branch, Folded, tree

_BOX = "border:1px solid rgba(128,128,128,.4);border-left:4px solid #4078c0;padding:8px 12px;margin:4px 0"
_ROW = "margin:1px 0;font-family:monospace;white-space:pre-wrap;overflow-wrap:anywhere"
_BELOW = "margin-left:9px;padding-left:9px;border-left:1px solid rgba(128,128,128,.3)"
_FAILS = "color:#e5534b"
_QUIET = "opacity:.65"


def as_html(trace: Trace) -> str:
    """The calls as a tree. The failing branch is open, and so is what has few calls; all else is folded."""
    is_small = len(trace.calls) <= 20
    rows = "".join(_row(one, is_small) for one in tree(trace))
    limits = "".join(f'<p style="margin:4px 0 0;{_QUIET}">{_text(words)}</p>' for words in trace.limits)
    title = f'<p style="margin:0 0 4px">Trace — <strong>{_text(summary(trace))}</strong></p>'
    return f'<div style="{_BOX}">{title}{rows}{limits}</div>'


def _row(branch: Branch | Folded, is_open: bool) -> str:
    if isinstance(branch, Folded):
        return f'<div style="{_ROW};{_QUIET}">{_text(folded(branch))}</div>'
    line = _line(label(branch), branch.is_failing)
    if not branch.branches:
        return f'<div style="{_ROW}">{line}</div>'
    below = "".join(_row(one, is_open) for one in branch.branches)
    opened = " open" if is_open or branch.is_failing else ""
    return f'<details{opened} style="{_ROW}"><summary>{line}</summary><div style="{_BELOW}">{below}</div></details>'


def _line(words: Label, is_failing: bool) -> str:
    called = f"<strong>{_text(words.called)}</strong>" if is_failing else _text(words.called)
    came = f' <span style="{_FAILS if words.is_error else ""}">{_text(words.came)}</span>' if words.came else ""
    place = f" · {_text(words.place)}" if words.is_error else ""
    took = f'<span style="{_QUIET}"> {_text(words.took)}{place}</span>' if words.took or place else ""
    return f"{called}{came}{took}"


def _text(words: str) -> str:
    return escape(printable(words))
