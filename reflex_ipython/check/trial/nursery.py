"""The zygote itself: a frozen, single-threaded copy of the kernel that forks a candidate for each fix."""

from __future__ import annotations

import dataclasses
import json
import os
import select
import shutil
import signal
import socket
import time
from dataclasses import dataclass
from typing import Any, NoReturn

from reflex_ipython.check.trial import descriptors, mappings, memory, process, revive
from reflex_ipython.check.trial.candidate import Task, become_candidate, text_of
from reflex_ipython.check.trial.descriptors import Detached
from reflex_ipython.check.trial.layers import Layers
from reflex_ipython.check.trial.limits import Limits
from reflex_ipython.check.trial.runner import Runner
from reflex_ipython.check.trial.standstill import Standstill
from reflex_ipython.models import Trial, to_json

_LOOK = 0.2  # seconds between two looks at memory and scratch
_RESULT = 4 << 20  # bytes of a result


@dataclass(frozen=True)
class Orders:
    """What a zygote needs to know.

    Parameters
    ----------
    runner : Runner
    limits : Limits
        Of each trial; the seconds are given with it.
    layers : Layers
    scratch : str
        A folder for the trials' folders.
    keep : float
        Seconds after which it ends by itself.
    in_loop : bool
        Whether cells run inside an event loop here.
    """

    runner: Runner
    limits: Limits
    layers: Layers
    scratch: str
    keep: float
    in_loop: bool


def become_zygote(orders: Orders, control: socket.socket, parent: int) -> NoReturn:
    """Serve trials until the other end of `control` is closed. Nothing of the parent's ever runs again."""
    try:
        nursery = _Nursery(orders, control)
        nursery.settle(parent)
        nursery.serve()
    finally:
        os._exit(0)


class _Nursery:
    def __init__(self, orders: Orders, control: socket.socket) -> None:
        self.orders = orders
        self.control = control
        self.end = time.monotonic() + orders.keep
        self.reserve = memory.reserve()
        self.detached = Detached()

    def settle(self, parent: int) -> None:
        """Let go of all that is shared with the kernel, and say that we are ready, or why we can't be."""
        process.die_with_parent(parent)
        os.setsid()
        process.adopt_orphans()
        process.sacrifice_first()
        problem = ""
        try:
            self.detached = descriptors.detach({self.control.fileno()})
            mappings.detach()
            revive.revive()
            self.orders.runner.detach()
        except mappings.NotDetached as error:
            problem = str(error.strerror)
        except Exception as error:  # noqa: BLE001 - said to the user; nothing is tried then
            problem = f"the copy could not be set up: {type(error).__name__}: {error}"
        self._say({"problem": problem})
        if problem:
            os._exit(0)

    def serve(self) -> None:
        """Wait for requests, a line of JSON each."""
        waiting = b""
        while not self._is_over():
            if not self._readable(1.0):
                continue
            piece = self.control.recv(1 << 16)
            if not piece:
                return
            waiting += piece
            while b"\n" in waiting:
                line, _, waiting = waiting.partition(b"\n")
                self._say(self._trial(json.loads(line)))

    def _is_over(self) -> bool:
        return time.monotonic() > self.end or memory.available() < self.reserve // 2

    def _readable(self, seconds: float) -> bool:
        return bool(ready([self.control.fileno()], seconds))

    def _say(self, message: dict[str, Any]) -> None:
        self.control.sendall(json.dumps(message).encode() + b"\n")

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """One trial. The scratch folder is there for just so long, so that even a killed kernel leaves none behind."""
        limits = dataclasses.replace(self.orders.limits, seconds=float(request["seconds"]))
        with contextlib.ExitStack() as stack:
            try:
                os.mkdir(self.orders.scratch, 0o700)
                stack.callback(shutil.rmtree, self.orders.scratch, ignore_errors=True)
                result, into = os.pipe2(os.O_CLOEXEC)
                stack.callback(os.close, result)
                trace = os.memfd_create("trace", os.MFD_CLOEXEC)
                stack.callback(os.close, trace)
                task = self._task(tuple(request["sources"]), limits, into, trace)
                start, held, parent = time.monotonic(), memory.resident(), os.getpid()
                pid = revive.fork()
            except OSError as error:  # no room, no memory, no more processes
                return to_json(Trial("inconclusive", f"no copy could be made ({error.strerror})"))
            if pid == 0:
                become_candidate(task, self.orders.runner, parent)
            os.close(into)
            found, peak = self._watch(pid, task, start)
        return {**found, "peak_bytes": max(0, peak - held), "missing": self.orders.layers.missing}

    def _task(self, sources: tuple[str, ...], limits: Limits, into: int, trace: int) -> Task:
        orders = self.orders
        read_only = self.detached.read_only
        return Task(sources, limits, orders.layers, orders.scratch, orders.in_loop, into, trace, read_only)


