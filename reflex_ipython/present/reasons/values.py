"""The values in play, in words."""

from __future__ import annotations

from reflex_ipython.base.article import a
from reflex_ipython.models import Failure, Frame, ValueSummary

_SHOWN = 3
_LONGEST = 60  # characters of one value


def in_play(failure: Failure) -> tuple[ValueSummary, ...]:
    """The variables that the failing lines of the user's own code use."""
    frame = own_frame(failure)
    return frame.variables if frame is not None else failure.situation.values


def own_frame(failure: Failure) -> Frame | None:
    """The innermost frame of the user's own code."""
    return next((frame for frame in reversed(failure.error.frames) if frame.cell is not None), None)


def values_in_words(failure: Failure) -> str:
    """A sentence on the values that the failing statement uses; empty if there is none to tell."""
    line = _failing_line(failure)
    told = [
        _told(value) for value in in_play(failure) if value.name in line and value.kind not in ("function", "module")
    ]
    told = [one for one in told if one][:_SHOWN]
    return f"Here {', '.join(told)}{'' if told[-1].endswith('…') else '.'}" if told else ""


def _failing_line(failure: Failure) -> str:
    frame = own_frame(failure)
    if frame is not None:
        lines, number = frame.source.split("\n"), frame.lineno - frame.first_lineno
        return lines[number] if 0 <= number < len(lines) else frame.source
    return failure.situation.source


def _told(value: ValueSummary) -> str:
    first = value.text.strip().partition("\n")[0]
    kind = value.type.rpartition(".")[2]
    if not first or value.kind == "unknown":
        return f"`{value.name}` is {a(f'`{kind}`')}" if kind else ""
    text = first if len(first) <= _LONGEST else f"{first[: _LONGEST - 1]}…"
    if text != first and value.kind in ("table", "array"):  # facts, of which a part says nothing
        text = first[:_LONGEST].rpartition("; ")[0] or text
    return f"`{value.name}` is {a(f'`{kind}`')}: {text}" if kind not in text else f"`{value.name}` is {text}"
