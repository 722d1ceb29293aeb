"""The values that a text names, where no frame of a traceback tells of them: code that does not parse never ran."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any

from reflex_ipython.capture.bounds import SummaryDeadline, clip
from reflex_ipython.capture.lookup.names import nearest
from reflex_ipython.capture.safe_inspection import type_name
from reflex_ipython.capture.values import summarize
from reflex_ipython.models import ValueSummary

_MOST = 12
_NEAREST = 4
_ALIKE = 50
"""Per cent of likeness that a name must have to be told of beside one that is not there."""
_TYPES = 40
_LOOKED_AT = 200
_TABLES = ("pandas.", "polars.", "pyarrow.", "geopandas.", "xarray.")
_WORD = re.compile(r"[^\W\d]\w*")
_LONGEST = 20_000
"""Characters of the text that are looked through."""

NAME = re.compile(r"""(?:"[^"\n]*"|'[^'\n]*'|\#.*)|(?<![\w.])([^\W\d]\w*)""")
"""A name that stands by itself in a line of code: neither in a string or comment, nor after a dot."""


def named_values(source: str, namespace: dict[str, Any], clock: SummaryDeadline, size: int) -> tuple[ValueSummary, ...]:
    """The namespace's values that a text names, in its order; modules say nothing that `meanings` does not.

    Parameters
    ----------
    source : str
    namespace : dict
        The user's.
    clock : SummaryDeadline
        When to give up on values.
    size : int
        The longest summary of one variable, in characters.
    """
    names = dict.fromkeys(name for name in NAME.findall(source[:_LONGEST]) if name)
    return _summaries(names, namespace, clock, size)[:_MOST]


def nearest_values(
    wanted: str, names: Sequence[str], namespace: dict[str, Any], clock: SummaryDeadline, size: int
) -> tuple[ValueSummary, ...]:
    """The values of the names that are most like one that is not there: one of them may be meant.

    Parameters
    ----------
    wanted : str
        The name that is not there.
    names : sequence of str
        Those that are.
    namespace : dict
        The user's.
    clock : SummaryDeadline
        When to give up on values.
    size : int
        The longest summary of one variable, in characters.
    """
    return _summaries(nearest(wanted, names, _NEAREST, _ALIKE), namespace, clock, size)


def wanted_values(
    words: str, names: Sequence[str], namespace: dict[str, Any], clock: SummaryDeadline, size: int
) -> tuple[ValueSummary, ...]:
    """The values that code for a request may need: those that it names, then tables, then the latest others.

    Parameters
    ----------
    words : str
        The request.
    names : sequence of str
        The user's names, oldest first.
    namespace : dict
        The user's.
    clock : SummaryDeadline
        When to give up on values.
    size : int
        The longest summary of one variable, in characters.
    """
    latest = [name for name in reversed(names[-_LOOKED_AT:]) if dict.__contains__(namespace, name)]
    tables = [name for name in latest if type_name(dict.__getitem__(namespace, name)).startswith(_TABLES)]
    found = _summaries(dict.fromkeys([*named_in(words, names), *tables, *latest]), namespace, clock, size)
    return found[:_MOST]


def named_in(words: str, names: Sequence[str]) -> list[str]:
    """The names that stand in a request, in its order."""
    known = set(names)
    return [word for word in dict.fromkeys(_WORD.findall(words[:_LONGEST])) if word in known]


def types_of(names: Sequence[str], namespace: dict[str, Any]) -> dict[str, str]:
    """The latest of these names with the types of their values; modules are left out."""
    found: dict[str, str] = {}
    for name in reversed(names):
        if len(found) == _TYPES:
            break
        if dict.__contains__(namespace, name) and not _is_module(value := dict.__getitem__(namespace, name)):
            found[name] = clip(type_name(value), 200)
    return dict(reversed(found.items()))


def _summaries(
    names: Iterable[str], namespace: dict[str, Any], clock: SummaryDeadline, size: int
) -> tuple[ValueSummary, ...]:
    found = [(name, dict.__getitem__(namespace, name)) for name in names if dict.__contains__(namespace, name)]
    told = [(name, value) for name, value in found if not _is_module(value)]
    return tuple(summarize(name, value, clock, size) for name, value in told[:_MOST])


def _is_module(value: Any) -> bool:
    return issubclass(type(value), ModuleType)
