"""The audit events of a trial's own: the hook of its process alone sends them on, so that no object leads there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Literal

Kind = Literal["started", "access", "effect", "withheld", "semaphore", "raised", "tampered", "over"]

PREFIX = "reflex_ipython.trial."


def tell(kind: Kind, *words: str, audit: Callable[..., None] = sys.audit) -> None:
    """Say something for good. Nothing happens outside a trial.

    Parameters
    ----------
    kind : str
        "access": kind and words of an `Access`; "effect": words of an `Effect`; "withheld": a descriptor, and how many
        bytes wait for it; "semaphore": its position among those that the names lead to, and how much more often it can
        be taken; "raised": the cell's code did; "tampered": how.
    *words : str
    """
    audit(PREFIX + kind, *words)
