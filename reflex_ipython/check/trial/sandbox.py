"""Which protections this system offers, and what can't be tried where one is missing."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from reflex_ipython.check.trial import landlock, seccomp


@dataclass(frozen=True)
class Sandbox:
    """The protections that a trial would have.

    Parameters
    ----------
    landlock : int
        The version that the kernel offers, or that is to be used of it; 0: none.
    seccomp : bool
        Whether the kernel takes a filter of system calls that fits this processor.
    """

    landlock: int
    seccomp: bool

    @property
    def why_not(self) -> str:
        """Why nothing can be tried at all, in words; empty where it can."""
        if not self.seccomp:
            return "this system has no seccomp; without it, a copy of the kernel could reach your files and the network"
        return ""

    @property
    def scratch(self) -> bool:
        """Whether files in a scratch folder may be written: only Landlock can tell them from the others."""
        return self.landlock >= landlock.NEEDED

    @property
    def missing(self) -> tuple[str, ...]:
        """What a trial does without, in words."""
        if self.scratch:
            return () if self.landlock >= 6 else (f"Landlock {self.landlock} of 6",)
        return ("Landlock: temporary files can't be written",)

    def restrict(self, folder: str) -> None:
        """Shut this process in, for good; `folder` is the one place where it may change files.

        Raises
        ------
        OSError
            If the kernel refuses: then nothing may be run.
        """
        if self.scratch:
            landlock.restrict(folder, self.landlock)
        seccomp.restrict(files=not self.scratch)


@functools.lru_cache(maxsize=None)
def offered() -> Sandbox:
    """What this system offers."""
    return Sandbox(landlock.version(), seccomp.offered())
