"""Whether a cell was meant to fail: its tag says so, or a comment on the very statement that failed."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Sequence

from reflex_ipython.capture.statement import LONGEST, statement
from reflex_ipython.capture.trace import Step, user_step

TAG = "raises-exception"
"""The tag with which nbclient and Jupyter Book know such cells."""

_SAYS = re.compile(
    r"\braises?\b|\bthrows?\b|\bfails?\b|\bfailing\b|\b(?:does|do|will|would|can|should)(?:n't| not)(?: \w+)? work\b"
    r"|^\W*(?:this |it )?(?:is |gives |causes |will give |-> ?|=> ?)?(?:an? )?(?:\w+ ){0,2}(?:error|exception)\W*$",
    re.IGNORECASE,
)
_CLASS = re.compile(r"\b[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Iteration|Exit)\b")


def is_expected(tags: Sequence[str], trace: Sequence[Step], source: str, lineno: int | None) -> bool:
    """Whether the failure is what somebody wanted to see.

    Parameters
    ----------
    tags : sequence of str
        The cell's.
    trace : sequence of Step
        The way to the error; empty for a cell that does not compile.
    source : str
        The cell's raw text.
    lineno : int or None
        Its failing line, 1-based.
    """
    if TAG in tags:
        return True
    if not trace:
        line = source.split("\n")[lineno - 1 : lineno] if lineno else []
        return any("#" in text and _announces(text[text.index("#") :]) for text in line)
    inner, top = user_step(list(trace)), next((step for step in trace if step.origin == "user"), None)
    return any(_announces(comment) for step in {id(s): s for s in (inner, top) if s}.values() for comment in _of(step))


def _announces(comment: str) -> bool:
    return bool(_SAYS.search(comment) or _CLASS.search(comment))


def _of(step: Step) -> Iterator[str]:
    """The comments on a failing statement: in its lines, to its head alone where it holds others."""
    if "#" not in step.text or len(step.text) > LONGEST:
        return
    found = statement(step)
    first, last = (found.lineno, found.end_lineno or found.lineno) if found is not None else (step.lineno, step.lineno)
    if found is not None and getattr(found, "body", None):
        first = last = step.lineno
    try:
        for token in tokenize.generate_tokens(io.StringIO(step.text).readline):
            if token.type == tokenize.COMMENT and first <= token.start[0] <= last:
                yield token.string
            if token.start[0] > last:
                return
    except (tokenize.TokenError, SyntaxError):
        return
