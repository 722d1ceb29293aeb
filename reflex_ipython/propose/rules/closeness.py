"""Which of many words was meant, if that is beyond doubt.

Distances are optimal string alignment: letters inserted, dropped, replaced, and neighbours swapped. Typing slips rarely
touch the first letter (Pollock and Zamora, CACM 27(4), 1984), keep the digits, and stay inside one word of a compound.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_SEPARATORS = str.maketrans("", "", "_- .")
_WORDS = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])|(?<=\D)(?=\d)|(?<=\d)(?=\D)")
_DIGITS = re.compile(r"\d+")
_ENDINGS = frozenset({"s", "es", "d", "ed", "r", "er", "n", "y", "ly", "ing"})


def closest(wanted: str, available: Iterable[str], *, fixed: bool = False) -> str | None:
    """The word that was clearly meant, or None.

    Parameters
    ----------
    wanted : str
        What was written.
    available : iterable of str
        What is really there.
    fixed : bool
        Whether the words are somebody's interface, so that a plural or a missing letter can only be a slip. Among the
        user's own words `price` and `prices`, or `word` and `world`, may well be two things.
    """
    choices = [word for word in dict.fromkeys(available) if word != wanted and _offered(word, wanted)]
    folded = fold("\n".join(choices)).split("\n") if choices else []
    target = fold(wanted)
    same = [word for word, text in zip(choices, folded) if text == target]
    if same:
        return same[0] if len(same) == 1 and len(target) >= 2 else None
    return _nearest(wanted, choices, folded, fixed)


def fold(word: str) -> str:
    """A word without what is easily mixed up: capitals, underscores, hyphens, spaces."""
    return word.translate(_SEPARATORS).lower()


def _offered(word: str, wanted: str) -> bool:
    if word.startswith("__"):
        return wanted.startswith("__")
    return word.startswith("_") == wanted.startswith("_")


def _nearest(wanted: str, choices: list[str], folded: list[str], fixed: bool) -> str | None:
    from rapidfuzz import process  # only who misspells pays for the import
    from rapidfuzz.distance import OSA

    target = fold(wanted)
    most = _most(len(target))
    hits = process.extract(target, folded, scorer=OSA.distance, score_cutoff=most + 2, limit=None)
    plausible = [(distance, choices[index]) for _, distance, index in hits if _slip(wanted, choices[index], fixed)]
    if not plausible:
        return None
    (best, word), *others = plausible
    margin = 1 if best <= 1 else 2
    rivals = any(distance < best + margin for distance, _ in others)
    # A word that is nearer still, but no slip of the finger, is another thing of the same family: `x_train`, `y_train`.
    rivals = rivals or hits[0][1] < best
    return word if best <= most and not rivals else None


def _most(length: int) -> int:
    """How many slips a word of that length may have."""
    return 1 if length < 8 else 2 if length < 13 else 3


def _slip(wanted: str, word: str, fixed: bool) -> bool:
    """Whether one is the other with slips of the finger, not another member of the same family."""
    if _DIGITS.findall(wanted) != _DIGITS.findall(word):
        return False
    left, right = _words(wanted), _words(word)
    if len(left) != len(right):
        return _word_slip(fold(wanted), fold(word), fixed)
    # The other words of a compound name say which one is meant.
    return all(a == b or _word_slip(a, b, fixed, compound=len(left) > 1) for a, b in zip(left, right))


def _words(name: str) -> list[str]:
    return [part.lower() for part in _WORDS.split(name) if part]


def _word_slip(wanted: str, word: str, fixed: bool, *, compound: bool = False) -> bool:
    from rapidfuzz.distance import OSA

    if not fixed and _inflected(wanted, word):
        return False
    distance = OSA.distance(wanted, word)
    if distance > _most(len(wanted)) or not _same_start(wanted, word):
        return False
    if sorted(wanted) == sorted(word):
        return len(wanted) >= 3
    # A short word with one letter replaced is likely another word: text and test, data and date.
    return len(wanted) >= (6 if len(wanted) == len(word) else 4 if fixed or compound else 5)


def _same_start(wanted: str, word: str) -> bool:
    # Swapped letters are followed by the same one: `unique` is no slip for `nunique`.
    return wanted[:1] == word[:1] or (wanted[:2] == word[:2][::-1] and wanted[2:3] == word[2:3])


def _inflected(wanted: str, word: str) -> bool:
    short, long = sorted((wanted, word), key=len)
    return long.startswith(short) and long[len(short) :] in _ENDINGS