class _Watching:
    """Waits for a candidate, and keeps an eye on what it uses."""

    def __init__(self, nursery: _Nursery, pid: int, result: int, deadline: float, scratch: str, room: int) -> None:
        self.nursery = nursery
        self.pid = pid
        self.result = result
        self.deadline = deadline
        self.scratch = scratch
        self.room = room

    def wait(self) -> tuple[bytes, str]:
        """What it sent, and why it must be stopped; empty if it ended by itself."""
        data = b""
        control = self.nursery.control.fileno()
        while True:
            left = self.deadline - time.monotonic()
            if left <= 0:
                return data, "time"
            there = ready([self.result, control], min(left, _LOOK))
            if control in there:  # while a trial runs, only its end can come
                process.end(self.pid)
                os._exit(0)
            if there:
                piece = os.read(self.result, 1 << 16)
                data += piece
                if not piece or len(data) > _RESULT:
                    return data, ""
            elif why := self._excess():
                return data, why

    def _excess(self) -> str:
        if memory.available() < self.nursery.reserve // 2:
            return "memory"
        return "scratch" if _size(self.scratch) > self.room else ""


def ready(fds: list[int], seconds: float) -> list[int]:
    """Which descriptors can be read, or have hung up. By `poll`, since `select` knows no number beyond 1,023."""
    poll = select.poll()
    for fd in fds:
        poll.register(fd, select.POLLIN)
    return [fd for fd, _ in poll.poll(seconds * 1000)]


def _size(folder: str) -> int:
    """Bytes of the files below a folder; they may vanish while we count."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(parent, name)).st_blocks * 512
            except FileNotFoundError:
                continue
    return total


def _json(data: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(data)
    except ValueError:  # nothing, or a part: it was ended before it could say more
        return None
    return found if isinstance(found, dict) else None


def _unfinished(stopped: str, code: int, stop: Standstill, source: str, limits: Limits) -> Trial:
    """What is known of a candidate that sent no result."""
    place = {"lineno": stop.lineno, "statement": text_of(source, stop.lineno)}
    used_up = code in (-signal.SIGXCPU, -signal.SIGKILL) and stop.cpu_seconds >= limits.seconds
    if stopped == "time" or used_up:
        outcome, reason = stop.words(limits.seconds)
        return Trial(outcome, reason, seconds=limits.seconds, cpu_seconds=stop.cpu_seconds, **place)  # type: ignore[arg-type]  # two fields
    if stopped == "memory":
        return Trial("inconclusive", "memory ran low on this machine, so it was stopped", **place)  # type: ignore[arg-type]  # two fields
    if stopped == "scratch":
        return Trial("inconclusive", f"wrote more than {limits.scratch >> 20} MB of temporary files", **place)  # type: ignore[arg-type]  # two fields
    if code < 0:
        name = signal.Signals(-code).name
        return Trial("inconclusive", f"the copy was ended by {name}; the kernel might be, too")
    return Trial("inconclusive", f"the code ended the copy's process (exit code {code}); it would end the kernel")
