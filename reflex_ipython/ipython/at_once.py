"""A cell that a page runs without waiting for an answer to the click: it does not run where the click was refused.

The click comes with the cell, in the metadata of the request to run it, or as a message on the kernel's shell channel
that is read in front of it. That saves the way to the page and back; what the kernel knows decides as before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from reflex_ipython.ipython.from_page import Accept


class Refused(NamedTuple):
    """A click that was refused.

    Parameters
    ----------
    request, repair : str
        Its name, and which repair it was about.
    cell : str
        The id of the cell that the page has rewritten and runs next.
    reason : str
        As a sentence.
    """

    request: str
    repair: str
    cell: str
    reason: str


class AtOnce:
    """Knows whether the cell that a page runs next is one whose click was refused."""

    def __init__(self) -> None:
        self._next: dict[str, Refused] = {}
        """The last one of each client, until a cell of that client begins."""

    def refuse(self, message: Accept, reason: str) -> None:
        """The cell that the message's client runs next does not run."""
        refused = Refused(message.request, message.repair, cell_of(message), reason)
        self._next[message.client] = refused

    def forget(self, request: str) -> None:
        """The page could not run what it has asked for under that name."""
        self._next = {client: one for client, one in self._next.items() if one.request != request}

    def refused(self, client: str, cell: str | None) -> Refused | None:
        """A cell of that client begins: why it does not run; None: it does."""
        refused = self._next.pop(client, None) if self._next else None
        return refused if refused is not None and refused.cell == cell else None


def cell_of(message: Accept) -> str:
    """The id of the cell that a click is to run, as the page has drawn it: nobody has looked at that so far."""
    try:
        return str(message.shown["edits"][-1]["cell"]["id"])
    except (KeyError, IndexError, TypeError):
        return ""
