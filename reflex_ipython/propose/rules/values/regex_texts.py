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
    if group and _reads(f"{text})"):
        why = "The bracket that begins a group in the pattern is never closed."
        yield from read.propose(read.replace(node, _raw(f"{text})")), why, "end of a group", 0.85)
    escaped = text
    at: int | None = place
    while at is not None and len(escaped) < len(text) + 4:
        escaped = f"{escaped[:at]}\\{escaped[at:]}"
        at = _problem_of(escaped)
    if at is None:
        sign = text[place : place + 1]
        why = f"`{sign}` has a meaning of its own in a regular expression; behind a backslash it is itself."
        prior = 0.4 if group or _GLOB.fullmatch(text) else 0.85
        yield from read.propose(read.replace(node, _raw(escaped)), why, "escaped pattern", prior)
    if _GLOB.fullmatch(text):
        why = "`*` alone repeats what stands before it; `.*` is any text, and a point is written `\\.`."
        yield from read.propose(read.replace(node, _raw(f".*{re.escape(text[1:])}")), why, "any text", 0.5)


def _raw(pattern: str) -> str:
    """A literal of a pattern."""
    plain = not set(pattern) & set('"\n\r') and not pattern.endswith("\\")
    return f'r"{pattern}"' if plain else repr(pattern)


def _reads(pattern: str) -> bool:
    return _problem_of(pattern) is None


def _problem_of(pattern: str) -> int | None:
    """Where a pattern can't be read; None if it can."""
    try:
        re.compile(pattern)
    except re.error as error:
        return error.pos or 0
    return None
