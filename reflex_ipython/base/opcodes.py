"""How one sequence becomes another, in bounded time.

`difflib` alone takes minutes for some hundred thousand equal lines, as a cell with pasted data has them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

Opcode = tuple[str, int, int, int, int]
"""As of `difflib.SequenceMatcher.get_opcodes`."""

LARGEST = 100_000
"""Up to so many pairs of equal items are compared; beyond, all between the common ends is one replacement."""


def opcodes(old: Sequence[str], new: Sequence[str]) -> list[Opcode]:
    """The steps from `old` to `new`: "equal", "replace", "delete", "insert", each with the ranges on both sides."""
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    old_end, new_end = len(old) - tail, len(new) - tail
    steps: list[Opcode] = [("equal", 0, head, 0, head)] if head else []
    steps += _middle(old[head:old_end], new[head:new_end], head)
    return steps + ([("equal", old_end, len(old), new_end, len(new))] if tail else [])


def similarity(steps: Sequence[Opcode]) -> float:
    """The share of the items that stay, from 0 to 1."""
    equal = sum(2 * (i2 - i1) for tag, i1, i2, _, _ in steps if tag == "equal")
    total = sum(i2 - i1 + j2 - j1 for _, i1, i2, j1, j2 in steps)
    return equal / total if total else 1.0


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """How many items are the same from the start on."""
    return next((number for number, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))


def _middle(old: Sequence[str], new: Sequence[str], start: int) -> list[Opcode]:
    there = Counter(new)
    if sum(there[item] for item in old) > LARGEST:
        return [("replace", start, start + len(old), start, start + len(new))]
    import difflib  # only where a text really changes

    steps = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(tag, i1 + start, i2 + start, j1 + start, j2 + start) for tag, i1, i2, j1, j2 in steps]
