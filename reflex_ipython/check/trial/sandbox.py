"""Which protections this system offers, and what can't be tried where one is missing.

Namespaces are none of them, on purpose. In one of its own for users, all files of other people's belong to nobody, the
user's further groups are gone, and root loses what it may do; in one for processes, a cell is process 1, which signals
do not end, and `/proc` has other numbers than `os.getpid`. So the same cell would see something else than in the
kernel, and to copy a process of 200 MB took 25 ms instead of 13. What they would keep out, the filter of system calls
refuses by its arguments: every signal, handle and memory of another process, and all that processes share by number or
name (`tests/hostile/test_made_before.py`).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

from reflex_ipython.check.trial import landlock, openings, seccomp


@dataclass(frozen=True)
class Sandbox:
    """The protections that a trial would have.

    Parameters
    ----------
    landlock : int
        The version that the kernel offers, or that is to be used of it; 0: none.
    seccomp : bool
        Whether the kernel takes a filter of system calls that fits this processor.
    network : bool
        Whether connections may be opened after all.
    files : tuple of str
        Files and folders that may be changed after all; absolute.
    """

    landlock: int
    seccomp: bool
    network: bool = False
    files: tuple[str, ...] = ()

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
        unseen = () if _asks() else ("pipes and devices that code in C opens are not seen",)
        if self.scratch:
            return unseen if self.landlock >= 6 else (f"Landlock {self.landlock} of 6", *unseen)
        return ("Landlock: temporary files can't be written", *unseen)

    def restrict(self, folder: str, line: int) -> None:
        """Shut this process in, for good.

        Parameters
        ----------
        folder : str
            The one place where it may change files.
        line : int
            A socket to the one who is asked about what it opens. It is closed.

        Raises
        ------
        OSError
            If the kernel refuses: then nothing may be run.
        """
        if self.scratch:
            landlock.restrict(folder, self.landlock, more=self.files, network=self.network)
        if (known := seccomp.processor()) is not None:
            openings.hand_over(known, line)
        seccomp.restrict(files=not self.scratch, network=self.network)


@functools.lru_cache(maxsize=None)
def _asks() -> bool:
    known = seccomp.processor()
    return known is not None and openings.offered(known)


@functools.lru_cache(maxsize=None)
def offered() -> Sandbox:
    """What this system offers."""
    return Sandbox(landlock.version(), seccomp.offered())
