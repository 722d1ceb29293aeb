"""One copy that runs one fix: shut in, watched, and gone afterwards."""

from __future__ import annotations

import builtins
import contextlib
import dataclasses
import functools
import io
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn, TypeVar

from reflex_ipython.check.trial import (
    after_fork,
    channel,
    descriptors,
    events,
    integrity,
    later,
    limits,
    refusal,
    stand_ins,
    temporary,
    testimony,
    withheld,
    written_pages,
)
from reflex_ipython.check.trial.audit import AccessWatch, Blocked
from reflex_ipython.check.trial.changes import Before
from reflex_ipython.check.trial.connections import refuse_connections
from reflex_ipython.check.trial.digest import digest
from reflex_ipython.check.trial.libc import libc
from reflex_ipython.check.trial.outputs import Outputs, Stream
from reflex_ipython.check.trial.process import die_with_parent
from reflex_ipython.check.trial.runner import Runner
from reflex_ipython.check.trial.task import Task
from reflex_ipython.check.trial.timeout_report import answer_with_stack
from reflex_ipython.check.trial.waiting import refuse_children, refuse_threads
from reflex_ipython.check.trial.workers import refuse_workers
from reflex_ipython.models import FileRef, Replay, Trial, to_json

T = TypeVar("T")

_MESSAGE = 2_000  # characters of an exception's message
SPEECHLESS = 113
"""The exit code of a candidate that could not send its report."""

_REPLAY = 1.0  # seconds for recorded calls


def become_candidate(task: Task, secret: bytearray, runner: Runner, parent: int) -> NoReturn:
    """Run the task in this process, send what was seen, and wait to be ended. Nothing of the parent's ever runs again.

    What can speak to the zygote is in no variable while the cell runs, but in the loop itself: frames do not show it.
    """
    try:
        die_with_parent(parent)
        os.setsid()
        for step in _steps(task, secret, runner):
            step()
    finally:
        os._exit(SPEECHLESS)  # no finalizer of the user's, no buffer is flushed a second time


def _steps(task: Task, secret: bytearray, runner: Runner) -> tuple[Callable[[], None], ...]:
    """Set up, run, look, report, wait; the secret is wiped."""
    send, last = channel.sender(task.result, secret)
    candidate = _Candidate(task, runner)
    encode, pause = json.JSONEncoder(ensure_ascii=False).encode, signal.pause
    replaced, over, plain = testimony.replaced, testimony.over, to_json  # as they are before the cell
    broken: Callable[[], str] = str  # nothing can be, before the cell

    def prepare() -> None:
        nonlocal broken
        broken = candidate.prepare(send) or broken

    def report() -> None:
        if words := broken():
            send(replaced(words))
        last(over(encode(plain(candidate.trial))))

    def wait() -> None:
        while True:  # the zygote looks at what is left, and ends us
            pause()

    return prepare, candidate.run, candidate.look, report, wait


