"""Text without quotes where a value belongs: addresses, paths, words, dates, versions."""

from __future__ import annotations

import itertools
import keyword
import re
from collections.abc import Iterator, Sequence

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.broken import Broken, closing, opening, touch
from reflex_ipython.propose.rules.syntax.candidate import Candidate, ends_operand

_ADDRESS = re.compile(r"(?<![\"'\w])(?:https?|ftp|s3|gs|file)://[^\s'\",)\]}]+")
_WINDOWS = re.compile(r"(?<![\"'\w])[A-Za-z]:[\\/][^\"'\r\n,)\]}:*?<>|]*[^\s\"',)\]}]")
_UNIX = re.compile(r"(?<=[(=,])\s*((?:~|\.{1,2})?/[\w.-]+(?:/[\w.-]+)*/?)(?=\s*(?:[,)]|$))", re.MULTILINE)
_FILE = re.compile(r"(?<![\"'\w./])\w+(?:[ -]\w+)+\.(?:csv|txt|json|xlsx?|png|jpg|parquet|pkl|pdf|html?|py|ipynb)\b")
_DATE = re.compile(
    r"(?<![\w.\"'])(?:\d{4}[-/]\d{1,2}[-/]\d{1,2}(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}"
    r"|\d{1,2}:\d{2}(?::\d{2})?|\d{1,2}-[A-Z][a-z]{2}-\d{2,4}|\d+(?:\.\d+){2,3}(?:[a-z]+\d*)?|\d{3}-\d{2,3}-\d{4}|\d{3}-\d{4})(?![\w.\"'])"
)
_SIGNS = frozenset({"!", "?", "'", "-", "&", ".", "@", "#", "$"})


def addresses(broken: Broken) -> Iterator[Candidate]:
    """`pd.read_csv(https://x.org/a.csv)`, `open(C:\\data\\a.txt)`: quotes around it."""
    source = broken.source
    for pattern, what, prefix in (
        (_ADDRESS, "An address", ""),
        (_WINDOWS, "A path", "r"),
        (_UNIX, "A path", ""),
        (_FILE, "The name of a file", ""),
    ):
        edits, alone, text = [], False, ""
        for match in pattern.finditer(source):
            group = 1 if pattern is _UNIX else 0
            start, end = match.span(group)
            text = match.group(group).rstrip()
            if not any(_inside(token, start) for token in broken.cell.tokens):
                edits += [SpanEdit(start, start, f'{prefix if chr(92) in text else ""}"'), SpanEdit(end, end, '"')]
                line = broken.cell.line(broken.cell.lineno(start))
                alone = alone or line.strip() == text
        if edits:
            why = f"{what} is a text, and stands in quotes: `{text}`."
            yield broken.guess(edits, 0.5 if alone else 0.93, why, "missing quotes")


def dates(broken: Broken) -> Iterator[Candidate]:
    """`x = 2024-01-05`, `version = 1.2.3`, `t = 09:30`: a text."""
    edits, text = [], ""
    for match in _DATE.finditer(broken.source):
        start, end = match.span()
        if any(_inside(token, start) for token in broken.cell.tokens):
            continue
        if ":" in match.group() and "-" not in match.group() and _sliced(broken, start):
            continue
        edits += [SpanEdit(start, start, "'"), SpanEdit(end, end, "'")]
        text = match.group()
    if not edits:
        return
    why = f"`{text}` is no number that Python knows; as a text it stands in quotes."
    yield broken.guess(edits, 0.8, why, "text without quotes")
    groups = re.fullmatch(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})", text)
    if groups and len(edits) == 2:
        year, month, day = (int(group) for group in groups.groups())
        if "datetime" in broken.known or "date" in broken.known:
            name = "date" if "date" in broken.namespace else "datetime"
            edit = SpanEdit(edits[0].start, edits[1].start, f"{name}({year}, {month}, {day})")
            yield broken.guess([edit], 0.35, f"A date is made with `{name}(...)`.", "date")
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+", text) and len(edits) == 2:
        edit = SpanEdit(edits[0].start, edits[1].start, text.replace(".", "_"))
        why = "Python groups the digits of a number with `_`, not with dots."
        yield broken.guess([edit], 0.7, why, "digits in groups")


