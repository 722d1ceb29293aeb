"""Trials of the live kernel (`protocols.Trials`): what is copied is the shell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from reflex_ipython.check.trial import Trials, seconds_for
from reflex_ipython.ipython.trial_runner import ShellRunner
from reflex_ipython.models import Trial
from reflex_ipython.settings import Settings


class KernelTrials:
    """Copies a shell's process.

    Parameters
    ----------
    shell : InteractiveShell
    settings : callable
        Gives the settings as they are now.
    rewind : callable
        Given the failing cell's new source, puts the state back to where an accepted run would start. In the copy.
    """

    def __init__(self, shell: Any, settings: Callable[[], Settings], rewind: Callable[[str], object]) -> None:
        self._shell = shell
        self._settings = settings
        self._rewind = rewind
        self._trials = Trials()

    def freeze(self, repair_id: str) -> None:
        """Copy the kernel as it is now. If it can't be copied, the trials say why."""
        self._trials.freeze(repair_id, ShellRunner(self._shell, self._rewind))

    def run(self, repair_id: str, sources: Sequence[str], original: float) -> Trial:
        """Run new sources in that copy; no longer than a few times what the failed run took."""
        return self._trials.run(repair_id, sources, seconds_for(original, self._settings().trial_timeout))

    def release(self, repair_id: str) -> None:
        """The copy goes."""
        self._trials.release(repair_id)

    def close(self) -> None:
        """All copies go."""
        self._trials.close()
