"""No rule proposes anything, and no cell that did not run is looked for: a model is on its own."""

from __future__ import annotations

from typing import Any


def load_ipython_extension(shell: Any) -> None:
    from reflex_ipython.ipython.cells_not_run import CellsNotRun
    from reflex_ipython.propose.rules.provider import RuleProvider

    RuleProvider.propose = lambda self, cause, request: iter(())  # type: ignore[method-assign]  # that is what this is for
    CellsNotRun.propose = lambda self, cause, request: iter(())  # type: ignore[method-assign]  # that is what this is for
