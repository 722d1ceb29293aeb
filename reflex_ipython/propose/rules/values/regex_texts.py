"""Regular expressions that can't be read, as a character of theirs is meant as itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.closeness import closest
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import UNKNOWN, Reading, reading, short

_BROKEN = re.compile(
    r"(missing \), unterminated subpattern|unbalanced parenthesis|nothing to repeat|multiple repeat"
    r"|unterminated character set|bad character range .+) at position (\d+)"
)
_TAKE_PATTERNS = frozenset({"findall", "finditer", "search", "match", "fullmatch", "split", "sub", "subn", "compile"})
_MEANT_AS_PATTERN = re.compile(r"\\[dwsDWSbB]|\[.+\]|\.[*+?]|[)*+?]$")
"""What nobody writes in a text that is looked for as it is."""
_BEGINS = re.compile(r"\((?:\?(?:P<\w+>|<?[:=!]|[a-z]+:))?")
_QUOTES = re.compile(r"""[rRuU]?('''|\"\"\"|'|\")""")
_GLOB = re.compile(r"\*[\w.-]+")


def pattern_of_a_text(failure: Failure) -> Iterator[Proposal]:
    r"""`re.findall("f(", text)`: `r"f\("`; `re.search(term, text)`: `re.escape(term)`; `r"(\d+"`: a bracket more."""
    match = _BROKEN.match(failure.error.evalue) if failure.error.ename in ("error", "PatternError") else None
    read = reading(failure) if match is not None else None
    if read is None or match is None:
        return
    for call in read.nodes(ast.Call):
        if read.called(call) not in _TAKE_PATTERNS or not call.args:
            continue
        pattern = call.args[0]
        if isinstance(pattern, ast.Constant) and isinstance(pattern.value, str):
            yield from _literal(read, pattern, pattern.value, match[1], int(match[2]))
        elif isinstance(pattern, ast.Name) and (module := read.module("re")):
            value = read.value(pattern)
            told = f" ({short(repr(value))})" if value is not UNKNOWN else ""
            why = f"`{pattern.id}`{told} is no regular expression; `escape` has it looked for as it is."
            yield from read.propose(read.wrap(pattern, f"{module}.escape("), why, "escaped pattern", 0.85)


def group_of_a_match(failure: Failure) -> Iterator[Proposal]:
    """`m.group(2)` of a pattern with one group: `m.group(1)`; a name that none has: the closest."""
    read = reading(failure) if failure.error.evalue == "no such group" else None
    for call in read.nodes(ast.Call) if read is not None else []:
        assert read is not None
        if read.called(call) != "group" or len(call.args) != 1 or not isinstance(call.func, ast.Attribute):
            continue
        pattern = _pattern_of(read, call.func.value)
        asked, told = call.args[0], read.text(call.func.value)
        wanted = read.value(asked)
        if pattern is None:
            continue
        if type(wanted) is int and pattern.groups:
            why = f"The pattern of `{told}` has {pattern.groups} group{'s' * (pattern.groups > 1)}, numbered from 1."
            edits = read.replace(asked, str(pattern.groups))
            yield from read.propose(edits, why, "group of a match", 0.9 if pattern.groups == 1 else 0.6)
        elif type(wanted) is int:
            why = f"The pattern of `{told}` has no group; `group()` gives all that was found."
            yield from read.propose(read.replace(asked, ""), why, "group of a match", 0.6)
        elif type(wanted) is str and (near := closest(wanted, pattern.groupindex)):
            why = f"The pattern of `{told}` has no group {wanted!r}; the closest is {near!r}."
            yield from read.propose(read.replace(asked, repr(near)), why, "group of a match", 0.9)


def _pattern_of(read: Reading, match: ast.expr) -> re.Pattern[str] | None:
    """The pattern that a match was found with, if it stands in the cell."""
    made = read.assigned(match.id) if isinstance(match, ast.Name) else None
    call = made.value if made is not None else match
    text = read.value(call.args[0]) if isinstance(call, ast.Call) and call.args else None
    try:
        return re.compile(text) if type(text) is str else None
    except re.error:
        return None


def _literal(read: Reading, node: ast.Constant, text: str, problem: str, place: int) -> Iterator[Proposal]:
    group = problem.startswith("missing )") and _MEANT_AS_PATTERN.search(text[place:])
    if group:
        yield from _closed(read, node, text, place)
    escaped = text
    at: int | None = place
    while at is not None and len(escaped) < len(text) + 4:
        escaped = f"{escaped[:at]}\\{escaped[at:]}"
        at = _problem_of(escaped)
    if at is None and not text.startswith("(?", place):
        sign = text[place : place + 1]
        why = f"`{sign}` has a meaning of its own in a regular expression; behind a backslash it is itself."
        prior = 0.4 if group or _GLOB.fullmatch(text) else 0.85
        yield from read.propose(read.replace(node, _raw(read, node, escaped)), why, "escaped pattern", prior)
    if _GLOB.fullmatch(text):
        why = "`*` alone repeats what stands before it; `.*` is any text, and a point is written `\\.`."
        any_text = _raw(read, node, f".*{re.escape(text[1:])}")
        yield from read.propose(read.replace(node, any_text), why, "any text", 0.5)


def _closed(read: Reading, node: ast.Constant, text: str, place: int) -> Iterator[Proposal]:
    """A group that is never closed ends with the pattern; where another one follows at a distance, before that."""
    why = "The bracket that begins a group in the pattern is never closed"
    inside = _BEGINS.sub("", text[place:], count=1)
    before, bracket, _ = inside.partition("(")
    kept = _without_gap(before)
    apart = bool(bracket and kept and kept != before and not kept.endswith("\\"))
    if apart:
        end = len(text) - len(inside) + len(kept)
        closed = f"{text[:end]}){text[end:]}"
        if _reads(closed):
            told = f"{why}; it ends before the next one."
            yield from read.propose(read.replace(node, _raw(read, node, closed)), told, "end of a group", 0.7)
    if _reads(f"{text})"):
        told = f"{why}; it ends with the pattern{', with the next one in it' if apart else ''}."
        edits = read.replace(node, _raw(read, node, f"{text})"))
        yield from read.propose(edits, told, "end of a group", 0.4 if apart else 0.85)


def _without_gap(pattern: str) -> str:
    """A pattern without what stands between two groups: spaces and the like at its end."""
    for gap in ("\\s+", "\\s*", "\\s"):
        pattern = pattern.removesuffix(gap)
    return pattern.rstrip(" ,;:/=-")


def _raw(read: Reading, node: ast.Constant, pattern: str) -> str:
    """A literal of a pattern, in the quotes of the one that was written."""
    written = _QUOTES.match(read.text(node))
    quote = written[1] if written is not None else '"'
    plain = not set(pattern) & {quote[0], "\n", "\r"} and not pattern.endswith("\\")
    return f"r{quote}{pattern}{quote}" if plain else repr(pattern)


def _reads(pattern: str) -> bool:
    return _problem_of(pattern) is None


def _problem_of(pattern: str) -> int | None:
    """Where a pattern can't be read; None if it can."""
    try:
        re.compile(pattern)
    except re.error as error:
        return error.pos or 0
    return None
