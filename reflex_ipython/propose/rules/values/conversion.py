"""Which conversion turns a text into the number that it stands for."""

from __future__ import annotations

import ast
from typing import Any

from reflex_ipython.propose.rules.values.reading import UNKNOWN, Reading, short


def parses(function: type[int] | type[float], value: Any) -> bool:
    """Whether `int` or `float` takes a text."""
    try:
        function(value)
    except (ValueError, TypeError, OverflowError):
        return False
    return True


def is_prose(value: Any) -> bool:
    """Whether a text is known to be no number."""
    return type(value) is str and not parses(float, value)


def numeric(values: list[Any]) -> list[tuple[str, float]]:
    """The functions that may be meant, with how likely each is; none if a text is no number.

    Parameters
    ----------
    values : list
        The texts that are to be numbers, `UNKNOWN` among them.
    """
    texts = [value for value in values if type(value) is str]
    if not all(parses(float, text) for text in texts):
        return []
    if len(texts) < len(values) or not values:
        return [("int", 0.55), ("float", 0.5)]
    if all(parses(int, text) for text in texts):
        return [("int", 0.75), ("float", 0.3)]
    return [("float", 0.85)]


def told(reading: Reading, node: ast.expr, kind: str = "text") -> str:
    """A value in a sentence: "`age` is text ('12')"."""
    value, text = reading.value(node), short(reading.text(node))
    if value is UNKNOWN or isinstance(node, ast.Constant):
        return f"`{text}` is {kind}"
    return f"`{text}` is {kind} ({short(repr(value))})"
