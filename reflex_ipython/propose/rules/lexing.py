"""A lenient lexer: tokens of a cell that may be broken, with IPython's own lines recognised.

The standard library's tokenizer stops at the first error; here an error is a token like the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reflex_ipython.base.magics import Magic, in_place
from reflex_ipython.base.spans import SpanEdit, apply, line_at, line_starts

_PREFIX = "[rRbBuUfF]{0,2}"
_TOKEN = re.compile(
    rf"""
      (?P<space>    [ \t\f]+ | \\(?:\r\n|\r|\n) )
    | (?P<newline>  \r\n|\r|\n )
    | (?P<comment>  \#[^\r\n]* )
    | (?P<string>   {_PREFIX}(?: \"\"\"(?:\\[\s\S]|[^\\])*?\"\"\" | '''(?:\\[\s\S]|[^\\])*?'''
                               | "(?!"")(?:\\(?:\r\n|[\s\S])|[^"\\\r\n])*"
                               | '(?!'')(?:\\(?:\r\n|[\s\S])|[^'\\\r\n])*' ) )
    | (?P<broken>   {_PREFIX}(?: (?:\"\"\"|''')[\s\S]* | ["'](?:\\.|[^\\\r\n])* ) )
    | (?P<number>   0[xXoObB][\da-fA-F_]+ | (?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?[jJ]? )
    | (?P<name>     [^\W\d]\w* )
    | (?P<open>     [(\[{{] )
    | (?P<close>    [)\]}}] )
    | (?P<operator> \*\*=?|//=?|>>=?|<<=?|!=|->|:=|\.\.\.|[-+*/%@&|^<>=]=?|[~:;,.!?] )
    | (?P<other>    [\s\S] )
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """A token: its kind, its text, the characters it spans, and how many brackets are open before it."""

    kind: str
    text: str
    start: int
    end: int
    depth: int


def lex(source: str) -> tuple[Token, ...]:
    """The tokens of a cell without the white space between them.

    Kinds: name, number, string, broken (an unterminated string), comment, operator, open, close, newline, magic, other.
    """
    tokens: list[Token] = []
    ends = dict(_magics(source))
    position, depth = 0, 0
    while position < len(source):
        if position in ends:
            start, position = position, ends[position]
            tokens.append(Token("magic", source[start:position], start, position, 0))
            continue
        match = _TOKEN.match(source, position)
        assert match is not None  # the last alternative takes any character
        assert match.lastgroup
        kind, position = match.lastgroup, match.end()
        if kind == "space":
            continue
        tokens.append(Token(kind, match.group(), match.start(), position, depth))
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
    return tuple(tokens)


def mask(source: str) -> str:
    """The cell with its magics replaced by Python that means nothing; every other line stays as and where it is."""
    cell, starts = in_place(source), line_starts(source)
    edits = []
    for magic in cell.magics:
        start, end = starts[magic.first] + magic.column, _end(source, starts, magic)
        edits.append(SpanEdit(start, end, magic.stand_in + "\n" * (magic.end - magic.first - 1)))
    return apply(source, edits)


def _magics(source: str) -> Iterator[tuple[int, int]]:
    """The characters that each magic spans, with what it is assigned to."""
    cell, starts = in_place(source), line_starts(source)
    for magic in cell.magics:
        line = cell.lines[magic.first]
        yield starts[magic.first] + len(line) - len(line.lstrip()), _end(source, starts, magic)


def _end(source: str, starts: Sequence[int], magic: Magic) -> int:
    return starts[magic.end - 1] + len(line_at(source, starts, magic.end))
