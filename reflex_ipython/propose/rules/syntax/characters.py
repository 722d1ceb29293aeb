"""Characters that word processors, web pages and other keyboards put into code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.lexing import Token, lex
from reflex_ipython.propose.rules.syntax.candidate import Candidate

_PLAIN = {
    **dict.fromkeys("\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000", " "),
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff", ""),
    **dict.fromkeys("−–—‐‑", "-"),
    "×": "*",
    "÷": "/",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "…": "...",
    "，": ",",
    "：": ":",
    "；": ";",
    "（": "(",
    "）": ")",
}
_QUOTES = {**dict.fromkeys("“”„‟″", '"'), **dict.fromkeys("‘’‚‛′", "'")}
_MOST = 60  # replacements; each reads the cell again


def odd_characters(cell: Cell) -> Iterator[Candidate]:
    """“text” becomes "text", a no-break space a space, − a minus; inside strings and comments nothing changes."""
    source, replaced = cell.source, []
    for _ in range(0 if source.isascii() else _MOST):
        odd = next((token for token in lex(source) if token.text in _PLAIN or token.text in _QUOTES), None)
        if odd is None:
            break
        changed = _quoted(source, odd) if odd.text in _QUOTES else _replaced(source, odd)
        if changed is None:
            return
        source = changed
        replaced.append(odd.text)
    if replaced:
        seen = list(dict.fromkeys(replaced))
        names = ", ".join(f"{char!r}" if not char.isprintable() else char for char in seen)
        why = f"Python does not accept these characters in code: {names}. Plain ones replace them."
        yield Candidate(source, len(replaced), why, "odd characters")


def _replaced(source: str, odd: Token) -> str:
    return source[: odd.start] + _PLAIN[odd.text] + source[odd.end :]


def _quoted(source: str, odd: Token) -> str | None:
    """The source with one pair of quotes made plain; None where the text between them holds such a quote itself."""
    plain = _QUOTES[odd.text]
    likes = "".join(char for char, quote in _QUOTES.items() if quote == plain)
    match = re.compile(rf"[^{likes}{plain}\\\r\n]*([{likes}{plain}])").match(source, odd.end)
    if match is None:
        return None
    text = source[odd.end : match.start(1)]
    return f"{source[: odd.start]}{plain}{text}{plain}{source[match.end() :]}"
