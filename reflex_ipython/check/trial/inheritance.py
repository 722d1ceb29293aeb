"""What a copy has from the process that it was made of, and what a use of it would mean there."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

from reflex_ipython.check.trial import process, stand_ins, withheld, written_pages
from reflex_ipython.check.trial.descriptors import DetachedDescriptors
from reflex_ipython.check.trial.mappings import Mapping
from reflex_ipython.check.trial.origins import Origin
from reflex_ipython.check.trial.reach import Reached
from reflex_ipython.check.trial.testimony import Testimony
from reflex_ipython.models import Effect


@dataclass(frozen=True)
class Inheritance:
    """What was there before the copy.

    Parameters
    ----------
    origins : dict of int to Origin
        What descriptors led to whose use somebody else would see.
    read_only : list of str
        Files that were open for writing, and can't be written here.
    mappings : list of Mapping
        Shared memory whose change somebody else would see.
    threads : tuple of Thread
        Those that the copy lacks.
    reached : Reached
        What the user's names lead to.
    """

    origins: dict[int, Origin] = field(default_factory=dict)
    read_only: list[str] = field(default_factory=list)
    mappings: list[Mapping] = field(default_factory=list)
    threads: tuple[threading.Thread, ...] = ()
    reached: Reached = field(default_factory=Reached)

    def effects(self, pid: int, told: Testimony) -> Iterator[Effect]:
        """What a candidate did, seen from outside; each once. While it is still there.

        Parameters
        ----------
        pid : int
            The candidate.
        told : Testimony
            What it said before and while its cell ran.
        """
        seen: set[str] = set()
        for effect in self._effects(pid, told):
            if effect.text not in seen:
                seen.add(effect.text)
                yield effect

    def _effects(self, pid: int, told: Testimony) -> Iterator[Effect]:
        used = set()
        for one, words in stand_ins.used(pid, told.stand_ins):
            used.add(one.inherited)
            yield Effect(words, self._names(one.origin, one.inherited))
        for fd, given in told.withheld.items():
            if fd in self.origins and fd not in used:
                yield Effect(stand_ins.in_words(self.origins[fd], given), self._names(self.origins[fd], fd))
        for position, more in told.semaphores.items():
            if 0 <= position < len(self.reached.semaphores):
                name, one_of_all = self.reached.semaphores[position]
                yield Effect(withheld.semaphore_words(one_of_all.kind, more), (name,))
        for mapping, before in zip(self.mappings, told.written):
            if written_pages.written(pid, mapping) > before:
                yield Effect(written_pages.words(mapping), tuple(sorted(self.reached.maps)))
        yield from map(Effect, told.effects)

    def _names(self, origin: Origin, fd: int) -> tuple[str, ...]:
        names = self.reached.databases if origin.kind == "database" else self.reached.names.get(fd)
        return tuple(sorted(names or ()))


def inherited(
    detached: DetachedDescriptors,
    mappings: list[Mapping],
    threads: tuple[threading.Thread, ...],
    reached: Reached,
) -> Inheritance:
    """Put together what is known right after the copy was made.

    Parameters
    ----------
    detached : DetachedDescriptors
    mappings : list of Mapping
        All shared ones, as they were.
    threads : tuple of Thread
    reached : Reached
    """
    origins = dict(detached.origins)
    for child in reached.children:
        for stream in (child.stdin, child.stdout, child.stderr):
            with contextlib.suppress(AttributeError, KeyError, OSError, ValueError):  # there is none, or it is closed
                if origins[stream.fileno()].kind == "pipe":
                    origins[stream.fileno()] = Origin("pipe", f"the process {process.named(child.pid)}")
    shared = written_pages.watched(mappings)
    return Inheritance(origins, detached.read_only, shared, threads, reached)
