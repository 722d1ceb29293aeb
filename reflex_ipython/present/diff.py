"""Diffs as data: hunks of highlighted lines, made from two complete sources."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType

from reflex_ipython.base.opcodes import opcodes, similarity
from reflex_ipython.base.working_cache import working_cache

if TYPE_CHECKING:
    from pygments.lexers.python import PythonLexer

# Few classes, so that every theme can have a colour for each. The first ancestor that matches counts.
_CLASSES: tuple[tuple[_TokenType, str], ...] = (
    (Comment, "comment"),
    (String, "string"),
    (Number, "number"),
    (Keyword, "keyword"),
    (Operator.Word, "keyword"),
    (Name.Builtin, "builtin"),
    (Name.Function, "definition"),
    (Name.Class, "definition"),
    (Name.Decorator, "decorator"),
)

HIGHLIGHTED = 20_000
"""Characters of one source that are highlighted at most: pygments takes up to 0.2 s for so many."""
NEAR = 30
"""Lines from a change, up to which others are highlighted: what is folded away is seldom looked at."""
MARKED = 5_000
"""The longest line in which the words that differ are marked, in characters."""

_TEXTS = re.compile(
    r"""#[^\n]*|(\"{3}|'{3})(?:[^\\"']+|\\.|(?!\1).)*(?:\1|\Z)|"(?:[^"\\\n]+|\\.)*"?|'(?:[^'\\\n]+|\\.)*'?""", re.DOTALL
)
"""Comments, and texts: of several lines, in three quotes, and others, up to what ends them. It goes through them in
runs: each step that may be taken back takes memory, and a pasted text is long.
"""
_WORDS = re.compile(r"\w+|\s+|.")


@dataclass(frozen=True)
class Span:
    """A run of characters of one look. `changed`: it differs from the line's counterpart on the other side."""

    text: str
    token: str = ""
    changed: bool = False


Line = tuple[Span, ...]


@dataclass(frozen=True)
class Hunk:
    """A run of lines that are equal on both sides, or that differ.

    Parameters
    ----------
    changed : bool
        Whether the two sides differ.
    old_start, new_start : int
        The 1-based number of the first line on each side.
    old, new : tuple of Line
        The lines of each side; for an equal hunk both are the same.
    """

    changed: bool
    old_start: int
    new_start: int
    old: tuple[Line, ...]
    new: tuple[Line, ...]


@working_cache(maxsize=16)  # one repair is drawn as a panel, as HTML and as text, and again when it changes
def hunks(old: str, new: str) -> tuple[Hunk, ...]:
    """The whole of two sources as alternating equal and changed hunks; what is far from all changes has no colours.

    Lines are split at line feeds alone, as editors do: joining the lines of one side gives its source back.
    """
    old_lines, new_lines = old.split("\n"), new.split("\n")
    steps = opcodes(old_lines, new_lines)
    changes = [step[1:] for step in steps if step[0] != "equal"]
    old_looks = highlight(old, [(start, end) for start, end, _, _ in changes])
    new_looks = highlight(new, [(start, end) for _, _, start, end in changes])
    found = []
    for tag, i1, i2, j1, j2 in steps:
        before, after = old_looks[i1:i2], new_looks[j1:j2]
        if tag == "replace" and i2 - i1 == j2 - j1:
            pairs = [_mark(a, b) for a, b in zip(before, after)]
            before, after = tuple(a for a, _ in pairs), tuple(b for _, b in pairs)
        found.append(Hunk(tag != "equal", i1 + 1, j1 + 1, before, after))
    return tuple(found)


def plain(line: Line) -> str:
    """The text of a line."""
    return "".join(span.text for span in line)


