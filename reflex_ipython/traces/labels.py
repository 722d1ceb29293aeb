"""The words of one call, for whoever draws it: what was called, with what, what came of it, and how long it took."""

from __future__ import annotations

import dataclasses

from reflex_ipython.present.printable import one_line
from reflex_ipython.traces.recorded import Argument, Call
from reflex_ipython.traces.tree import Branch, Folded

_ARGUMENT = 40  # characters
_RESULT = 60


@dataclasses.dataclass(frozen=True)
class Label:
    """A call in words.

    Parameters
    ----------
    called : str
        `mean([3])`.
    came : str
        What it gave or raised, with an arrow or a cross in front; empty: it has not ended.
    took : str
        `1.2 ms`; empty: it has not ended.
    place : str
        The file or cell, and the line: where it was raised, else where the function begins.
    is_error : bool
    """

    called: str
    came: str
    took: str
    place: str
    is_error: bool


def label(branch: Branch) -> Label:
    """A call in words."""
    call, function = branch.call, branch.function
    arguments = ", ".join(map(_argument, call.arguments))
    line = (call.exception.line if call.exception is not None else None) or function.line
    file = f"In [{function.cell}]" if function.cell is not None else function.file.replace("\\", "/").rpartition("/")[2]
    place = one_line(f"{file}, line {line}")
    called = f"{function.name}({arguments})"
    return Label(one_line(called, 120), _came(call), took(call.duration), place, call.exception is not None)


def folded(one: Folded) -> str:
    """Calls that are not shown, in words."""
    return one_line(f"… and {one.count:,} more of {one.name}, {took(one.seconds)} in all")


def took(seconds: float | None) -> str:
    """A duration, to three digits."""
    if seconds is None:
        return ""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def _argument(one: Argument) -> str:
    text = one_line(one.value.text, _ARGUMENT)
    if one.kind == "keyword":
        return f"{one.name}={text}"
    return f"{'*' * {'args': 1, 'kwargs': 2}.get(one.kind, 0)}{text}"


def _came(call: Call) -> str:
    if call.exception is not None:
        words = call.exception.type.rpartition(".")[2] or "an exception"
        return one_line(f"✗ {words}: {call.exception.message}" if call.exception.message else f"✗ {words}", 120)
    if call.yielded:
        return f"→ {call.yielded:,} value{'s' * (call.yielded != 1)}"
    return f"→ {one_line(call.result.text, _RESULT)}" if call.result is not None else ""
