"""The zygote itself: a frozen, single-threaded copy of the kernel that forks a candidate for each fix.

It tries one fix at a time, and so does each of its twins (`control`): who looks after a candidate knows of no other.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import os
import signal
import socket
import threading
import time
from dataclasses import dataclass
from typing import Any, NoReturn

from reflex_ipython.base import process_memory
from reflex_ipython.check.trial import (
    after_fork,
    channel,
    descriptors,
    integrity,
    mappings,
    process,
    scratch,
    testimony,
    watcher,
)
from reflex_ipython.check.trial.candidate import SPEECHLESS, become_candidate, text_of
from reflex_ipython.check.trial.changes import users
from reflex_ipython.check.trial.control import Control, Twin
from reflex_ipython.check.trial.guard import Guard, readable
from reflex_ipython.check.trial.inheritance import Inheritance, inherited
from reflex_ipython.check.trial.limits import Limits
from reflex_ipython.check.trial.openings import Openings
from reflex_ipython.check.trial.process import Ended
from reflex_ipython.check.trial.reach import reach
from reflex_ipython.check.trial.runner import Runner
from reflex_ipython.check.trial.sandbox import Sandbox
from reflex_ipython.check.trial.task import Task
from reflex_ipython.check.trial.testimony import Testimony
from reflex_ipython.check.trial.timeout_report import TimeoutReport, ask_for_stack, timeout_report
from reflex_ipython.check.trial.watcher import Watcher
from reflex_ipython.models import Access, CellChanges, CellRef, DefinitionRef, Edit, FileRef, RunCell, Trial, to_json

WITHDRAWN = "it was withdrawn"
"""Of a trial that nobody waited for any more."""
_MOMENT = 0.2
"""Seconds until it ends that is let go. Mostly a fix was accepted just then: to free its memory takes the system 10 ms
of a processor, which the cell and the page need more."""


@dataclass(frozen=True)
class Orders:
    """What a zygote needs to know.

    Parameters
    ----------
    runner : Runner
    limits : Limits
        Of each trial; the seconds are given with it.
    sandbox : Sandbox
    folders : tuple of str
        Where a trial may write: one of the zygote, and one of each twin. Made for each trial, and removed.
    keep : float
        Seconds after which it ends by itself.
    in_loop : bool
        Whether cells run inside an event loop here.
    threads : tuple of Thread
        Those that a copy lacks.
    """

    runner: Runner
    limits: Limits
    sandbox: Sandbox
    folders: tuple[str, ...]
    keep: float
    in_loop: bool
    threads: tuple[threading.Thread, ...] = ()


def become_zygote(orders: Orders, control: socket.socket, kernel: process.Other) -> NoReturn:
    """Serve trials until the other end of `control` is closed or the kernel has ended. Nothing of its runs again."""
    try:
        nursery = _Nursery(orders, Control(control), kernel)
        nursery.settle()
        nursery.serve()
        nursery.leave()
    finally:
        os._exit(0)


class _HungUp(Exception):
    """The kernel wants nothing more, not even the trial that runs."""


class _OutOfDate(Exception):
    """Our own code was not what it was taken for, before the cell ran: that is known now, and it is tried again."""


class _Nursery:
    def __init__(self, orders: Orders, control: Control, kernel: process.Other) -> None:
        self.orders = orders
        self.control = control
        self.scratch = orders.folders[0]
        self.end = time.monotonic() + orders.keep
        self.reserve = process_memory.reserve()
        self.inheritance = Inheritance()
        self.watcher: Watcher | None = None
        self.kernel = kernel

    def settle(self) -> None:
        """Let go of all that is shared with the kernel, and say that we are ready, or why we can't be."""
        os.setsid()
        process.adopt_orphans()
        process.sacrifice_first()
        problem = ""
        gc.freeze()  # a collection could unmap what is about to be copied
        try:
            reached = reach(users(self.orders.runner.namespace))
            detached = descriptors.detach({self.control.descriptor}, only_read=self.orders.runner.own_files)
            maps = mappings.lines()
            shared = mappings.detach(maps)
            self.inheritance = inherited(detached, shared, self.orders.threads, reached)
            after_fork.after_fork(maps)
            self.orders.runner.detach()
            self.watcher = watcher.start(self.orders.folders)
        except mappings.NotDetached as error:
            problem = str(error.strerror)
        except Exception as error:  # noqa: BLE001 - said to the user; nothing is tried then
            problem = f"the copy of the kernel could not be set up: {type(error).__name__}: {error}"
        self.control.say({"problem": problem})
        if problem:
            os._exit(0)
        scratch.sweep(os.path.dirname(self.scratch))  # now: no twin makes its folder meanwhile

    def leave(self) -> None:
        """The last to go takes leave of its twins and its watcher, so that no process is left."""
        limits = self.orders.limits
        self.control.end_twins(limits.set_up + limits.seconds)  # each ends by itself, for the reason why we do
        if self.watcher is not None:
            self.watcher.dismiss()

    def serve(self) -> None:
        """Wait for requests, until there is no more use for them. A twin that is made here goes on here, as a twin."""
        while True:
            try:
                self._serve()
            except Twin as twin:
                self._become(twin)
            except _HungUp:
                return
            else:
                return

    def _serve(self) -> None:
        while self._is_asked(0.0) or not self._is_over():  # who waits for a trial is not to wait for these looks
            if not self._is_asked(1.0):
                self.control.reap()
            elif not self.control.attend():
                return
            if self.control.is_let_go:
                self._is_asked(_MOMENT)
                return
            while (request := self.control.request()) is not None:
                try:
                    report, killed = self._answer(request)
                except _OutOfDate:
                    report, killed = self._answer(request)
                self.control.say(report)
                if killed:  # nothing of it runs any more, but it takes the system 10 ms to let go of its memory
                    process.end(killed, self._spared)

    def _is_asked(self, seconds: float) -> bool:
        return bool(readable([self.control.descriptor], seconds))

    def _become(self, twin: Twin) -> None:
        """A twin, in what it differs: its own line and folder, and no children yet."""
        self.control.close()
        self.control, self.scratch, self.watcher = Control(twin.line), self.orders.folders[twin.number], None
        process.adopt_orphans()
        self.control.say({"problem": ""})

    def _is_over(self) -> bool:
        """Whether there is no more use for it. The kernel's end of the line may be held by a process of the user's."""
        late = time.monotonic() > self.end or not self.kernel.is_there()
        return late or process_memory.available() < self.reserve // 2

    def _answer(self, request: dict[str, Any]) -> tuple[dict[str, Any], int]:
        """One trial. The scratch folder is there for just so long.

        Gives what is to be said, and the process that is killed but not waited for; 0: there is none any more.
        """
        seconds, among = float(request["seconds"]), int(request["among"])
        limits = dataclasses.replace(self.orders.limits, seconds=seconds, among=among)
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(scratch.owned(self.scratch))
                result, into = os.pipe2(os.O_CLOEXEC)
                stack.callback(os.close, result)
                trace = os.memfd_create("trace", os.MFD_CLOEXEC)
                stack.callback(os.close, trace)
                ours, theirs = socket.socketpair()
                stack.callback(ours.close)
                stack.callback(theirs.close)
                task = self._task(_changes(request["changes"]), limits, (into, trace, theirs.fileno()))
                start, held, parent, secret = time.monotonic(), process_memory.resident(), os.getpid(), channel.key()
                pid = after_fork.fork()
            except OSError as error:  # no room, no memory, no more processes
                return to_json(Trial("inconclusive", f"no copy of the kernel could be made ({error.strerror})")), 0
            if pid == 0:
                become_candidate(task, secret, self.orders.runner, parent)
            os.close(into)
            theirs.close()
            openings = stack.enter_context(contextlib.closing(Openings(pid, ours.detach(), self.scratch)))
            guard = Guard(pid, result, self.control, task, self.reserve // 2, openings, int(request["number"]))
            report, ended = self._watch(guard, start, channel.Receiver(secret, testimony.is_over))
            most = process_memory.peak(pid) if ended is None else ended.peak_bytes
            if ended is None:
                process.kill(pid)
        told = {"peak_bytes": max(0, most - held), "missing": self.orders.sandbox.missing}
        return {**report, **told}, 0 if ended is not None else pid

    def _task(self, changes: CellChanges, limits: Limits, ends: tuple[int, int, int]) -> Task:
        orders = self.orders
        return Task(changes, limits, orders.sandbox, self.scratch, orders.in_loop, *ends, self.inheritance)

    @property
    def _spared(self) -> set[int]:
        """The children that stay when a candidate ends with all that it started."""
        return {*self.control.twins, *([] if self.watcher is None else [self.watcher.pid])}

    def _watch(self, guard: Guard, start: float, receiver: channel.Receiver) -> tuple[dict[str, Any], Ended | None]:
        """Wait for a candidate's report, or for the reason why it must be stopped; then it is gone.

        Who has said all is still there (None), and does nothing any more but wait for its end.
        """
        pid, task = guard.pid, guard.task
        stopped = guard.wait(receiver)
        if stopped == "time":
            ask_for_stack(pid, task.trace)
        by_itself = not (stopped or receiver.over or receiver.forged) and process.wait(pid, 0.5)
        if by_itself:
            receiver.end()
        told = testimony.read(receiver.messages)
        if told.replaced and not told.tampered and integrity.look_anew():
            process.end(pid, self._spared)
            raise _OutOfDate
        effects = [] if by_itself else list(self.inheritance.effects(pid, told))
        ended = None
        if told.report is not None and not receiver.forged and stopped != "over":
            report = {**told.report, **_doubted(told)}
        else:
            ended = process.end(pid, self._spared)
            report = to_json(_unsaid(guard, start, stopped, ended, by_itself=by_itself, forged=receiver.forged))
        opened = [("file", words) for words in guard.openings.refused]
        wanted = dict.fromkeys([*told.accesses, *opened])
        accesses = [to_json(Access(kind, text)) for kind, text in wanted]  # type: ignore[arg-type]  # checked where it is read
        return {**report, "accesses": accesses, "effects": list(map(to_json, effects))}, ended


def _doubted(told: Testimony) -> dict[str, Any]:
    """What a report can't claim in view of what was said before: how far the cell came is not known either."""
    if how := told.tampered or told.replaced:
        reason = f"it tampered with the trial, so nothing is proven: {how}"
        return {"outcome": "inconclusive", "reason": reason, "lineno": None, "statement": ""}
    if told.raised and told.report is not None and told.report.get("outcome") == "passed":
        return {"outcome": "inconclusive", "reason": "it hid an exception from the trial, so nothing is proven"}
    return {}


def _changes(data: dict[str, Any]) -> CellChanges:
    """By hand: what validates JSON from outside is long to import, and this comes from ourselves."""
    earlier, first = map(_edit, data["earlier"]), map(_run, data["first"])
    return CellChanges(tuple(earlier), _edit(data["failing"]), first=tuple(first))


def _run(data: dict[str, Any]) -> RunCell:
    return RunCell(CellRef(**data["cell"]), data["source"], data["number"], data["why"])


def _edit(data: dict[str, Any]) -> Edit:
    target = data["target"]
    kind = FileRef if "path" in target else DefinitionRef if "qualname" in target else CellRef
    return Edit(kind(**target), data["expected"], data["source"])


def _unsaid(guard: Guard, start: float, stopped: str, ended: Ended, *, by_itself: bool, forged: bool) -> Trial:
    """What is known of a candidate whose report is missing, or worth nothing. By now it is gone."""
    if stopped == "over":
        raise _HungUp
    if forged:
        return Trial("inconclusive", "it wrote into the trial's own report, so nothing is proven")
    elapsed = time.monotonic() - start
    stop = timeout_report(guard.task.trace, elapsed, ended.cpu_seconds, runnable=ended.runnable)
    return _unfinished(stopped, ended.code if by_itself else 0, stop, guard.task)


def _unfinished(stopped: str, code: int, stop: TimeoutReport, task: Task) -> Trial:
    """What is known of a candidate that sent no report."""
    limits = task.limits
    known = Trial("inconclusive", lineno=stop.lineno, statement=text_of(task.source, stop.lineno))
    used_up = code in (-signal.SIGXCPU, -signal.SIGKILL) and stop.cpu_seconds >= limits.seconds
    if stopped == "time" or used_up:
        outcome, reason = stop.words(limits.seconds)
        known = dataclasses.replace(known, seconds=limits.seconds, cpu_seconds=stop.cpu_seconds)
        return dataclasses.replace(known, outcome=outcome, reason=reason)
    if stopped == "set up":
        return dataclasses.replace(known, reason=f"the copy of the kernel was not set up within {limits.set_up:g} s")
    if stopped == "withdrawn":
        return Trial("inconclusive", WITHDRAWN)
    if stopped == "memory":
        return dataclasses.replace(known, reason="stopped, because memory ran low on this machine")
    if stopped == "scratch":
        size = limits.scratch >> 20
        return dataclasses.replace(known, reason=f"wrote more than {size} MB of temporary files, so it was stopped")
    if code == SPEECHLESS:
        return dataclasses.replace(known, reason="it closed or broke the channel that the trial reports on")
    if code < 0:
        return Trial(
            "inconclusive",
            f"it crashed the copy of the kernel ({signal.Signals(-code).name}), and might crash your kernel",
        )
    return Trial("inconclusive", f"it ended the copy of the kernel (exit code {code}), and would end your kernel")
