"""A notebook to be healed as plain data that can travel, and many of them on this machine."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from reflex_ipython.errors import BadInput
from reflex_ipython.headless.heal import Options, Stop, heal
from reflex_ipython.headless.healed import HealedNotebook
from reflex_ipython.headless.notebook_file import parsed, read, with_parameters
from reflex_ipython.headless.side_by_side import side_by_side


@dataclass(frozen=True)
class Job:
    """A notebook to be healed: the name of its file, and how."""

    name: str
    options: Options

    def load(self) -> NotebookTask:
        """Read its file.

        Raises
        ------
        BadInput
            If it can't be read.
        """
        return NotebookTask(read(Path(self.name)), self.options)


@dataclass(frozen=True)
class NotebookTask:
    """The same as it travels: the bytes of the file come along, so that no disk has to be shared."""

    content: bytes
    options: Options

    @property
    def digest(self) -> str:
        """Equal for tasks that ask for the same."""
        return hashlib.sha256(self.content + repr(self.options).encode()).hexdigest()


class Done(NamedTuple):
    """A job and what came of it. `digest`: of its task; empty if its file could not be read."""

    job: Job
    digest: str
    healed: HealedNotebook


class Stops:
    """All runs of this process that are to end when nobody wants them any more."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stops: set[Stop] = set()
        self.all_over = False
        """Whether no other may begin."""

    def begin(self) -> Stop:
        """One for a run that begins."""
        stop = Stop()
        with self._lock:
            self._stops.add(stop)
            over = self.all_over
        if over:
            stop.now()
        return stop

    def end(self, stop: Stop) -> None:
        """The run has come to its end."""
        with self._lock:
            self._stops.discard(stop)

    def now(self) -> None:
        """End them all."""
        with self._lock:
            self.all_over = True
            stops = list(self._stops)
        for stop in stops:
            stop.now()


def heal_task(task: NotebookTask, stop: Stop) -> HealedNotebook:
    """Heal the notebook of a task; whatever goes wrong is told in the result, so that it stops no other."""
    try:
        notebook = with_parameters(parsed(task.content), task.options.parameters, task.options.kernel)
    except BadInput as error:
        return HealedNotebook(None, "invalid", str(error))
    return heal(notebook, task.options, stop)


def unreadable(job: Job, error: BadInput) -> Done:
    """A job whose file can't be read."""
    return Done(job, "", HealedNotebook(None, "invalid", str(error)))


def heal_here(jobs: Sequence[Job], at_once: int, stops: Stops, begun: Callable[[Job], None]) -> Iterator[Done]:
    """Heal notebooks on this machine; gives them in the order in which they end.

    Parameters
    ----------
    jobs : sequence of Job
    at_once : int
        How many at a time.
    stops : Stops
        Ends them; those that have not begun then are not given.
    begun : callable
        Is told of each that begins, on another thread.
    """

    def one(job: Job) -> Done | None:
        if stops.all_over:
            return None
        begun(job)
        stop = stops.begin()
        try:
            task = job.load()
            return Done(job, task.digest, heal_task(task, stop))
        except BadInput as error:
            return unreadable(job, error)
        finally:
            stops.end(stop)

    yield from filter(None, side_by_side(jobs, one, at_once, stops.now))
