"""Stars that can't stand where they do."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.syntax.broken import Broken
from reflex_ipython.propose.rules.syntax.candidate import Candidate


def stars(broken: Broken) -> Iterator[Candidate]:
    """`*a = x`, `x = *y`, `*a, *b = c`: stars that can't stand there."""
    statement = broken.statement
    if broken.message.startswith("starred assignment target") and len(statement) > 2:
        equals = next(token for token in statement if token.text == "=")
        before = [token for token in statement if token.end <= equals.start][-1]
        why = "A star takes the rest of several names; with a comma behind it, it is one of them."
        yield broken.guess([SpanEdit(before.end, before.end, ",")], 0.75, why, "star")
        yield broken.guess(
            [SpanEdit(statement[0].start, statement[0].end, "")],
            0.35,
            "One name takes everything without a star.",
            "star",
        )
    elif broken.message.startswith("can't use starred expression here"):
        star = next(
            (token for token in statement if token.text in ("*", "**") and token.start >= broken.problem.position - 1),
            None,
        )
        if star is not None:
            last = statement[-1]
            why = "A star takes a list apart, which only a list or a call can take in."
            yield broken.guess(
                [SpanEdit(star.start, star.start, "["), SpanEdit(last.end, last.end, "]")], 0.6, why, "star"
            )
            yield broken.guess([SpanEdit(star.start, star.end, "")], 0.35, why, "star")
    elif broken.message.startswith("multiple starred expressions"):
        stars = [token for token in statement if token.text == "*"]
        for star in stars[1:]:
            why = "Only one of several names can take the rest."
            yield broken.guess([SpanEdit(star.start, star.end, "")], 0.6, why, "star")
