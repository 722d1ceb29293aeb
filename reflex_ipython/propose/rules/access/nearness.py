"""Which of the words that are there may be meant by one that is not, and how likely each is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from reflex_ipython.propose.rules.closeness import closest, fold

_TOKENS = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])|(?<=[^\W\d])(?=\d)")
_SHOWN = 3
_ALIKE = 0.6  # of 1: so like each other two words must be
_RIVAL = 0.45  # what is less like than the best is no rival of it, only another choice
_MANY = 500

SURE_ENOUGH = 0.75
"""From here on the words differ in how they are written alone."""


class Near(NamedTuple):
    """A word, and how likely it is the one that was meant."""

    word: str
    prior: float


def near(wanted: str, available: Iterable[str]) -> list[Near]:
    """The few words that may be meant, the likeliest first.

    Parameters
    ----------
    wanted : str
        What was written.
    available : iterable of str
        What is really there.
    """
    choices = [word for word in dict.fromkeys(available) if word and word != wanted][:_MANY]
    slip = closest(wanted, choices, fixed=True)
    graded = sorted((Near(word, _grade(wanted, word, slip)) for word in choices), key=lambda one: -one.prior)
    found = [one for one in graded if one.prior > 0][:_SHOWN]
    if not found:
        return []
    best = found[0].prior
    equals = sum(one.prior == best for one in found)
    return [
        Near(word, best if equals == 1 else min(best, 0.9 / equals))
        if prior == best
        else Near(word, min(prior, best * _RIVAL))
        for word, prior in found
    ]


def nearest(wanted: str, available: Iterable[str], least: float = SURE_ENOUGH) -> str | None:
    """The one word that is likely meant; None if none is so likely."""
    found = near(wanted, available)
    return found[0].word if found and found[0].prior >= least else None


def _grade(wanted: str, word: str, slip: str | None) -> float:
    left, right = fold(wanted.strip()), fold(word.strip())
    if left == right:
        return 0.92
    if word == slip:
        return 0.85
    if _singular(left) == _singular(right):
        return 0.8
    ours, theirs = _tokens(wanted), _tokens(word)
    if _initials(left, theirs) or _initials(right, ours):
        return 0.65
    if ours and theirs and (ours <= theirs or theirs <= ours):
        return 0.6
    if _shortened(left, right) or _shortened(right, left):
        return 0.55
    return 0.5 if _alike(left, right) else 0.0


def _singular(word: str) -> str:
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("s", "")):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word[: -len(ending)] + instead
    return word


def _tokens(name: str) -> set[str]:
    return {_singular(part.lower()) for part in _TOKENS.split(name) if len(part) > 1}


def _initials(short: str, tokens: set[str]) -> bool:
    """Whether a word is made of the first letters of the other's: `lr`, `learning_rate`."""
    return 1 < len(short) == len(tokens) and sorted(short) == sorted(token[0] for token in tokens)


def _shortened(short: str, long: str) -> bool:
    """Whether one is an abbreviation of the other: `qty`, `quantity`; `rev`, `revenue`."""
    if not 3 <= len(short) < len(long) or short[0] != long[0]:
        return False
    letters = iter(long)
    return long.startswith(short) or (len(short) <= 4 and all(letter in letters for letter in short))


def _alike(left: str, right: str) -> bool:
    from rapidfuzz.distance import OSA  # only who misspells pays for the import

    if min(len(left), len(right)) < 4 or re.findall(r"\d+", left) != re.findall(r"\d+", right):
        return False
    return float(OSA.normalized_similarity(left, right)) >= _ALIKE