def words(broken: Broken) -> Iterator[Candidate]:
    """`print(Hello World)`, `x = New York`, `[New York, Boston]`: quotes around the words."""
    line = broken.line
    around = opening(line, min(broken.stop, len(line) - 1)) if line else None
    if around is not None:
        end = closing(line, around)
        if end is None:
            return
        items = _items(line[around + 1 : end])
        plain = [item for item in items if _is_words(broken, item, single=True)]
        if not any(len(item) > 1 for item in plain):
            return
        if (
            len(items) > 1
            and len(plain) == len(items)
            and line[around].text == "("
            and line[around - 1].text == "print"
        ):
            inside = line[around + 1 : end]
            yield _quoted(broken, [inside], 0.9)
            return
        yield _quoted(broken, plain, 0.85)
        return
    texts = [token.text for token in broken.statement]
    for sign in ("=", "return", "print"):
        if sign in texts[:-1]:
            value = broken.statement[texts.index(sign) + 1 :]
            if len(value) > 1 and _is_words(broken, value, single=False):
                yield _quoted(broken, [value], 0.85)
            return


def _quoted(broken: Broken, items: list[list[Token]], prior: float) -> Candidate:
    edits = []
    for item in items:
        quote = '"' if "'" in broken.text(item) or '"' in broken.source else "'"
        edits += [SpanEdit(item[0].start, item[0].start, quote), SpanEdit(item[-1].end, item[-1].end, quote)]
    shown = next(broken.text(item) for item in items if len(item) > 1)
    return broken.guess(edits, prior, f"Words that are a text stand in quotes: `{shown[:30]}`.", "missing quotes")


def _items(tokens: Sequence[Token]) -> list[list[Token]]:
    """The tokens between commas and colons, and behind a keyword argument's name."""
    items: list[list[Token]] = [[]]
    for token in tokens:
        if token.text in (",", ":", "=") and token.depth == tokens[0].depth:
            if token.text == "=" and items:
                items[-1] = []
            else:
                items.append([])
        else:
            items[-1].append(token)
    return [item for item in items if item]


def _is_words(broken: Broken, item: Sequence[Token], *, single: bool) -> bool:
    """Whether tokens are words that have no value here, with what a sentence has between them."""
    names = [token for token in item if token.kind == "name"]
    if any("_" in token.text for token in names):
        return False  # a name of Python's kind, not a word
    if (
        not names
        or item[0].kind != "name"
        or any(token.kind not in ("name", "number") and token.text not in _SIGNS for token in item)
    ):
        return False
    if any(a.text == "." and touch(a, b) for a, b in itertools.pairwise(item)):
        return False
    unknown = [token for token in names if token.text not in broken.known and not keyword.iskeyword(token.text)]
    return len(unknown) >= (1 if single else 2) and len(unknown) * 2 >= len(names)


def _inside(token: Token, place: int) -> bool:
    """Whether a place is within a text or a comment; a `//` in an address starts none."""
    return token.kind in ("string", "broken", "comment", "magic") and token.start <= place < token.end


def _sliced(broken: Broken, place: int) -> bool:
    """Whether a place is in square brackets behind a value, or in a dict, where a colon is nothing unusual."""
    tokens = [token for token in broken.cell.tokens if token.kind not in ("newline", "comment")]
    index = next((i for i, token in enumerate(tokens) if token.start >= place), len(tokens) - 1)
    around = opening(tokens, index)
    return around is not None and (
        tokens[around].text == "{" or (tokens[around].text == "[" and around > 0 and ends_operand(tokens[around - 1]))
    )
