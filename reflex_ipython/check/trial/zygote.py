"""The kernel's side of a zygote: start it on the main thread, try fixes in it from any other, and end it."""

from __future__ import annotations

import contextlib
import itertools
import os
import socket
import tempfile
import threading
from collections.abc import Iterator

from reflex_ipython.base import process_memory
from reflex_ipython.base.own_threads import shielded
from reflex_ipython.base.running_loop import loop_is_running
from reflex_ipython.check.trial import apart, integrity, scratch
from reflex_ipython.check.trial import sandbox as protections
from reflex_ipython.check.trial.apart import Apart
from reflex_ipython.check.trial.limits import Limits, at_once, most_at_once
from reflex_ipython.check.trial.lines import Line, ZygoteLines
from reflex_ipython.check.trial.process import Other, descendants
from reflex_ipython.check.trial.runner import Runner
from reflex_ipython.check.trial.sandbox import Sandbox
from reflex_ipython.check.trial.waiting import others
from reflex_ipython.check.trial.zygote_main import WITHDRAWN, Orders, become_zygote
from reflex_ipython.models import CellChanges, Trial, to_json
from reflex_ipython.models.own_json import from_own_json
from reflex_ipython.stages import Withdrawal

_GRACE = 5.0  # seconds for a zygote to answer once a trial's time is up
_HELD = 10_000
"""Characters that the system surely holds for who does not listen yet: of 208 kB, with what each takes in JSON."""
_GIVEN_UP = Trial("inconclusive", "the copy of the kernel ended before the trial was over")


