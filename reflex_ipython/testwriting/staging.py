"""What a test sets before it makes a call, so that the call finds the world as it was."""

from __future__ import annotations

import dataclasses

from reflex_ipython.testwriting.literals import Literal


@dataclasses.dataclass
class Staging:
    """What a test has besides a call.

    Parameters
    ----------
    given : list of (str, Literal)
        More parameters with their values.
    imports, fixtures : list of str
    setup : list of str
        Statements in front of the call.
    contexts : list of str
        What stands behind `with` around it.
    inside : list of str
        Statements in that block in front of the call.
    after : list of str
        Statements behind the call, in that block.
    words : list of str
        What else than it was is given by that, in words: "the clock stands".
    """

    given: list[tuple[str, Literal]] = dataclasses.field(default_factory=list)
    imports: list[str] = dataclasses.field(default_factory=list)
    fixtures: list[str] = dataclasses.field(default_factory=list)
    setup: list[str] = dataclasses.field(default_factory=list)
    contexts: list[str] = dataclasses.field(default_factory=list)
    inside: list[str] = dataclasses.field(default_factory=list)
    after: list[str] = dataclasses.field(default_factory=list)
    words: list[str] = dataclasses.field(default_factory=list)
