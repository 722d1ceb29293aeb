"""The reason of a failure: by what was looked up, by what the message says, by the class of the exception."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from reflex_ipython.base.article import a
from reflex_ipython.models import Failure
from reflex_ipython.present.reasons.classes import CLASSES
from reflex_ipython.present.reasons.lookups import of_lookup
from reflex_ipython.present.reasons.pattern import MessagePattern
from reflex_ipython.present.reasons.values import own_frame, values_in_words

_MOST = 600  # characters
_UNREAD = ("invalid syntax", "unexpected character after line continuation", "expected ':'")


@dataclass(frozen=True)
class Reason:
    """Why it failed and what to do next.

    Parameters
    ----------
    text : str
        What happened: plain sentences with the real values. `Code` is marked.
    step : str
        What to do next, in words that follow a colon; empty if no more can be said than to edit the cell.
    specific : bool
        Whether this was said of this very kind of error.
    """

    text: str
    step: str = ""
    specific: bool = True


def reason(failure: Failure) -> Reason:
    """The reason of a failure.

    Parameters
    ----------
    failure : Failure
    """
    text, step = _found(failure)
    if not text:
        return _general(failure)
    values = "" if failure.stage == "syntax" or failure.lookup is not None else values_in_words(failure)
    return Reason(_clipped(f"{text} {values}".strip()), _clipped(step))


def why_and_next(failure: Failure) -> str:
    """The reason and the next step in one text."""
    found = reason(failure)
    return f"{found.text} Next: {found.step}." if found.step else found.text


def _found(failure: Failure) -> tuple[str, str]:
    if failure.stage == "syntax":
        from reflex_ipython.present.reasons.syntax import SYNTAX  # long tables, for panels without a fix alone

        message = failure.syntax.message if failure.syntax else failure.error.evalue
        read = _of_line(failure, message)
        return read or _by_message(SYNTAX, failure.error.ename, message) or _by_class(failure.error.ename)
    if failure.lookup is not None:
        found = of_lookup(failure, failure.lookup)
        if found[0]:
            return found
    from reflex_ipython.present.reasons.messages import MESSAGES

    ename, message = failure.error.ename, failure.error.evalue
    return _by_message(MESSAGES, ename, message) or _by_class(ename)


def _of_line(failure: Failure, message: str) -> tuple[str, str] | None:
    """What the line itself says, where Python says no more than that it can't read it."""
    problem = failure.syntax
    if problem is None or problem.lineno is None or not message.startswith(_UNREAD):
        return None
    from reflex_ipython.present.reasons.other_languages import at_the_mark, of_another_language

    line = "".join(failure.situation.source.splitlines()[problem.lineno - 1 : problem.lineno])
    found = of_another_language(line)
    if found is not None or message != "invalid syntax":
        return found
    return at_the_mark(line, problem.lineno, problem.offset or 1), ""


def _by_message(patterns: Iterable[MessagePattern], ename: str, message: str) -> tuple[str, str] | None:
    for pattern in patterns:
        match = pattern.match(ename, message)
        if match is not None:
            groups = [_short(group) for group in match.groups(default="")]
            return _filled(pattern.words, groups), _filled(pattern.step, groups)
    return None


def _filled(template: str, groups: list[str]) -> str:
    """The template with the texts in their places, each behind the article that fits it."""

    def with_article(found: re.Match[str]) -> str:
        spoken, _, _ = a(groups[int(found[3])], capital=found[1] == "A").partition(" ")
        return f"{spoken} {found[2]}"

    return _ARTICLE.sub(with_article, template).format(*groups)


_ARTICLE = re.compile(r"\b([Aa]) (`?\{(\d)\})")


def _by_class(ename: str) -> tuple[str, str]:
    return CLASSES.get(ename, ""), ""


def _general(failure: Failure) -> Reason:
    """Of an exception that nobody knows: where it was raised."""
    frames, own = failure.error.frames, own_frame(failure)
    if frames and own is not None and frames[-1] is own:
        where = f"line {own.lineno} of {'this cell' if own.function == '<module>' else f'`{own.function}`'}"
        return Reason(
            f"`{failure.error.ename}` was raised by {where}, in your own code. {values_in_words(failure)}".strip()
        )
    if frames:
        name = re.split(r"[\\/]", frames[-1].filename)[-1]
        return Reason(
            f"`{failure.error.ename}` was raised inside a library: in `{frames[-1].function}` of `{name}`. "
            f"{values_in_words(failure)}".strip(),
            specific=False,
        )
    return Reason(f"`{failure.error.ename}` was raised.", specific=False)


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"


def _clipped(text: str) -> str:
    return text if len(text) <= _MOST else f"{text[: _MOST - 1]}…"
