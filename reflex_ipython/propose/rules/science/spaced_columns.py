"""Columns with a space in their names that are asked for as attributes: `df.Age Group`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import read
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene


def spaced_columns(failure: Failure) -> Iterator[Proposal]:
    """`df.Age Group.unique()`: `df["Age Group"].unique()`, wherever the cell writes it so."""
    if failure.error.ename != "SyntaxError":
        return
    cell = read(failure.situation.source)
    if cell.tree is not None:
        return
    scene = Scene(failure, cell)
    source, changed = cell.source, []
    for value in failure.situation.values:
        labels = [label for label in scene.columns(value.name) if re.fullmatch(r"\w+(?:[^\w\n'\"\\]+\w+)+", label)]
        for label in sorted(labels, key=len, reverse=True):
            written = rf"(?<![\w.]){re.escape(value.name)}\.{re.escape(label)}(?!\w)"
            source, times = re.subn(written, f'{value.name}["{label}"]', source)  # no backslash is in either
            changed += [(value.name, label)] * bool(times)
    if changed and read(source).tree is not None:
        name, label = changed[0]
        why = f"Column {label!r} of `{name}` has a name that can't stand behind a dot; brackets take any name."
        yield Proposal(source, why, "column in brackets", 0.95)


RULES: tuple[Rule, ...] = (spaced_columns,)
