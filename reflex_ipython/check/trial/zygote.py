"""The kernel's side of a zygote: start it on the main thread, try fixes in it from any other, and end it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import tempfile
import threading
import time
from typing import Any

from reflex_ipython.base import process_memory
from reflex_ipython.check.trial import after_fork, scratch
from reflex_ipython.check.trial import sandbox as protections
from reflex_ipython.check.trial.limits import Limits
from reflex_ipython.check.trial.runner import Runner
from reflex_ipython.check.trial.sandbox import Sandbox
from reflex_ipython.check.trial.waiting import others
from reflex_ipython.check.trial.zygote_main import Orders, become_zygote
from reflex_ipython.models import CellChanges, Trial, from_json, to_json

_GRACE = 5.0  # seconds for a zygote to answer once a trial's time is up
_GIVEN_UP = Trial("inconclusive", "the copy of the kernel ended before the trial was over")


class Zygote:
    """A frozen copy of this process. Make one with `start`."""

    def __init__(self, pid: int, control: socket.socket, folder: str, limits: Limits) -> None:
        self.pid = pid
        self.limits = limits
        self._control = control
        self._scratch = folder
        self._waiting = b""
        self._problem: str | None = None
        self._alive = True
        self._lock = threading.Lock()  # of `_alive`, so that no other process with the same number is killed
        self._one_at_a_time = threading.Lock()
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
        ours, theirs = socket.socketpair()
        orders = Orders(
            runner, limits, sandbox or protections.offered(), folder, keep, after_fork.loop_is_running(), others()
        )
        parent = os.getpid()
        try:
            pid = after_fork.fork()
        except OSError:
            ours.close()
            theirs.close()
            raise
        if pid == 0:
            become_zygote(orders, theirs, parent)
        theirs.close()
        return cls(pid, ours, folder, limits)

    @property
    def alive(self) -> bool:
        """Whether the process is still there."""
        return self._alive

    def memory(self) -> int:
        """Bytes that would be free again without it; 0 once it has ended."""
        return process_memory.private(self.pid) if self._alive else 0

    def trial(self, changes: CellChanges, seconds: float | None = None) -> Trial:
        """Put a fix into effect in a copy of the copy, and run its failing cell. Blocks: for threads that may wait.

        Parameters
        ----------
        changes : CellChanges
        seconds : float or None
            How long it may take; never more than the limit.

        Returns
        -------
        Trial
            Also if the copy breaks down, or is closed meanwhile: "inconclusive" with the reason.
        """
        seconds = min(seconds or self.limits.seconds, self.limits.seconds)
        with self._one_at_a_time:
            try:
                if self._problem is None:
                    self._problem = str(self._receive(self.limits.seconds)["problem"])
                if self._problem:
                    return Trial("not_tried", self._problem)
                request = {"changes": to_json(changes), "seconds": seconds}
                self._control.sendall(json.dumps(request).encode() + b"\n")
                return from_json(Trial, self._receive(self.limits.set_up + seconds + _GRACE))
            except (OSError, EOFError):
                self._kill()
                return _GIVEN_UP
            except ValueError as error:  # what it said is no trial: the code has tampered with its copy
                return Trial("inconclusive", f"the trial's report can't be read ({type(error).__name__})")

    def hang_up(self) -> None:
        """Have it end, and whatever it is trying. Nothing waits for that."""
        with contextlib.suppress(OSError):  # it has hung up already
            self._control.shutdown(socket.SHUT_RDWR)

    def close(self, seconds: float = 2.0) -> None:
        """End it, and whatever it is trying; afterwards no process, descriptor or file of it is left.

        Parameters
        ----------
        seconds : float
            How long to wait for an orderly end.
        """
        self.hang_up()
        self._reaper.join(seconds)
        self._kill()
        self._reaper.join()

    def _receive(self, seconds: float) -> dict[str, Any]:
        """One message.

        Raises
        ------
        EOFError, OSError
            If the zygote has ended, or says nothing for so long.
        """
        deadline = time.monotonic() + seconds
        while b"\n" not in self._waiting:
            self._control.settimeout(max(0.01, deadline - time.monotonic()))
            piece = self._control.recv(1 << 16)
            if not piece:
                raise EOFError
            self._waiting += piece
        line, _, self._waiting = self._waiting.partition(b"\n")
        message = json.loads(line)
        if not isinstance(message, dict):
            raise ValueError("no message")
        return message

    def _kill(self) -> None:
        with self._lock:
            if self._alive:
                os.kill(self.pid, signal.SIGKILL)

    def _reap(self) -> None:
        """Wait for its end, whatever the cause, so that it is no zombie; then remove what it may have left."""
        with contextlib.suppress(ChildProcessError):  # the user's code waited for all children, this one included
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        with self._lock:
            self._alive = False
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self.pid, 0)
        scratch.remove(self._scratch)
        with self._one_at_a_time:  # who waits for its answer is told that there is none
            self._control.close()
