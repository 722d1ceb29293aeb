"""Waits for a candidate, and keeps an eye on what it uses."""

from __future__ import annotations

import os
import select
import time
from dataclasses import dataclass
from typing import Literal

from reflex_ipython import memory
from reflex_ipython.check.trial import scratch
from reflex_ipython.check.trial.candidate import Task

_LOOK = 0.2  # seconds between two looks at memory and scratch
_LARGEST = 4 << 20  # bytes of a report

Stopped = Literal["", "time", "memory", "scratch", "over"]


@dataclass(frozen=True)
class Guard:
    """Knows when a candidate is to be stopped.

    Parameters
    ----------
    pid : int
        The candidate.
    report, control : int
        Descriptors: where its report comes from, and where the kernel would hang up.
    deadline : float
        When its time is up, on the monotonic clock.
    task : Task
        What it may use.
    floor : int
        Bytes of memory that the machine must have left.
    """

    pid: int
    report: int
    control: int
    deadline: float
    task: Task
    floor: int

    def wait(self) -> tuple[bytes, Stopped]:
        """What it sent, and why it must be stopped; empty if it has said all."""
        data = b""
        while True:
            left = self.deadline - time.monotonic()
            if left <= 0:
                return data, "time"
            there = readable([self.report, self.control], min(left, _LOOK))
            if self.control in there:  # while a trial runs, nothing but the end can come
                return data, "over"
            if there:
                piece = os.read(self.report, 1 << 16)
                data += piece
                if not piece or len(data) > _LARGEST:
                    return data, ""
            elif why := self._excess():
                return data, why

    def _excess(self) -> Stopped:
        if memory.available() < self.floor:
            return "memory"
        return "scratch" if scratch.size(self.task.scratch, self.pid) > self.task.limits.scratch else ""


def readable(fds: list[int], seconds: float) -> list[int]:
    """Which descriptors can be read, or have hung up. By `poll`, since `select` knows no number beyond 1,023."""
    poll = select.poll()
    for fd in fds:
        poll.register(fd, select.POLLIN)
    return [fd for fd, _ in poll.poll(seconds * 1000)]