class _Candidate:
    def __init__(self, task: Task, runner: Runner) -> None:
        self.task = task
        self.runner = runner
        self.outputs = Outputs(task.limits.output)
        self.watch = _new_watch(task)
        self.trial = Trial("inconclusive", "the trial reported nothing")
        self.ready = False
        self.failed_first = ""
        """The cell that was to run first and failed, by its name."""

    def prepare(self, send: channel.Send) -> Callable[[], str] | None:
        """All but the cell itself. What tells whether our own code is still the same then; None: nothing may run."""
        try:
            broken = self._prepare(send)
        except BaseException as error:  # noqa: BLE001 - the copy can't be made safe
            self._not_set_up(error)
            return None
        self.ready = True
        return broken

    def _prepare(self, send: channel.Send) -> Callable[[], str]:
        inheritance = self.task.inheritance
        self.detached = descriptors.detach({self.task.result, self.task.trace, self.task.line}, again=True)
        self.detached.read_only += inheritance.read_only
        self.printed = self._catch_output()
        self._no_input()
        self._refuse()
        self.loop = after_fork.fresh_event_loop(running=self.task.in_loop)
        changes = self.task.changes
        if not changes.first:  # once other cells have run, nothing is put back
            with after_fork.thawed(), _new_watch(self.task).refusing():  # what ends by that may have a `__del__`
                self.runner.rewind(changes)
        texts = [step.source for step in changes.first] + [edit.source for edit in changes.edits]
        self.before = Before(self.runner.namespace, "\n".join(texts))
        inheritance.reached.flush()
        self.counts = inheritance.reached.counts()
        self.threads = set(threading.enumerate())
        return self._shut_in(send)

    def run(self) -> None:
        """The cell."""
        if not self.ready:
            return
        try:
            error, in_last, seconds, processor = self._timed(self.loop)
            self.trial = dataclasses.replace(
                self._seen(error, in_last=in_last), seconds=round(seconds, 4), cpu_seconds=round(processor, 4)
            )
        except BaseException as error:  # noqa: BLE001 - of ours, or an exit; there is no verdict then
            self.ready = False
            self._not_set_up(error)

    def look(self) -> None:
        """What is different now."""
        if self.ready:
            try:
                self._look()
            except BaseException as error:  # noqa: BLE001 - what the cell left behind may be broken, or Python itself
                self.trial = Trial("inconclusive", f"the trial's result can't be read: {type(error).__name__}: {error}")

    def _look(self) -> None:
        self._tell_withheld()
        for words in later.left(self.threads, self.loop):
            events.tell("effect", words)
        self.trial = dataclasses.replace(
            self.trial,
            stdout=(self.outputs.printed + self._from_descriptors(*self.printed))[: self.task.limits.output],
            result=self.outputs.result_text,
            mime_types=tuple(self.outputs.mime_types),
            figures=self.outputs.figures,
            image=self.outputs.image,
            changes=self.before.changes(self.runner.namespace),
        )
        self.trial = dataclasses.replace(self.trial, replay=self._replayed())
        self.trial = dataclasses.replace(self.trial, digest=digest(self.trial, self.runner.namespace))

    def _replayed(self) -> Replay | None:
        """What recorded calls come to now. All that the cell did is looked at by then."""
        if self.trial.outcome != "passed":
            return None
        left = self.task.limits.seconds - self.trial.seconds  # a trial that is cut off says nothing of what ran
        found = _drive(self.runner.replay(min(_REPLAY, left / 2)), self.loop)
        return found if isinstance(found, Replay) else None

    def _tell_withheld(self) -> None:
        """What waits in buffers shows by the descriptors once it is written out; what else is held back is counted."""
        reached = self.task.inheritance.reached
        reached.flush()
        (given, taken), (given_now, taken_now) = self.counts, reached.counts()
        for position, more in withheld.changed(given, given_now):
            events.tell("withheld", str(reached.writers[position].fd), str(more))
        for position, more in withheld.changed(taken, taken_now):
            events.tell("semaphore", str(position), str(more))

    def _not_set_up(self, error: BaseException) -> None:
        self.trial = Trial(
            "inconclusive", f"the copy of the kernel could not be set up: {type(error).__name__}: {error}"
        )

    # ---- before

    def _catch_output(self) -> tuple[int, int]:
        """What Python prints, and what C code writes. Returns the descriptor and where the run's part begins."""
        caught = os.memfd_create("printed", os.MFD_CLOEXEC)
        for number in (1, 2):
            os.dup2(caught, number)
        for stream in (sys.__stdout__, sys.__stderr__):
            with contextlib.suppress(OSError, ValueError, AttributeError):  # closed, detached, or none at all
                stream.flush()  # type: ignore[union-attr]  # None is what the AttributeError is for
        libc().fflush(None)  # what the kernel's C code has not written out yet is not the cell's
        sys.stdout = sys.__stdout__ = Stream(self.outputs, 1)  # type: ignore[misc, assignment]  # final for programs, not for a copy
        sys.stderr = sys.__stderr__ = Stream(self.outputs, 2)  # type: ignore[misc, assignment]  # as above
        sys.stdin = sys.__stdin__ = io.StringIO()  # type: ignore[misc, assignment]  # as above
        return caught, os.lseek(caught, 0, os.SEEK_CUR)

    def _no_input(self) -> None:
        def refuse(*_: Any, **__: Any) -> NoReturn:
            raise self.watch.refuse("input", "ask for input")

        builtins.input = refuse
        sys.breakpointhook = refuse
        if "getpass" in sys.modules:
            sys.modules["getpass"].getpass = refuse  # type: ignore[attr-defined]  # a module's own name

    def _refuse(self) -> None:
        """What would be done to others, or waited for from them."""
        refuse_workers(self._no_worker)
        refuse_connections(self.watch.refuse, self.task.inheritance.origins)
        refuse_children(self.watch.refuse)
        later.watch_exit(functools.partial(events.tell, "effect"))
        refuse_threads(self.watch.refuse, self.task.inheritance.threads, self.runner.namespace)

    def _no_worker(self) -> NoReturn:
        raise self.watch.refuse("process", "hand work to other processes")

    def _shut_in(self, send: channel.Send) -> Callable[[], str]:
        """All walls at once, the last moment before foreign code runs."""
        relied_on = self.runner.watch()
        sys.dont_write_bytecode = True
        temporary.move(self.task.scratch)
        limits.impose(self.task.limits, self.detached.largest)
        marked = stand_ins.mark(self.task.inheritance.origins)
        written = [written_pages.written(os.getpid(), one) for one in self.task.inheritance.mappings]
        self.task.sandbox.restrict(self.task.scratch, self.task.line)
        answer_with_stack(self.task.trace)
        for message in testimony.started(marked, written):
            send(message)
        self.watch.start(send)
        return integrity.seal(relied_on)

    # ---- during and after

    def _timed(self, loop: Any) -> tuple[BaseException | None, bool, float, float]:
        """What ended the run, and whether that was in the failing cell; seconds on the wall and of the processor."""
        start, processor = time.perf_counter(), time.process_time()
        tell = events.tell
        error = self.before_the_cell(loop)
        in_last = error is None
        if in_last:
            error = _drive(self.runner.run(self.task.source, self.outputs), loop)
        if error is not None:
            tell("raised")
        return error, in_last, time.perf_counter() - start, time.process_time() - processor

    def before_the_cell(self, loop: Any) -> BaseException | None:
        """What the fix changes and runs besides; gives what was raised. `timeout_report` knows it by its name."""
        error: BaseException | None = None
        for edit in self.task.changes.run_anew:
            self.runner.forget(edit)
        for cell in self.task.changes.first:
            error = error or _drive(self.runner.run(cell.source, self.outputs), loop)
            if error is not None and not self.failed_first:
                self.failed_first = cell.name
        for edit in self.task.changes.swapped:
            error = error or _drive(self.runner.apply(edit, self.outputs), loop)
        return error

    def _seen(self, error: BaseException | None, *, in_last: bool) -> Trial:
        if error is None:
            return Trial("passed")
        outcome, reason = refusal.judge(error, self.detached)
        lineno = line_of(error) if in_last else None
        if outcome == "other_error" and not in_last:
            reason = f"in {self.failed_first}, which runs first," if self.failed_first else f"in {self._earlier}"
        found = self.runner.look_up(error) if outcome == "other_error" else None
        return _with_error(Trial(outcome, reason, lookup=found), error, lineno, self.task.source)

    @property
    def _earlier(self) -> str:
        """What was rewritten beside the failing cell, in words."""
        files = [edit.target.name for edit in self.task.changes.files if isinstance(edit.target, FileRef)]
        return files[0] if files else "an earlier cell of the fix"

    def _from_descriptors(self, fd: int, start: int) -> str:
        return os.pread(fd, self.task.limits.output, start).decode("utf-8", "replace")


