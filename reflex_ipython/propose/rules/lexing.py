"""A lenient lexer: tokens of a cell that may be broken, with IPython's own lines recognised.

The standard library's tokenizer stops at the first error; here an error is a token like the others.
"""

from __future__ import annotations

import re
from typing import NamedTuple

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

_LINE = r"(?:[^\r\n\\]|\\(?:\r\n|[\s\S]))*"  # to the end of the line, over lines that end in a backslash
_MAGIC = re.compile(rf"%%?(?=[A-Za-z_?]){_LINE}|[!?]{_LINE}|[\w.*%]+\?{{1,2}}[ \t]*(?=[\r\n;]|\Z)")
_MAGIC_ASSIGNMENT = re.compile(
    r"(?P<target>(?!(?:if|elif|while|return|assert|print|not)\b)[^\W\d][\w., \t\[\]'\"]*=)"
    rf"[ \t]*(?:%(?=[A-Za-z_])|!){_LINE}"
)
_MAY_BE_MAGIC = re.compile(r"(?m)^[ \t]*[%!?]|\?[ \t]*[;\r]?$|=[ \t]*[%!]")
_CELL_MAGIC = re.compile(r"%%(\w+)")
# Cell magics whose body is Python in this kernel. Any other body is not ours to read.
_PYTHON_BODY = frozenset({"time", "timeit", "capture", "prun", "debug"})


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
    position, depth, fresh = 0, 0, True
    while position < len(source):
        magic = _magic_at(source, position) if fresh else None
        if magic:
            tokens.append(Token("magic", magic, position, position + len(magic), 0))
            position, fresh = position + len(magic), False
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
        fresh = kind == "newline" and depth == 0
    return tuple(tokens)


def mask(source: str) -> str:
    """The cell with its magics replaced by Python that means nothing; every other line stays as and where it is."""
    if not _MAY_BE_MAGIC.search(source):
        return source
    pieces, position = [], 0
    for token in lex(source):
        if token.kind == "magic":
            pieces += [source[position : token.start], _stand_in(token.text), "\n" * token.text.count("\n")]
            position = token.end
    return "".join([*pieces, source[position:]])


def _magic_at(source: str, position: int) -> str | None:
    cell_magic = _CELL_MAGIC.match(source, position)
    if cell_magic and cell_magic.group(1) not in _PYTHON_BODY and not source[:position].strip():
        return source[position:]
    match = _MAGIC.match(source, position) or _MAGIC_ASSIGNMENT.match(source, position)
    return match.group() if match else None


def _stand_in(text: str) -> str:
    assignment = _MAGIC_ASSIGNMENT.match(text)
    return f"{assignment.group('target')} None" if assignment else "pass"
