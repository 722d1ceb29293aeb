"""What tables of forms are made of.

The forms of one entry are tried in their order of priors. They stand in their tables as plain tuples of texts and
numbers, which the garbage collector lets go of, and become a `Form` when they are asked for: it would walk through
five hundred of these in every collection from the first failure on.
"""

from __future__ import annotations

from collections.abc import Mapping

from reflex_ipython.propose.rules.lookups.forms import Form

Forms = tuple[tuple[str, float, str], ...]
"""The fields of each `Form`."""


def one(text: str, prior: float = 0.85, statement: str = "") -> Forms:
    """A single form, as it stands in a table."""
    return ((text, prior, statement),)


def forms(table: Mapping[str, Forms], wanted: str) -> tuple[Form, ...]:
    """What one of the tables has for a name."""
    return tuple(map(Form._make, table.get(wanted, ())))
