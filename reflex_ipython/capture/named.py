"""The values that a text names, where no frame of a traceback tells of them: code that does not parse never ran."""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any

from reflex_ipython.capture.bounds import Clock
from reflex_ipython.capture.values import summarize
from reflex_ipython.models import ValueSummary

_MOST = 12
_LONGEST = 20_000
"""Characters of the text that are looked through."""

NAME = re.compile(r"""(?:"[^"\n]*"|'[^'\n]*'|\#.*)|(?<![\w.])([^\W\d]\w*)""")
"""A name that stands by itself in a line of code: neither in a string or comment, nor after a dot."""


def named_values(source: str, namespace: dict[str, Any], clock: Clock, size: int) -> tuple[ValueSummary, ...]:
    """The namespace's values that a text names, in its order; modules say nothing that `meanings` does not.

    Parameters
    ----------
    source : str
    namespace : dict
        The user's.
    clock : Clock
        When to give up on values.
    size : int
        The longest summary of one variable, in characters.
    """
    names = dict.fromkeys(name for name in NAME.findall(source[:_LONGEST]) if name)
    found = [(name, dict.__getitem__(namespace, name)) for name in names if dict.__contains__(namespace, name)]
    told = [(name, value) for name, value in found if not issubclass(type(value), ModuleType)]
    return tuple(summarize(name, value, clock, size) for name, value in told[:_MOST])
