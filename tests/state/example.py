"""What an example of a kind of object is."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Example:
    """One object in the namespace.

    Parameters
    ----------
    name : str
        What it is called there.
    kind : str
        The line of the documented table that it is an example of; empty for what has no contents, just the name.
    make : str
        Statements that make it, and what they need besides.
    changes : tuple of str
        Statements that change it, each of which can be run several times. All that they do is put back.
    beyond : tuple of str
        The same, but it can't be put back: the report must name it.
    unseen : tuple of str
        The same, but it is not even noticed: the table must say so.
    """

    name: str
    kind: str
    make: str
    changes: tuple[str, ...] = ()
    beyond: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
