"""What recorded calls of the changed functions say of a fix."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_ipython.models import REPLAYED, Cause, Finding, Fix, Trial
from reflex_ipython.protocols import Context


class ReplayChecker:
    """Says whether recorded calls give what they gave, once the fix was tried."""

    name = "replay"

    def __init__(self, context: Context | None = None) -> None:
        """Needs nothing of the context."""

    def check(self, cause: Cause, fix: Fix, trial: Trial | None = None) -> Iterator[Finding]:
        """Yield one finding, if calls were made again."""
        replay = trial.replay if trial is not None else None
        if replay is None or not replay.words:
            return
        yield Finding("changed-result", replay.words) if replay.is_changed else Finding(REPLAYED, replay.words, "note")
