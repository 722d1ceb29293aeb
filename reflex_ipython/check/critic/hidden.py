"""Fixes that are not what they look like: hidden characters, and identifiers made of look-alike letters."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator

from reflex_ipython.base.characters import HIDDEN, described
from reflex_ipython.check.critic.added import Change, runs
from reflex_ipython.check.parsed_cell import ParsedCell, read
from reflex_ipython.models import Cause, Finding, Fix, Trial
from reflex_ipython.protocols import Context

_WORD = re.compile(r"\w+")
_LINES, _KINDS = 3, 4

# Letters of other scripts that look like ASCII ones in most fonts; after Unicode's confusables.txt.
_LETTERS = (
    ("аАвВсСԁеЕԍһНіІјЈкКӏӀмМоОрРԛѕЅтТԝѡхХуУү", "aABBcCdeEGhHiIjJkKlIMMoOpPqsSTTwwxXyYy"),  # Cyrillic
    ("αΑΒϲϹΕΗιΙκΚΜνΝοΟρΡΤυΥγχΧΖ", "aABcCEHiIkKMvNoOpPTuYyxXZ"),  # Greek
    ("օՕհոսցզյԼ", "oOhnugqjL"),  # Armenian
    ("ᎪᏴᏟᎠᎬᏀᎻᎥᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ", "ABCDEGHiJKLMPRSTVWZ"),  # Cherokee
    ("ɑɡıℓ", "agil"),
)
_LOOKS_LIKE = str.maketrans(dict(pair for strange, plain in _LETTERS for pair in zip(strange, plain, strict=True)))


class HiddenTextChecker:
    """Says which hidden characters and look-alike identifiers a fix brings."""

    name = "hidden text"
    needs_trial = False

    def __init__(self, context: Context | None = None) -> None:
        """Needs nothing of the context."""

    def check(self, cause: Cause, fix: Fix, trial: Trial | None = None) -> Iterator[Finding]:
        """Yield a finding for the hidden characters of each cell, and for each strange identifier."""
        sources = [cause.situation.source, *(cell.source for cell in cause.situation.earlier)]
        known = {*dir(builtins), *keyword.kwlist, *(name for source in sources for name in _identifiers(read(source)))}
        for change in runs(fix):
            yield from _hidden(change.old.source, change.new.source)
            yield from _strange(change, known)


def _hidden(old: str, new: str) -> Iterator[Finding]:
    added = Counter(HIDDEN.findall(_ends(new))) - Counter(HIDDEN.findall(_ends(old)))
    lines = {
        number: list(dict.fromkeys(character for character in HIDDEN.findall(line) if character in added))
        for number, line in enumerate(_ends(new).split("\n"), 1)
    }
    found = [(number, characters) for number, characters in lines.items() if characters]
    for number, characters in found[:_LINES]:
        more = len(characters) - _KINDS
        kinds = ", ".join(map(described, characters[:_KINDS])) + (f" and {more} more kinds" if more > 0 else "")
        yield Finding("hidden-text", f"hidden characters on line {number}: {kinds}", "danger")
    if len(found) > _LINES:
        yield Finding("hidden-text", f"hidden characters on {len(found) - _LINES} more lines", "danger")


def _ends(source: str) -> str:
    return source.replace("\r\n", "\n")


def _strange(change: Change, known: set[str]) -> Iterator[Finding]:
    """Identifiers that Python reads as another word, and those that only look like a word."""
    if change.new.source.isascii():
        return
    identifiers = set(_identifiers(change.new))
    before = set(_WORD.findall(change.old.source))
    seen = set[str]()
    for number, line in enumerate(change.new.source.split("\n"), 1):
        for word in _WORD.findall(line):
            if word.isascii() or word in before or word in seen:
                continue
            seen.add(word)
            read_as = unicodedata.normalize("NFKC", word)
            if read_as not in identifiers and read_as not in change.new.magics:
                continue
            shown = "".join(letter if letter.isascii() else f"<{ord(letter):04X}>" for letter in word)
            if read_as != word and read_as.isascii():
                yield Finding("look-alike", f"`{shown}` on line {number} is read as `{read_as}`", "danger")
            elif (like := _looks_like(read_as, known)) is not None:
                odd = next(letter for letter in read_as if not letter.isascii())
                words = f"`{shown}` on line {number} looks like `{like}`: it has {described(odd)}"
                yield Finding("look-alike", words, "danger")


def _looks_like(word: str, known: set[str]) -> str | None:
    """The ASCII word that another looks like; None for an honest word of another script."""
    like = word.translate(_LOOKS_LIKE)
    if not like.isascii() or like == word:
        return None
    letters = [letter.isascii() for letter in word if letter.isalpha()]
    mixed = 2 * sum(letters) >= len(letters)
    greek = all(letter.isascii() or "GREEK" in unicodedata.name(letter, "") for letter in word)
    return like if like in known or (mixed and not greek) else None


def _identifiers(cell: ParsedCell) -> Iterator[str]:
    for node in cell.nodes():
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.arg, ast.keyword)) and node.arg:
            yield node.arg
        elif isinstance(node, ast.alias):
            yield from (node.asname or node.name).split(".")
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name
