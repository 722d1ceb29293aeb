"""None as the answer of what looks for something: `re.match` of a text without a match."""

from __future__ import annotations

import re

from reflex_ipython.models import Failure
from reflex_ipython.present.reasons.values import own_frame

_LOOKS = r"(?P<call>[\w.]+\.(?:match|fullmatch|search|find|get))\("
"""Methods that give None where there is nothing to find, of texts, of parsed pages and of mappings."""


def search_in_vain(failure: Failure, owner: str) -> str:
    """The function that looked for what `owner` was to be, `re.match`; empty where that is not known.

    Parameters
    ----------
    failure : Failure
    owner : str
        The expression that is None: a name, or the call itself.
    """
    here = re.match(_LOOKS, owner)
    frame = own_frame(failure)
    if here is not None or frame is None or not owner.isidentifier():
        return here["call"] if here is not None else ""
    before = frame.source.split("\n")[: frame.lineno - frame.first_lineno + 1]
    for line in reversed(before):
        assigned = re.search(rf"\b{owner}\s*:?=(?!=)\s*(?P<value>.*)", line)
        if assigned is not None:
            found = re.match(_LOOKS, assigned["value"])
            return found["call"] if found is not None else ""
    return ""
