"""Trials: a fix runs in a copy of the live process, shut in, and nothing of it comes back but a report.

    trials = ForkedTrials()
    trials.freeze(repair.id, runner)            # at the failure, on the main thread: one fork
    trial = trials.run(repair.id, changes)      # on a worker thread, once for each fix: a fork of that fork
    with trials.several(repair.id) as most:     # for a search: on so many threads at once
        ...
    trials.release(repair.id)                   # decided, or out of date
    trials.forget(repair.id)                    # it has left the memory

Where no copy can be made, the trial says why in words.
"""

from __future__ import annotations

from reflex_ipython.check.trial.preconditions import why_not_fork
from reflex_ipython.check.trial.trials import ForkedTrials

__all__ = ["ForkedTrials", "why_not_fork"]