class Zygote:
    """A frozen copy of this process. Make one with `start`."""

    def __init__(self, process: Apart, control: socket.socket, orders: Orders) -> None:
        self._process = process
        self.limits = orders.limits
        self._lines = ZygoteLines(control, orders.folders)
        self._folders = orders.folders
        self._numbers = itertools.count()  # of the trials
        self._alive = True
        self._problem = ""
        """Why nothing could be tried, once it has ended."""
        self._lock = threading.Lock()  # of `_alive`, so that no other process with the same number is killed
        self._reaper = threading.Thread(target=self._reap, name="reflex-zygote", daemon=True)
        self._reaper.start()

    @classmethod
    def start(
        cls, runner: Runner, *, limits: Limits | None = None, keep: float = 600.0, sandbox: Sandbox | None = None
    ) -> Zygote:
        """Copy this process as it is now. To be called on the main thread, where `why_not_fork` has nothing against it.

        Parameters
        ----------
        runner : Runner
            Runs cells in the copies.
        limits : Limits or None
            Of each trial.
        keep : float
            Seconds after which the copy ends by itself.
        sandbox : Sandbox or None
            The protections to use. None: all that this system offers.

        Returns
        -------
        Zygote
            Before it is ready: the first trial waits for that.

        Raises
        ------
        OSError
            If there is no memory or no room for another process.
        """
        limits = limits or Limits()
        folder = os.path.join(tempfile.gettempdir(), scratch.name())
        folders = (folder, *(f"{folder}-{number}" for number in range(1, most_at_once())))
        ours, theirs = socket.socketpair()
        protection = sandbox or protections.offered()
        in_loop, threads = loop_is_running(), others()
        orders = Orders(runner, limits, protection, folders, keep, in_loop, threads)
        integrity.look()
        parent = os.getpid()
        kernel = Other(parent)  # now: it may end before the copy looks for it
        try:
            process = apart.fork()
        except BaseException:  # it may be interrupted as well
            if os.getpid() != parent:
                os._exit(1)  # whatever happens to a copy, it never goes on as the kernel
            ours.close()
            theirs.close()
            raise
        if process is None:
            become_zygote(orders, theirs, kernel)
        theirs.close()
        return cls(process, ours, orders)

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process is still there."""
        return self._alive

    def memory(self) -> int:
        """Bytes that would be free again without it; 0 once it has ended.

        Its twins and all that is being tried are counted, but for what they share with each other meanwhile.
        """
        with self._lock:
            return sum(map(process_memory.private, [self.pid, *descendants(self.pid)])) if self._alive else 0

    @contextlib.contextmanager
    def several(self) -> Iterator[int]:
        """Until the end of the block, several fixes can be tried at once; gives how many. They share the memory.

        The first that finds the copy busy has it make a twin of itself, which goes at the end of the block.
        """
        most = min(at_once(self.limits), len(self._folders))
        with self._lines.several(most):
            yield most

    def trial(
        self,
        changes: CellChanges,
        seconds: float | None = None,
        withdrawal: Withdrawal | None = None,
    ) -> Trial:
        """Put a fix into effect in a copy of the copy, and run its failing cell. Blocks: for threads that may wait.

        Parameters
        ----------
        changes : CellChanges
        seconds : float or None
            How long it may take. None: as the limits say.
        withdrawal : Withdrawal or None
            May end it before its time; the copy stays for others.

        Returns
        -------
        Trial
            Also if the copy breaks down, or is closed meanwhile: "inconclusive" with the reason.
        """
        seconds = seconds or self.limits.seconds
        trial: Trial | None = None
        while trial is None:
            with self._lines.taken() as line:
                trial = self._ended() if line is None else self._on(line, changes, seconds, withdrawal or Withdrawal())
        return trial

    def let_go(self) -> None:
        """Have it end, and whatever it is trying. Nothing waits for that."""
        self._lines.let_go()

    def close(self, seconds: float = 2.0) -> None:
        """End it, and whatever it is trying; afterwards no process, descriptor or file of it is left.

        Parameters
        ----------
        seconds : float
            How long to wait for an orderly end.
        """
        self._lines.hang_up()
        self._reaper.join(seconds)
        self._kill()
        self._reaper.join()

    def _on(self, line: Line, changes: CellChanges, seconds: float, withdrawal: Withdrawal) -> Trial | None:
        """The trial on a line; None if no twin could be made for it, so that another has to do."""
        begun = not line.number
        try:
            number, among = next(self._numbers), self._lines.most
            request = {"changes": to_json(changes), "seconds": seconds, "among": among, "number": number}
            # At once: who has just got ready would wait for it, and by then this process is at something else. What the
            # system does not hold for him waits until he is ready: who withdraws it must not wait for that.
            if _length(changes) > _HELD and (problem := line.problem(self._patience)):
                return self._untriable(problem)
            if not withdrawal.begin(lambda: line.send(request), lambda: line.withdraw(number)):
                return Trial("inconclusive", WITHDRAWN)
            if problem := line.problem(self._patience):
                return self._untriable(problem)
            begun = True
            return from_own_json(Trial, line.receive(self.limits.set_up + seconds + _GRACE))
        except (OSError, EOFError):
            if not line.number and (problem := line.last_words()):
                return self._untriable(problem)
            line.is_lost = True
            if line.number:
                scratch.remove(line.folder)
            else:
                self._kill()
            return _GIVEN_UP if begun else None
        except ValueError as error:  # what it said is no trial: the code has tampered with its copy
            return Trial("inconclusive", f"the trial's report can't be read ({type(error).__name__})")
        finally:
            withdrawal.done()

    @property
    def _patience(self) -> float:
        """Seconds to get ready, in which another trial may have to end first."""
        return self.limits.set_up + self.limits.seconds

    def _untriable(self, problem: str) -> Trial:
        self._problem = problem
        return Trial("not_tried", problem)

    def _ended(self) -> Trial:
        return self._untriable(self._problem) if self._problem else _GIVEN_UP

    def _kill(self) -> None:
        with self._lock:
            if self._alive:
                self._process.kill()

    def _reap(self) -> None:
        """Wait for its end, whatever the cause, so that it is no zombie; then remove what it may have left."""
        self._process.wait()
        with shielded():
            self._clear_away()

    def _clear_away(self) -> None:
        with self._lock:
            self._alive = False
            self._process.bury()
        self._problem = self._problem or self._lines.problem()
        self._lines.hang_up()
        for folder in self._folders:
            scratch.remove(folder)
        self._lines.close()


def _length(changes: CellChanges) -> int:
    texts = [text for edit in changes.edits for text in (edit.source, edit.expected)]
    return sum(map(len, texts)) + sum(len(one.source) for one in changes.first)
