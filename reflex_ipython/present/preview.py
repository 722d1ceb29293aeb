"""What a trial put out and changed, in a few words: for the fold below the verdict."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reflex_ipython.models import MOST_CHANGES, NameChange, Trial, ValueFacts

_PRINTED, _SHOWS = "what it printed", "what it shows"


@dataclass(frozen=True)
class Preview:
    """What there is to see of a trial.

    Parameters
    ----------
    summary : str
        The fold's title: "what it printed · changes `df`".
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

    @property
    def effects(self) -> str:
        """What it did to names, in a line: the summary without what has to be looked at."""
        return " · ".join(part for part in self.summary.split(" · ") if part not in (_PRINTED, _SHOWS))


def preview(trial: Trial) -> Preview | None:
    """The preview of a trial; None if there is nothing to see."""
    output = "\n".join(text for text in (_printed(trial), trial.result.strip("\n")) if text.strip())
    shown = trial.figures or trial.result.strip()
    parts = [*([_SHOWS] if shown else [_PRINTED] if output else []), *_changed(trial.changes)]
    return Preview(" · ".join(parts), output, trial.image, _lines(trial.changes)) if parts else None


def put_out(trial: Trial) -> tuple[str, ...]:
    """What it put out, kind by kind: "prints 3 lines", "shows 1 figure", "shows a result"."""
    printed = _printed(trial)
    lines = len(printed.split("\n")) if printed.strip() else 0
    found = [f"prints {_count(lines, 'line')}"] if lines else []
    if trial.figures:
        found.append(f"shows {_count(trial.figures, 'figure')}")
    if trial.result.strip():
        found.append("shows a result")
    return tuple(found)


_COLOURS = re.compile("\x1b\\[[0-9;]*[A-Za-z]")
_OVERWRITTEN = re.compile("[^\n]*\r(?=[^\n\r])")


def as_a_terminal_shows(printed: str) -> str:
    """Without colours, and of a progress bar only its last state."""
    return _OVERWRITTEN.sub("", _COLOURS.sub("", printed).replace("\r\n", "\n")).replace("\r", "")


def _printed(trial: Trial) -> str:
    return as_a_terminal_shows(trial.stdout).strip("\n")


_VERBS = {"added": "adds", "removed": "removes", "rebound": "replaces", "changed": "changes"}
_NAMED = 3
_LISTED = 20


def _changed(changes: tuple[NameChange, ...]) -> list[str]:
    found = []
    for kind, verb in _VERBS.items():
        names = [f"`{change.name}`" for change in changes if change.kind == kind]
        if names:
            found.append(f"{verb} {', '.join(names[:_NAMED])}{_more(names, _NAMED, changes)}")
    return found


def _more(told: Sequence[object], most: int, changes: tuple[NameChange, ...]) -> str:
    """How many are not listed. A trial that tells of the most that it can may have changed more: nobody counts them."""
    more = len(told) - most
    if more <= 0:
        return ""
    return " and many more" if len(changes) == MOST_CHANGES else f" and {more} more"


def _lines(changes: tuple[NameChange, ...]) -> tuple[str, ...]:
    more = _more(changes, _LISTED, changes).strip()
    return (*map(_line, changes[:_LISTED]), *([more] if more else []))


def _line(change: NameChange) -> str:
    before, after = (described(facts) if facts else "" for facts in (change.before, change.after))
    facts = f"{before} → {after}" if before and after and before != after else after or before
    return f"{_VERBS[change.kind]} `{change.name}`" + (f": {facts}" if facts else "")


def described(facts: ValueFacts) -> str:
    """A value by its type and size, in a few words."""
    name = facts.type.rpartition(".")[2]
    if facts.shape is not None:
        size = " × ".join(map(str, facts.shape)) or "a single value"
        return f"{name}, {size}" + (f", {facts.dtype}" if facts.dtype else "")
    if facts.length is None:
        return name
    return f"{name}, {_count(facts.length, 'character')}" if name == "str" else f"{name} of {facts.length}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
