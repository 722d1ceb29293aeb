"""Which request a call belongs to: told by the context, which threads of a pool and tasks take along."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass
class Beneath:
    """A request that is being answered.

    Parameters
    ----------
    first : int
        The first call that may belong to it.
    calls : list of int
        Those at the top of what it did.
    """

    first: int
    calls: list[int] = field(default_factory=list)


answered: ContextVar[Beneath | None] = ContextVar("reflex_ipython_answered", default=None)
"""The request that is answered here; None: there is none."""
