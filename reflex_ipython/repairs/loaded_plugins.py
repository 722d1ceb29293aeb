"""The providers and the checkers of one kernel, loaded when they are first needed."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence

from reflex_ipython.protocols import Checker, Closes, FixProvider
from reflex_ipython.repairs.open_repairs import OpenRepairs


class LoadedPlugins:
    """Those of one kernel.

    Parameters
    ----------
    load : callable
        Gives the providers and the checkers.
    repairs : OpenRepairs
        Those that nobody has worked on show then who can be asked.
    """

    def __init__(
        self, load: Callable[[], tuple[Sequence[FixProvider], Sequence[Checker]]], repairs: OpenRepairs
    ) -> None:
        self._load = load
        self._repairs = repairs
        self._loading = threading.Lock()

    @functools.cached_property
    def loaded(self) -> tuple[Sequence[FixProvider], Sequence[Checker]]:
        """Both. Looking through all packages takes time, so: not before a failure, and then first on a worker's
        thread; whoever else needs them waits for that one. Repairs that were recalled before then had nobody to offer.
        """
        with self._loading:
            found: tuple[Sequence[FixProvider], Sequence[Checker]] | None = vars(self).get("loaded")
            if found is not None:
                return found
            vars(self)["loaded"] = found = self._load()
        self._repairs.offers_changed(lambda opened: opened.worker is None)
        return found

    @property
    def providers(self) -> Sequence[FixProvider]:
        """Those who propose fixes."""
        return self.loaded[0]

    @property
    def checkers(self) -> Sequence[Checker]:
        """Those who look at what was proposed."""
        return self.loaded[1]

    @property
    def are_loaded(self) -> bool:
        """Whether they were needed already, so that asking about them costs nothing."""
        return "loaded" in vars(self)

    def spent(self) -> str:
        """What the questions of this session have cost, in words; empty for nothing."""
        providers = self.providers if self.are_loaded else ()
        return ", ".join(filter(None, (str(getattr(provider, "spent", "")) for provider in providers)))

    def close(self) -> None:
        """Close the providers that hold something open."""
        for provider in self.providers if self.are_loaded else ():
            if isinstance(provider, Closes):
                provider.close()
