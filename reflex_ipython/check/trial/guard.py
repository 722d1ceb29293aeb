"""Waits for a candidate, and keeps an eye on what it uses."""

from __future__ import annotations

import math
import os
import select
import time
from dataclasses import dataclass, field
from typing import Literal

from reflex_ipython.base import process_memory
from reflex_ipython.check.trial import process, scratch
from reflex_ipython.check.trial.channel import LARGEST, Receiver
from reflex_ipython.check.trial.control import Control
from reflex_ipython.check.trial.openings import Openings
from reflex_ipython.check.trial.task import Task

_LOOK = 0.2  # seconds between two looks at memory and scratch
_PIECE = 1 << 16  # bytes that are read at once: all that a pipe holds
_SHORT = 1.0  # seconds that a trial has its turn as the user's own cells have; they are not to wait for a long one

Stopped = Literal["", "set up", "time", "memory", "scratch", "withdrawn", "over"]


@dataclass
class Guard:
    """Knows when a candidate is to be stopped.

    Parameters
    ----------
    pid : int
        The candidate.
    report : int
        The descriptor where its messages come from.
    control : Control
        Where the kernel would hang up, or order a twin.
    task : Task
        What it may use.
    floor : int
        Bytes of memory that the machine must have left.
    openings : Openings
        Is asked about what it opens.
    number : int
        Under which the kernel would withdraw the trial.

    Attributes
    ----------
    began : float or None
        When the cell began (`time.monotonic`).
    """

    pid: int
    report: int
    control: Control
    task: Task
    floor: int
    openings: Openings
    number: int = 0
    began: float | None = field(default=None, init=False)

    def wait(self, receiver: Receiver) -> Stopped:
        """Receive what it says, until it must be stopped: why, or empty if it has said all or has ended.

        "over" if the kernel hangs up, "withdrawn" if it wants this trial no more; "set up" if its cell did not
        begin in time.

        Parameters
        ----------
        receiver : Receiver
            Takes the messages; the first says that the cell begins.
        """
        limits = self.task.limits
        looked, late = time.monotonic(), 0
        deadline, step_back_at = looked + limits.set_up, math.inf
        while not (receiver.over or receiver.forged):
            if receiver.messages and self.began is None:
                self.began, late = time.monotonic(), 0
                deadline, step_back_at = self.began + limits.seconds, self.began + _SHORT
            asked, control = self.openings.descriptor, self.control.descriptor
            awaited = [self.report, control, *([asked] if asked >= 0 else [])]
            left = deadline - time.monotonic()
            there = readable(awaited, max(0, min(left, _LOOK)))
            if left <= 0:  # what is there by now came in time: on a busy machine we look late as well
                late += 1
                if late * _PIECE > LARGEST or self.report not in there:
                    return "set up" if self.began is None else "time"
            if control in there and not self.control.attend():
                return "over"
            if self.control.is_withdrawn(self.number):
                return "withdrawn"
            if asked in there:
                self.openings.answer()
            if self.report in there:
                piece = os.read(self.report, _PIECE)
                receiver.feed(piece)
                if not piece:
                    return ""
            if time.monotonic() >= looked + _LOOK:  # whether or not it says something all the time
                looked = time.monotonic()
                if looked >= step_back_at:
                    process.step_back(self.pid)
                    step_back_at = math.inf
                if why := self._excess():
                    return why
        return ""

    def _excess(self) -> Stopped:
        if process_memory.available() < self.floor:
            return "memory"
        return "scratch" if scratch.size(self.task.scratch, self.pid) > self.task.limits.scratch else ""


def readable(fds: list[int], seconds: float) -> list[int]:
    """Which descriptors can be read, or have hung up. By `poll`, since `select` knows no number beyond 1,023."""
    poll = select.poll()
    for fd in fds:
        poll.register(fd, select.POLLIN)
    return [fd for fd, _ in poll.poll(seconds * 1000)]
