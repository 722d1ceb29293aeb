"""What a kernel, a process or a function that heals lends to those that work on its repairs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from reflex_ipython.models import Cause, Fix, Repair, StaleCell
from reflex_ipython.protocols import Checker, FixProvider
from reflex_ipython.repairs.own_files import NO_FILES
from reflex_ipython.stages import Consequences, Files, Redactor, Trials


@dataclasses.dataclass(frozen=True)
class Services:
    """What the workers of one kernel work with.

    Parameters
    ----------
    make_redactor : callable
        Gives what takes the secrets out of what may leave the machine, a new one for each worker.
    load : callable
        Gives the providers and the checkers; called at the first failure.
    trials : Trials
        Runs fixes in copies of the kernel.
    consequences : Consequences
        Says what accepting a fix would do.
    cells_not_run : callable
        Gives who is asked after the instant providers, unless one of them is sure: whoever may have to wait for the
        notebook's cells. None: no other cell gives what was lacking.
    complete : callable
        Adds to a fix the runs of other cells that its edits need.
    enrich : callable
        Adds to the cause what only a provider is told that is not instant; on a worker's thread.
    files : Files
        Rewrites files of the user's own.
    stale : callable
        Says which cells have used what an accepted fix, which has run well, makes otherwise.
    names : callable
        Gives the user's names as they are now; None where nobody can tell.
    """

    make_redactor: Callable[[], Redactor]
    load: Callable[[], tuple[Sequence[FixProvider], Sequence[Checker]]]
    trials: Trials
    consequences: Consequences
    cells_not_run: Callable[[Cause], FixProvider | None] = lambda cause: None
    complete: Callable[[Fix, Cause], Fix] = lambda fix, cause: fix
    files: Files = NO_FILES
    enrich: Callable[[Cause], Cause] = lambda cause: cause
    stale: Callable[[Repair], tuple[StaleCell, ...]] = lambda repair: ()
    names: Callable[[], tuple[str, ...]] | None = None
