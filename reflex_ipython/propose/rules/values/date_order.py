"""Year, month and day in another order than a date takes them."""

from __future__ import annotations

import ast
import datetime
import itertools
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import reading

_OUT_OF_RANGE = re.compile(
    r"day is out of range for month|day \d+ must be in range|month must be in 1\.\.12|year \d+ is out of range"
)


def order_of_a_date(failure: Failure) -> Iterator[Proposal]:
    """`date(17, 5, 2024)`: `date(2024, 5, 17)`."""
    known = failure.error.ename == "ValueError" and _OUT_OF_RANGE.match(failure.error.evalue)
    read = reading(failure) if known else None
    for call in read.nodes(ast.Call) if read is not None else []:
        assert read is not None
        given = call.args[:3]
        numbers = [read.value(one) for one in given]
        if read.called(call) not in ("date", "datetime") or not all(type(one) is int for one in numbers):
            continue
        if len(given) < 3 or max(numbers) < 1000:
            continue
        found = [places for places in itertools.permutations(range(3)) if _is_date([numbers[one] for one in places])]
        # Day in front of month is as it stands, unless the year stands first: then the two changed places.
        found.sort(key=lambda places: places != (2, 1, 0))
        for places in found[:2]:
            texts = [read.text(given[one]) for one in places]
            edits = [SpanEdit(*read.cell.span(one), text) for one, text in zip(given, texts)]
            why = f"A date is made of year, month and day in that order: {', '.join(texts)}."
            yield from read.propose(edits, why, "order of a date", 0.93 if len(found) == 1 else 0.5)


def _is_date(numbers: list[int]) -> bool:
    try:
        datetime.date(*numbers)
    except (ValueError, OverflowError):
        return False
    return numbers[0] >= 1000
