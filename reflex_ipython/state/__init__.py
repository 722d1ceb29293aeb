"""State: what a cell did to the kernel's state, and the way back; what to run again.

Nothing in here knows of a kernel. The edge calls `Journal.before` as each top-level statement starts, the rest after
a failure: `plan`, `Journal.rollback`, `hot_swap`, `stale_results`.
"""

from __future__ import annotations

from reflex_ipython.state.bounds import Bounds
from reflex_ipython.state.definitions import CompiledCell
from reflex_ipython.state.effects import Effect
from reflex_ipython.state.hotswap import Swap, hot_swap
from reflex_ipython.state.journal import Journal
from reflex_ipython.state.plan import Plan, plan
from reflex_ipython.state.restoration import Restoration
from reflex_ipython.state.stale import Stale, stale_results

__all__ = [
    "Bounds",
    "CompiledCell",
    "Effect",
    "Journal",
    "Plan",
    "Restoration",
    "Stale",
    "Swap",
    "hot_swap",
    "plan",
    "stale_results",
]
