"""Long lists of names, written as text: one line holds ten of them, and nobody reads commas."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())
