"""What a fix gives, in one line: several that run are told apart by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from reflex_ipython.models import Fix, NameChange, Repair, Trial
from reflex_ipython.present.preview import as_a_terminal_shows, described
from reflex_ipython.present.results import results

_PARTS, _MOST = 3, 8
"""Parts that are told; and where that leaves two fixes alike which came to different things."""
_LONGEST = 80  # characters of a part


def gives(repair: Repair) -> dict[str, str]:
    """What each fix that passed came to, by its id: its result, what it printed, the names that it set.

    Parameters
    ----------
    repair : Repair
    """
    passed = [(fix, trial) for fix in repair.fixes if (trial := _trial(repair, fix)) is not None]
    brief = {fix.id: _brief(trial, _sources(repair, fix)) for fix, trial in passed}
    alike = Counter(brief.values())
    return {fix.id: _all(trial) if alike[brief[fix.id]] > 1 else brief[fix.id] for fix, trial in passed}


def _trial(repair: Repair, fix: Fix) -> Trial | None:
    verdict = repair.verdict(fix)
    return verdict.trial if verdict.outcome == "passed" else None


def _sources(repair: Repair, fix: Fix) -> list[str]:
    situation = repair.situation
    return [*(step.source for step in fix.runs_first), fix.source_of(situation.place, situation.source)]


def _brief(trial: Trial, sources: list[str]) -> str:
    """Its results; if nothing counts as one, all."""
    told = [*_shown(trial), *map(_change, results(trial, sources))]
    return _line(told, _PARTS) if told else _all(trial)


def _all(trial: Trial) -> str:
    return _line([*_shown(trial), *map(_change, trial.changes)], _MOST)


def _shown(trial: Trial) -> Iterable[str]:
    parts = [_first_line("gives", trial.result), _first_line("prints", as_a_terminal_shows(trial.stdout))]
    if trial.figures:
        parts.append("shows a figure" if trial.figures == 1 else f"shows {trial.figures} figures")
    return filter(None, parts)


def _line(told: list[str], most: int) -> str:
    more = len(told) - most
    return " · ".join(told[:most]) + (f" · and {more} more" if more > 0 else "")


def _first_line(verb: str, text: str) -> str:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if not lines:
        return ""
    more = len(lines) - 1
    return f"{verb} {_clipped(lines[0])}" + (f" and {more} more line{'s' if more > 1 else ''}" if more else "")


def _change(change: NameChange) -> str:
    if change.after is None:
        return f"removes `{change.name}`"
    if change.after.text:
        return f"`{change.name}` = {_clipped(change.after.text)}"
    return f"`{change.name}`: {described(change.after)}"


def _clipped(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
