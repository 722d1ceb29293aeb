"""Blocks as static HTML: nbviewer, GitHub and untrusted notebooks strip scripts and most styles.

So: no scripts, inline styles only, colours that suit a light and a dark page, and elements that read well without them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from reflex_ipython.present.blocks import SIGNS, Block, Code, Diff, Facts, Heading, Paragraph, Title
from reflex_ipython.present.diff import Line
from reflex_ipython.present.fold import FOLD
from reflex_ipython.present.notice import Tone
from reflex_ipython.present.printable import one_line, printable

_BOX = "border:1px solid rgba(128,128,128,.4);border-left:4px solid #4078c0;padding:8px 12px;margin:4px 0"
_CODE = (  # it wraps: what stands far to the right of a line would not be seen
    "margin:6px 0;padding:4px 8px;white-space:pre-wrap;overflow-wrap:anywhere;background:rgba(128,128,128,.08)"
)
_MARKED = {
    "-": "background:rgba(248,81,73,.16)",
    "+": "background:rgba(46,160,67,.18)",
    " ": "",
    FOLD: "opacity:.7",
}
_TONES: dict[Tone, str] = {"plain": "", "good": "color:#2da44e", "warning": "color:#bf8700", "bad": "color:#e5534b"}
_INLINE_CODE = re.compile(r"`([^`\n]+)`")


def as_html(blocks: Sequence[Block]) -> str:
    """The blocks in a box."""
    return f'<div style="{_BOX}">{"".join(_html(block) for block in blocks)}</div>'


def text(words: str) -> str:
    """Words that others wrote, as HTML that only shows them."""
    return escape(printable(words))


def _html(block: Block) -> str:
    if isinstance(block, Title):
        return f'<p style="margin:0 0 4px">Reflex — <strong>{text(one_line(block.text))}</strong>{_note(block)}</p>'
    if isinstance(block, Heading):
        return f'<p style="margin:12px 0 4px"><strong>{text(one_line(block.text))}</strong>{_note(block)}</p>'
    if isinstance(block, Paragraph):
        return _words(block)
    if isinstance(block, Facts):
        return _facts(block)
    if isinstance(block, Diff):
        label = f'<p style="margin:6px 0 0;opacity:.75">{text(block.label)}:</p>' if block.label else ""
        return f'{label}<pre style="{_CODE}">{"".join(_diff_lines(block))}</pre>'
    if isinstance(block, Code):
        return f'<pre style="{_CODE}">{"".join(_code_lines(block))}</pre>'
    inner = "".join(_html(part) for part in block.blocks)
    return f'<details style="margin:4px 0"><summary>{_prose(block.summary)}</summary>{inner}</details>'


def _note(block: Title | Heading) -> str:
    return f' <span style="opacity:.75">({text(one_line(block.note))})</span>' if block.note else ""


def _words(block: Paragraph) -> str:
    sign = f'<strong style="{_TONES[block.tone]}">{SIGNS[block.tone]}</strong>' if SIGNS[block.tone] else ""
    words = _prose(block.text).replace("\n", "<br>")
    quiet = ";opacity:.75" if block.quiet else ""
    return f'<p style="margin:4px 0{quiet}">{sign}{words}</p>'


def _prose(words: str) -> str:
    return _INLINE_CODE.sub(r"<code>\1</code>", text(words))


def _facts(block: Facts) -> str:
    rows = (
        f'<tr><th style="text-align:left;font-weight:normal;opacity:.75;padding:1px 12px 1px 0">{text(name)}</th>'
        f'<td style="text-align:left;padding:1px 0">{text(value)}</td></tr>'
        for name, value in block.rows
    )
    return f'<table style="margin:4px 0"><tbody>{"".join(rows)}</tbody></table>'


def _diff_lines(block: Diff) -> Iterator[str]:
    for sign, line in block.lines():
        yield _line(f"{sign} {_spans(line)}".rstrip(), _MARKED[sign])


def _spans(line: Line) -> str:
    parts = [(changed, "".join(span.text for span in some)) for changed, some in groupby(line, lambda one: one.changed)]
    return "".join(f"<strong>{text(words)}</strong>" if changed else text(words) for changed, words in parts)


def _code_lines(block: Code) -> Iterator[str]:
    for number, line in enumerate(block.source.split("\n"), 1):
        here = number == block.marked
        sign = "→ " if here else ("  " if block.marked else "")
        yield _line(f"{sign}{text(line)}", _MARKED["-" if here else " "])


def _line(html: str, style: str) -> str:
    return f'<span style="{style}">{html}</span>\n' if style else f"{html}\n"
