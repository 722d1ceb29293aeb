"""Words that are near to one another, though not so near that nothing else could be meant."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from reflex_ipython.propose.rules.closeness import fold

_STARTS = ("set_", "get_", "to_", "is_", "read_", "add_")
_MOST = 4
"""Words that are offered."""


class NearName(NamedTuple):
    """A word and how likely it is meant, from 0 to 1."""

    word: str
    prior: float


def near(wanted: str, available: Iterable[str], *, fixed: bool = False) -> list[NearName]:
    """The words that may be meant, the likeliest first.

    Parameters
    ----------
    wanted : str
        What was written.
    available : iterable of str
        What is there.
    fixed : bool
        Whether the words are somebody's interface, where another word is rarely another thing.
    """
    from rapidfuzz.distance import OSA

    target = fold(wanted)
    words = [word for word in dict.fromkeys(available) if word != wanted]
    found: list[NearName] = []
    for word, text in zip(words, fold("\n".join(words)).split("\n")):
        if not text or not _may_be_near(target, text) or word.startswith("_") != wanted.startswith("_"):
            continue
        prior = _prior(target, text, OSA.distance(target, text, score_cutoff=3))
        if fixed and {wanted, word} & {f"{start}{other}" for start in _STARTS for other in (wanted, word)}:
            prior = max(prior, 0.7)  # `ax.xlabel`: `ax.set_xlabel`
        if prior:
            found.append(NearName(word, min(0.9, prior + 0.1) if fixed and prior >= 0.5 else prior))
    found.sort(key=lambda one: (-one.prior, one.word))
    return found[:_MOST]


def _may_be_near(wanted: str, word: str) -> bool:
    """Whether it is worth a closer look: most words of a large module are not."""
    if not wanted or abs(len(wanted) - len(word)) > 12:
        return False
    return (
        wanted[0] == word[0] or wanted[1:2] == word[:1] or wanted[:1] == word[1:2] or wanted in word or word in wanted
    )


def _prior(wanted: str, word: str, distance: int) -> float:
    short, long = sorted((wanted, word), key=len)
    if distance == 0:
        return 0.8 if len(word) > 1 else 0.65
    if not _same_digits(wanted, word):
        # `df1` and `df`: a number that is missing or too many, never another number.
        return 0.45 if long.rstrip("0123456789") == short or long.replace(short, "").isdigit() else 0.0
    if len(short) < 2:
        return 0.6 if long in (f"{short}s", f"{short}{short}") and word == long else 0.0
    if distance == 1:
        return _one_slip(wanted, word, len(short), len(long))
    if distance == 2 and len(short) >= 6 and wanted[0] == word[0]:
        return 0.5
    if len(short) >= 2 and (long.startswith(short) or long.endswith(short)):
        return 0.4 if len(short) >= 3 else 0.2
    if distance == 2 and len(short) >= 4:
        return 0.35
    if len(short) >= 3 and short[0] == long[0] and _is_subsequence(short, long):
        return 0.4
    return 0.0


def _one_slip(wanted: str, word: str, short: int, long: int) -> float:
    """Of one letter that is missing, too many, replaced, or two that changed places."""
    if sorted(wanted) == sorted(word):
        return 0.7 if short >= 3 else 0.4
    if short != long:
        return 0.65 if short >= 3 else 0.35
    # A short word with one letter replaced is likely another word: text and test, x1 and y1.
    return 0.6 if short >= 5 and wanted[0] == word[0] else 0.4 if short >= 3 else 0.15


def _same_digits(wanted: str, word: str) -> bool:
    return [one for one in wanted if one.isdigit()] == [one for one in word if one.isdigit()]


def _is_subsequence(short: str, long: str) -> bool:
    """Whether the letters of the one are in the other in their order: `sqrt` in `squareroot`."""
    letters = iter(long)
    return all(letter in letters for letter in short)
