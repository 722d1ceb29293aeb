"""What a trial put out and changed, in a few words: for the fold below the verdict."""

from __future__ import annotations

from dataclasses import dataclass

from reflex_ipython.models import NameChange, Trial, ValueFacts


@dataclass(frozen=True)
class Preview:
    """What there is to see of a trial.

    Parameters
    ----------
    summary : str
        The fold's title: "prints 3 lines · 1 figure · changes `df`".
    output : str
        What it printed, then the last expression's text.
    image : str
        Its first figure, a PNG in base64; empty if there is none.
    changes : tuple of str
        What it did to the user's names, a line each.
    """

    summary: str
    output: str
    image: str
    changes: tuple[str, ...]


def preview(trial: Trial) -> Preview | None:
    """The preview of a trial; None if there is nothing to see."""
    output = "\n".join(text.rstrip("\n") for text in (trial.stdout, trial.result) if text.strip())
    parts = [*_put_out(trial), *_changed(trial.changes)]
    if not parts:
        return None
    return Preview(" · ".join(parts), output, trial.image, tuple(_change(change) for change in trial.changes))


def _put_out(trial: Trial) -> list[str]:
    lines = len(trial.stdout.strip("\n").split("\n")) if trial.stdout.strip() else 0
    found = [f"prints {_count(lines, 'line')}"] if lines else []
    if trial.figures:
        found.append(f"shows {_count(trial.figures, 'figure')}")
    if trial.result:
        found.append("shows a result")
    return found


_VERBS = {"added": "adds", "removed": "removes", "rebound": "replaces", "changed": "changes"}
_NAMED = 3


def _changed(changes: tuple[NameChange, ...]) -> list[str]:
    found = []
    for kind, verb in _VERBS.items():
        names = [f"`{change.name}`" for change in changes if change.kind == kind]
        more = len(names) - _NAMED
        if names:
            found.append(f"{verb} {', '.join(names[:_NAMED])}" + (f" and {more} more" if more > 0 else ""))
    return found


def _change(change: NameChange) -> str:
    before, after = (_facts(facts) if facts else "" for facts in (change.before, change.after))
    if before and after and before != after:
        return f"{_VERBS[change.kind]} `{change.name}`: {before} → {after}"
    return f"{_VERBS[change.kind]} `{change.name}`: {after or before}"


def _facts(facts: ValueFacts) -> str:
    name = facts.type.rpartition(".")[2]
    if facts.shape is not None:
        size = " × ".join(map(str, facts.shape)) or "a single value"
        return f"{name}, {size}" + (f", {facts.dtype}" if facts.dtype else "")
    return name if facts.length is None else f"{name} of {facts.length}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
