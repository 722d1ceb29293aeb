"""A message of an error, and what it means."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass(frozen=True)
class MessagePattern:
    """What a message says, in other words.

    Parameters
    ----------
    enames : str
        The names of the exception classes that say so, with spaces between; empty: any.
    message : str
        A regular expression that is searched in the message.
    words : str
        What it means. `{0}`, `{1}`, … are the groups of the expression.
    step : str
        What to do, if more can be said than "edit the cell"; with the same groups.
    """

    enames: str
    message: str
    words: str
    step: str = ""
    _expression: list[re.Pattern[str]] = field(default_factory=list, compare=False, repr=False)

    def match(self, ename: str, message: str) -> re.Match[str] | None:
        """Whether it is this message."""
        if self.enames and ename not in self.enames.split():
            return None
        if not self._expression:  # compiled when it is first needed: there are hundreds
            self._expression.append(re.compile(self.message, re.DOTALL))
        return self._expression[0].search(message)
