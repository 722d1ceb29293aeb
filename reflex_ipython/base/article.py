"""A word with "a" or "an" before it: names of types are put into sentences."""

from __future__ import annotations

import re

_SPELT = "AEFHILMNORSX"
"""Letters whose own names begin with a vowel: an HTML page, an ndarray."""


def a(word: str, *, capital: bool = False) -> str:
    """The word behind its article, by how it is spoken.

    Parameters
    ----------
    word : str
        A noun, perhaps in quotes, or the name of a class with its module.
    capital : bool
        Whether a sentence begins with it.
    """
    names = re.findall(r"\w+", word) or [""]
    spoken = names[-1]
    if re.match(r"[A-Z]{2}", spoken) or spoken.startswith("nd"):
        vowel = spoken[0].upper() in _SPELT
    else:
        vowel = re.match(r"(?i)[aei]|o(?!ne)|unk|uns|und", spoken) is not None
    article = "an" if vowel else "a"
    return f"{article.capitalize() if capital else article} {word}"
