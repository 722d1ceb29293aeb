"""Which of the words that are there may be meant by one that is not, and how likely each is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from reflex_ipython.base.working_cache import working_cache
from reflex_ipython.propose.rules.closeness import closest, fold
from reflex_ipython.propose.rules.same_meaning import same_meaning

_TOKENS = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])|(?<=[^\W\d])(?=\d)")
_SHOWN = 3
_ALIKE = 0.6  # of 1: so like each other two words must be
_RIVAL = 0.45  # what is less like than the best is no rival of it, only another choice
_VERY_ALIKE = 0.8
_SHORTEST = 4  # a shorter word is like too many others
_MANY = 500
_DIGITS = re.compile(r"\d+")

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
    return list(_near(wanted, tuple(choices)))


@working_cache(maxsize=32)  # several rules of one failure ask the same
def _near(wanted: str, choices: tuple[str, ...]) -> tuple[Near, ...]:
    graded = sorted(_graded(wanted, choices), key=lambda one: -one.prior)
    found = [one for one in graded if one.prior > 0][:_SHOWN]
    if not found:
        return ()
    best = found[0].prior
    equals = sum(one.prior == best for one in found)
    return tuple(
        Near(word, best if equals == 1 else min(best, 0.9 / equals))
        if prior == best
        else Near(word, min(prior, best * _RIVAL))
        for word, prior in found
    )


def nearest(wanted: str, available: Iterable[str], least: float = SURE_ENOUGH) -> str | None:
    """The one word that is likely meant; None if none is so likely."""
    found = near(wanted, available)
    return found[0].word if found and found[0].prior >= least else None


def _graded(wanted: str, choices: tuple[str, ...]) -> Iterator[Near]:
    slip = closest(wanted, choices, fixed=True)
    ours, left = _tokens(wanted), fold(wanted.strip())
    singular = _singular(left)
    folded = [fold(word.strip()) for word in choices]
    alike = _alike(left, folded)
    for place, (word, right) in enumerate(zip(choices, folded)):
        theirs = _tokens(word)
        if left == right:
            yield Near(word, 0.92)
        elif word == slip:
            yield Near(word, 0.85)
        elif singular == _singular(right):
            yield Near(word, 0.8)
        elif ours and ours <= theirs:
            yield Near(word, 0.6)
        elif _shortened(left, right):
            yield Near(word, 0.55)
        elif place in alike:
            yield Near(word, 0.5 if alike[place] >= _VERY_ALIKE and left[:1] == right[:1] else 0.35)
        # What says more than any word that is there may be something that was never made: `price`, `total_price`.
        elif (
            (theirs and theirs <= ours) or _shortened(right, left) or _initials(left, theirs) or _initials(right, ours)
        ):
            yield Near(word, 0.45)
        elif same_meaning(ours, theirs):
            yield Near(word, 0.4)


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


def _alike(wanted: str, words: list[str]) -> dict[int, float]:
    """The places of the words that are so like it that it may be one of them, and how like they are."""
    from rapidfuzz import process  # only who misspells pays for the import
    from rapidfuzz.distance import OSA

    if len(wanted) < _SHORTEST:
        return {}
    hits = process.extract(wanted, words, scorer=OSA.normalized_similarity, score_cutoff=_ALIKE, limit=10)
    digits = _DIGITS.findall(wanted)
    return {place: like for word, like, place in hits if len(word) >= _SHORTEST and _DIGITS.findall(word) == digits}
