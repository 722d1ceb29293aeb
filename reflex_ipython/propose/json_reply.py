"""A model that answers with JSON of its own making, or with a whole notebook: the texts in it. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any


def texts_in(answer: str) -> list[str]:
    """All texts in an answer that is JSON; none if it is not.

    Parameters
    ----------
    answer : str
        An object or a list. A list of lines, as notebooks have them, is one text.
    """
    text = answer.strip()
    if text[:1] not in ("{", "["):
        return []
    try:
        found = json.loads(text, strict=False)  # newlines in the midst of a text are common
    except (ValueError, RecursionError):
        return []
    return [one for one in _texts(found) if one.strip()]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        yield "".join(value) if any(one.endswith("\n") for one in value) else "\n".join(value)
    elif isinstance(value, (list, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)
