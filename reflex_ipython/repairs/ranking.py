"""Which of several fixes comes first, and whether one convinces."""

from __future__ import annotations

import dataclasses

from reflex_ipython.base.opcodes import opcodes
from reflex_ipython.models import Fix, Repair, Verdict


def convincing(verdict: Verdict) -> bool:
    """Whether the fix passed, and nothing speaks against it."""
    return verdict.outcome == "passed" and not verdict.doubts


def is_unconvincing(repair: Repair) -> bool:
    """Whether somebody else should be asked: there is no answer, but a choice, or what was tried speaks against it.

    A fix of which no trial could say anything is an answer. So is one that lets the user's own cells run first.
    """
    if not repair.fixes or repair.is_choice:
        return True
    return all(_is_doubted(repair.verdict(fix)) and not fix.runs_first for fix in repair.fixes)


def _is_doubted(verdict: Verdict) -> bool:
    return verdict.outcome == "other_error" or (verdict.outcome == "passed" and bool(verdict.doubts))


def best_first(repair: Repair) -> Repair:
    """The repair with the fixes that pass in front, the likeliest and shortest first; the untried; then the others."""

    def rank(fix: Fix) -> tuple[int, float, int]:
        verdict = repair.verdict(fix)
        if verdict.dangerous:
            return 4, 0, 0
        if verdict.outcome == "passed":
            return (0 if convincing(verdict) else 1), -fix.prior, size(fix)
        return (2 if verdict.is_past or verdict.outcome in ("not_tried", "inconclusive") else 3), -fix.prior, 0

    if len(repair.fixes) < 2:
        return repair
    return dataclasses.replace(repair, fixes=tuple(sorted(repair.fixes, key=rank)))


def size(fix: Fix) -> int:
    """How many characters its edits take out and put in, line by line."""
    total = 0
    for edit in fix.edits:
        old, new = edit.expected.split("\n"), edit.source.split("\n")
        for tag, i1, i2, j1, j2 in opcodes(old, new):
            if tag != "equal":
                total += sum(map(len, old[i1:i2])) + sum(map(len, new[j1:j2]))
    return total
