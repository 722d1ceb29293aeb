"""A name with a space in the middle of it."""

from __future__ import annotations

import itertools
import keyword
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.syntax.broken import BUILTINS, Broken
from reflex_ipython.propose.rules.syntax.candidate import Candidate


def split_name(broken: Broken) -> Iterator[Candidate]:
    """`df.isn ull()`: `df.isnull()`; `pri nt(x)`: `print(x)`."""
    line = broken.line
    for place, (left, right) in enumerate(itertools.pairwise(line)):
        if left.kind != "name" or right.kind != "name" or not broken.source[left.end : right.start].isspace():
            continue
        name = left.text + right.text
        known = name in BUILTINS or name in broken.namespace or keyword.iskeyword(name)
        member = place > 0 and line[place - 1].text == "." and not keyword.iskeyword(right.text)
        if known or member:
            why = f"`{left.text} {right.text}` has a space in the middle; together it is `{name}`."
            yield broken.guess([SpanEdit(left.end, right.start, "")], 0.93 if known else 0.85, why, "space in a name")