def _new_watch(task: Task) -> AccessWatch:
    scratch = task.scratch if task.sandbox.scratch else None
    return AccessWatch(scratch, task.inheritance.origins, task.sandbox.files, network=task.sandbox.network)


def line_of(error: BaseException) -> int | None:
    """The line of the cell that an exception came through, 1-based."""
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_name == "<module>":  # the first one is the cell's; later ones are being imported
            return step.tb_lineno
        step = step.tb_next
    return error.lineno if isinstance(error, SyntaxError) else None


def text_of(source: str, lineno: int | None) -> str:
    """A line of a cell."""
    lines = source.split("\n")
    return lines[lineno - 1].strip()[:200] if lineno is not None and 0 < lineno <= len(lines) else ""


def _with_error(trial: Trial, error: BaseException, lineno: int | None, source: str) -> Trial:
    try:
        message = str(error)
    except Exception:  # noqa: BLE001 - the user's own exception class may not be printable
        message = "<no message>"
    return dataclasses.replace(
        trial,
        ename=_name(error),
        evalue=message[:_MESSAGE],
        lineno=lineno,
        statement=text_of(source, lineno),
    )


def _name(error: BaseException) -> str:
    """The name of its class; Python 3.13 has a private one for a cell that ends too early."""
    name = "PermissionError" if isinstance(error, Blocked) else type(error).__name__
    return "SyntaxError" if name == "_IncompleteInputError" else name


def _drive(run: Coroutine[Any, Any, T], loop: Any) -> T | BaseException:
    """Inside a running loop, or without any, as cells run where the user is."""
    try:
        if loop is not None:
            return loop.run_until_complete(run)  # type: ignore[no-any-return]  # that of `run`
        run.send(None)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]  # that of `run`
    except BaseException as error:  # noqa: BLE001 - a runner that raises, or an exit from inside a loop
        return error
    return RuntimeError("the cell waits for something, but no event loop is running")
