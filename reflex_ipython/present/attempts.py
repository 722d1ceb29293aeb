"""The attempts at code that was asked for in words, a line each."""

from __future__ import annotations

from reflex_ipython.models import Asked, Repair, Wish
from reflex_ipython.present.amounts import duration
from reflex_ipython.present.notice import Notice
from reflex_ipython.present.verdict_line import verdict_line


def attempts(repair: Repair) -> tuple[Notice, ...]:
    """What came of each, in the order in which they were made; nothing where code was not asked for in words."""
    return tuple(_line(repair, one) for one in repair.asked) if isinstance(repair.cause, Wish) else ()


def _line(repair: Repair, asked: Asked) -> Notice:
    fix, took = repair.fix(asked.fix_id), duration(asked.seconds)
    if fix is None:
        return Notice(f"Attempt {asked.number}, {took}: {asked.problem}", "bad")
    verdict = repair.verdict(fix)
    line = verdict_line(verdict)
    told = f": {verdict.trial.evalue}" if verdict.outcome == "other_error" and verdict.trial else ""
    return Notice(f"Attempt {asked.number}, {took}: {line.text}{told}", line.tone)
