"""What is known of an error, in words and without a model."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_ipython.models import Failure, Frame, Lookup, Repair, Verdict
from reflex_ipython.present.choice import question
from reflex_ipython.present.gives import gives
from reflex_ipython.present.printable import printable
from reflex_ipython.present.reasons import reason
from reflex_ipython.present.verdict_line import verdict_line

SHOWN_NAMES = 12
"""Names listed of what is really there."""
RELATIONS = {"raised": "", "cause": "caused by ", "context": "while handling ", "member": "among them "}


def explanation(repair: Repair) -> str:
    """The error, where it happened, what was there, and what the fixes say.

    Parameters
    ----------
    repair : Repair

    Returns
    -------
    str
        A few lines of plain text.
    """
    lines = [repair.cause.title]
    if repair.failure is not None:
        lines += _what_failed(repair.failure)
    lines += _fixes(repair)
    if not repair.fixes:
        lines.append(
            repair.trouble or "No rule has a fix for this error. `%reflex fix` asks the model, if one is chosen."
        )
    return "\n".join(printable(line) for line in lines)


def _fixes(repair: Repair) -> Iterator[str]:
    if not repair.is_choice:
        for fix in repair.fixes:
            yield f"Fix ({fix.origin}): {fix.explanation}"
            yield from _but(repair.verdict(fix))
        return
    yield question(repair)
    come_to = gives(repair)
    for number, fix in enumerate(repair.fixes, 1):
        yield f"Fix {number} ({fix.origin}): {fix.explanation}"
        if come_to.get(fix.id):
            yield f"  → {come_to[fix.id]}"
        yield from _but(repair.verdict(fix))


def _but(verdict: Verdict) -> Iterator[str]:
    """What came of its trial, if it did not pass."""
    if verdict.outcome not in ("passed", "not_tried"):
        yield f"  {verdict_line(verdict).text}"


def _what_failed(failure: Failure) -> Iterator[str]:
    found = reason(failure)
    yield f"Why: {found.text}"
    if found.step:
        yield f"Next: {found.step}"
    yield from _chain(failure)
    yield from _place(failure)
    if failure.lookup is not None:
        yield from _really_there(failure.lookup, failure)
    yield from _variables(failure)


def _chain(failure: Failure) -> Iterator[str]:
    for other in failure.exceptions[1:]:
        yield f"  {RELATIONS[other.relation]}{other.ename}: {other.evalue.partition(chr(10))[0]}"


def _place(failure: Failure) -> Iterator[str]:
    if failure.lineno is None:
        return
    count = failure.situation.cell.execution_count
    lines = failure.situation.source.split("\n")
    text = lines[failure.lineno - 1].strip() if failure.lineno <= len(lines) else ""
    yield f"{f'In [{count}], line' if count else 'Line'} {failure.lineno}: {text}"
    last = _own_frames(failure)[-1:]
    if last and last[0].function != "<module>":
        yield f"raised in {last[0].function}, line {last[0].lineno}"


def _own_frames(failure: Failure) -> list[Frame]:
    return [frame for frame in failure.error.frames if frame.cell is not None]


def _really_there(lookup: Lookup, failure: Failure) -> Iterator[str]:
    there = lookup.available if lookup.owner else failure.situation.names  # without the builtins, which everybody knows
    if not there:
        return
    names = ", ".join(there[:SHOWN_NAMES])
    more = len(there) - SHOWN_NAMES
    names += f" and {more} more" if more > 0 else ""
    owner = (
        f"`{lookup.owner}` has no {lookup.kind} {lookup.wanted!r}. It has" if lookup.owner else "The defined names are"
    )
    yield f"{owner}: {names}"


def _variables(failure: Failure) -> Iterator[str]:
    for frame in _own_frames(failure)[-1:]:
        for variable in frame.variables:
            first = variable.text.partition("\n")[0]
            yield f"  {variable.name}: {variable.type}  {first}" if first else f"  {variable.name}: {variable.type}"