def highlight(source: str, near: Iterable[tuple[int, int]] | None = None) -> tuple[Line, ...]:
    """The lines of a source, cut into spans by token.

    Parameters
    ----------
    source : str
    near : iterable of (int, int)
        The first line (0-based) of each part that matters, and the one behind it: what is far from all of these stays
        as it is, since that takes time. None: all of it matters.
    """
    lines = source.split("\n")
    looks: list[Line] = [(Span(line),) if line else () for line in lines]
    parts = [(0, len(lines))] if near is None else _around(near, len(lines))
    within = _within_texts(source) if parts and parts != [(0, len(lines))] else frozenset[int]()
    left = HIGHLIGHTED
    for start, end in parts:
        begin, stop = start, end
        while begin in within:  # else what is a text would be taken for code
            begin -= 1
        while stop in within:
            stop += 1
        piece = "\n".join(lines[begin:stop])
        if len(piece) <= left:
            left -= len(piece)
            looks[start:end] = _highlighted(piece)[start - begin : end - begin]
    return tuple(looks)


def _around(parts: Iterable[tuple[int, int]], count: int) -> list[tuple[int, int]]:
    """These parts with what is near them, each line once."""
    found: list[tuple[int, int]] = []
    for start, end in parts:
        low, high = max(start - NEAR, 0), min(end + NEAR, count)
        if found and low <= found[-1][1]:
            low, _ = found.pop()
        found.append((low, high))
    return found


def _within_texts(source: str) -> frozenset[int]:
    """The lines (0-based) that begin within a text of several lines."""
    within: set[int] = set()
    line = at = 0
    for text in _TEXTS.finditer(source):
        if "\n" in text[0]:
            line += source.count("\n", at, text.start())
            at = text.end()
            last = line + text[0].count("\n")
            within.update(range(line + 1, last + 1))
            line = last
    return frozenset(within)


@working_cache(maxsize=32)
def _highlighted(source: str) -> tuple[Line, ...]:
    lines: list[list[Span]] = [[]]
    for token, text in _lexer().get_tokens(source):
        look = _look(token)
        first, *rest = text.split("\n")
        if first:
            lines[-1].append(Span(first, look))
        lines.extend([Span(part, look)] if part else [] for part in rest)
    count = source.count("\n") + 1
    lines = lines[:count] + [[] for _ in range(count - len(lines))]
    # A lexer may change odd characters; then the plain text is the truth.
    return tuple(
        tuple(line) if plain(tuple(line)) == text else (Span(text),) for line, text in zip(lines, source.split("\n"))
    )


@functools.lru_cache(maxsize=1)
def _lexer() -> PythonLexer:
    from pygments.lexers.python import PythonLexer  # with the first fix: a failure may have none

    return PythonLexer(stripnl=False, ensurenl=True)


@functools.lru_cache(maxsize=None)
def _look(token: _TokenType) -> str:
    return next((name for ancestor, name in _CLASSES if token in ancestor), "")


def _mark(old: Line, new: Line) -> tuple[Line, Line]:
    """The two lines with the words that differ marked, if the lines are similar enough for that to help."""
    if max(len(plain(old)), len(plain(new))) > MARKED:
        return old, new
    old_words, new_words = _WORDS.findall(plain(old)), _WORDS.findall(plain(new))
    steps = opcodes(old_words, new_words)
    if similarity(steps) < 0.5:
        return old, new
    edits = [step for step in steps if step[0] != "equal"]
    old_ends, new_ends = _ends(old_words), _ends(new_words)
    return (
        _split(old, [(old_ends[i1], old_ends[i2]) for _, i1, i2, _, _ in edits]),
        _split(new, [(new_ends[j1], new_ends[j2]) for _, _, _, j1, j2 in edits]),
    )


def _ends(words: list[str]) -> list[int]:
    """Where each word ends, after a 0 for where the first one starts."""
    return [0, *itertools.accumulate(map(len, words))]


def _split(line: Line, ranges: list[tuple[int, int]]) -> Line:
    """The line with its spans cut at the borders of the ranges of characters, and those inside marked as changed."""
    cuts = sorted({position for borders in ranges for position in borders})
    spans: list[Span] = []
    start = 0
    for span in line:
        end = start + len(span.text)
        inner = [start, *(cut for cut in cuts if start < cut < end), end]
        for left, right in itertools.pairwise(inner):
            changed = any(low <= left and right <= high for low, high in ranges)
            spans.append(Span(span.text[left - start : right - start], span.token, changed))
        start = end
    return tuple(spans)
