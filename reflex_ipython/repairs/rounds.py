"""In which rounds the providers are asked about a repair: first those that answer at once, then the others."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from reflex_ipython.models import Cause, Repair
from reflex_ipython.protocols import FixProvider
from reflex_ipython.repairs.loaded_plugins import LoadedPlugins
from reflex_ipython.repairs.newest import Newest
from reflex_ipython.repairs.progress import LOOKING
from reflex_ipython.repairs.ranking import is_unconvincing
from reflex_ipython.settings import Settings
from reflex_ipython.stages import Work


@dataclasses.dataclass(frozen=True)
class Round:
    """Providers that are asked one after the other.

    Parameters
    ----------
    work : Work
        What is being done meanwhile.
    providers : sequence of FixProvider
        In their order.
    attempts : int
        How often they are asked: again while what they propose does not convince.
    needed : callable
        Given the repair as it stands by then, says whether this round is needed at all.
    told : bool
        Whether they are told what the rounds before have found.
    """

    work: Work
    providers: Sequence[FixProvider]
    attempts: int = 1
    needed: Callable[[Repair], bool] = lambda repair: True
    told: bool = False


class Rounds:
    """Those of one kernel.

    Parameters
    ----------
    plugins : LoadedPlugins
    settings : callable
        Gives the settings as they are now.
    cells_not_run : callable
        As in `Services`.
    """

    def __init__(
        self,
        plugins: LoadedPlugins,
        settings: Callable[[], Settings],
        cells_not_run: Callable[[Cause], FixProvider | None],
    ) -> None:
        self._plugins = plugins
        self._settings = settings
        self._cells_not_run = cells_not_run
        self.newest = Newest()

    def slow(self) -> list[FixProvider]:
        """The providers that take their time, and can be asked now: each has a label."""
        return [provider for provider in self._plugins.providers if provider.where != "instant" and provider.label]

    def of_failure(self, repair: Repair) -> list[Round]:
        """The instant providers, then that of the notebook's cells, then the others as the settings say."""
        return [*self.of_foreseen(), *self._of_cells(repair), *self._automatic(repair)]

    def of_foreseen(self) -> list[Round]:
        """The instant providers alone: the cell still runs, and nothing but its own text can be changed."""
        return [Round(LOOKING, [provider for provider in self._plugins.providers if provider.where == "instant"])]

    def asked(self) -> list[Round]:
        """Those of the providers that take their time, whatever the settings say: the user wants it."""
        return [self._asking(provider) for provider in self.slow()]

    def of_wish(self) -> list[Round]:
        """The same for code that is wanted where nothing failed; the first round only waits for the kernel's copy."""
        asked = self.asked()
        return [dataclasses.replace(one, providers=()) for one in asked[:1]] + asked

    def _of_cells(self, repair: Repair) -> list[Round]:
        """The round of the provider that knows the notebook's cells."""
        provider = self._cells_not_run(repair.cause)
        return [] if provider is None else [Round(LOOKING, [provider], needed=_nobody_is_sure)]

    def _automatic(self, repair: Repair) -> list[Round]:
        """The rounds of the providers that take their time, as the settings allow; none where it was meant to fail."""
        ask = self._settings().ask_model
        if ask == "on request" or (repair.failure is not None and repair.failure.expected):
            return []
        always = ask == "always"
        return [
            self._asking(
                provider,
                needed=lambda repair: not self.newest.overtook(repair.id) and (always or is_unconvincing(repair)),
            )
            for provider in self.slow()
        ]

    def _asking(self, provider: FixProvider, needed: Callable[[Repair], bool] = lambda repair: True) -> Round:
        return Round(Work("asking", provider.label), [provider], self._settings().attempts, needed, told=True)


def _nobody_is_sure(repair: Repair) -> bool:
    return all(fix.is_candidate or repair.verdict(fix).refuted for fix in repair.fixes)
