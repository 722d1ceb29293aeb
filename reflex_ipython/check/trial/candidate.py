"""One copy that runs one fix: shut in, watched, and gone afterwards."""

from __future__ import annotations

import builtins
import contextlib
import dataclasses
import faulthandler
import io
import json
import os
import sys
import tempfile
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, NoReturn

from reflex_ipython.check.trial import descriptors, limits, refusal, revive
from reflex_ipython.check.trial.audit import Blocked, Watch
from reflex_ipython.check.trial.changes import Before
from reflex_ipython.check.trial.descriptors import Detached
from reflex_ipython.check.trial.layers import Layers
from reflex_ipython.check.trial.limits import Limits
from reflex_ipython.check.trial.outputs import Outputs, Stream
from reflex_ipython.check.trial.process import die_with_parent
from reflex_ipython.check.trial.runner import Runner
from reflex_ipython.check.trial.workers import refuse_workers
from reflex_ipython.models import CellEdit, Trial, to_json

_MESSAGE = 2_000  # characters of an exception's message
_EARLY = 0.25  # seconds before time is up, to write down where it stands


@dataclass(frozen=True)
class Task:
    """What one copy is to do.

    Parameters
    ----------
    edits : tuple of CellEdit
        The fix's, the failing cell's last.
    limits : Limits
    layers : Layers
        The walls to put up.
    scratch : str
        The folder where it may write.
    in_loop : bool
        Whether cells run inside an event loop here.
    result, trace : int
        Descriptors: where the result goes, and where it hangs when time is up.
    read_only : list of str
        Files that were open for writing, and can't be written here.
    """

    edits: tuple[CellEdit, ...]
    limits: Limits
    layers: Layers
    scratch: str
    in_loop: bool
    result: int
    trace: int
    read_only: list[str]

    @property
    def source(self) -> str:
        """The failing cell's new source."""
        return self.edits[-1].source

    @property
    def changed_before(self) -> tuple[CellEdit, ...]:
        """The edits of other cells that change something."""
        return tuple(edit for edit in self.edits[:-1] if edit.source != edit.expected)


def become_candidate(task: Task, runner: Runner, parent: int) -> NoReturn:
    """Run the task in this process, send what was seen, and end. Nothing of the parent's ever runs again."""
    status = 1
    try:
        die_with_parent(parent)
        os.setsid()
        try:
            trial = _Candidate(task, runner).run()
        except BaseException as error:  # noqa: BLE001 - the copy can't be made safe, so nothing may run in it
            trial = Trial("inconclusive", f"the copy could not be set up: {type(error).__name__}: {error}")
        _send(task.result, trial)
        status = 0
    finally:
        os._exit(status)  # no finalizer of the user's, no buffer is flushed a second time


class _Candidate:
    def __init__(self, task: Task, runner: Runner) -> None:
        self.task = task
        self.runner = runner
        self.outputs = Outputs(task.limits.output)
        self.watch = Watch(task.scratch if task.layers.scratch else None)

    def run(self) -> Trial:
        start = time.monotonic()
        detached = descriptors.detach({self.task.result, self.task.trace})
        detached.read_only += self.task.read_only
        printed = self._catch_output()
        self._no_input()
        refuse_workers(self._no_worker)
        loop = revive.fresh_event_loop(running=self.task.in_loop)
        with revive.thawed():
            self.runner.rewind(self.task.edits[-1])
        before = Before(self.runner.namespace, "\n".join(edit.source for edit in self.task.edits))
        self._shut_in(detached, self.task.limits.seconds - (time.monotonic() - start))
        error, in_last, seconds, processor = self._timed(loop)
        trial = self._seen(error, detached, in_last=in_last)
        return dataclasses.replace(
            trial,
            stdout=(self.outputs.printed + self._from_descriptors(*printed))[: self.task.limits.output],
            result=self.outputs.result_text,
            mime_types=tuple(self.outputs.mime_types),
            figures=self.outputs.figures,
            image=self.outputs.image,
            changes=before.changes(self.runner.namespace),
            accesses=tuple(self.watch.accesses),
            seconds=round(seconds, 4),
            cpu_seconds=round(processor, 4),
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

    def _no_worker(self) -> NoReturn:
        raise self.watch.refuse("process", "hand work to other processes")

    def _shut_in(self, detached: Detached, seconds: float) -> None:
        """All walls at once, the last moment before foreign code runs."""
        sys.dont_write_bytecode = True
        tempfile.tempdir = self.task.scratch
        os.environ.update(dict.fromkeys(("TMPDIR", "TEMP", "TMP"), self.task.scratch))
        limits.impose(self.task.limits, detached.largest)
        self.task.layers.restrict(self.task.scratch)
        faulthandler.dump_traceback_later(max(0.05, seconds - _EARLY), file=self.task.trace)
        self.watch.start()

    # ---- during and after

    def _timed(self, loop: Any) -> tuple[BaseException | None, bool, float, float]:
        """What ended the run, and whether that was in the failing cell; seconds on the wall and of the processor."""
        start, processor = time.perf_counter(), time.process_time()
        error = None
        for edit in self.task.changed_before:
            error = error or _drive(self.runner.apply(edit, self.outputs), loop)
        in_last = error is None
        if in_last:
            error = _drive(self.runner.run(self.task.source, self.outputs), loop)
        return error, in_last, time.perf_counter() - start, time.process_time() - processor

    def _seen(self, error: BaseException | None, detached: Detached, *, in_last: bool) -> Trial:
        if error is None:
            return Trial("passed")
        outcome, reason = refusal.judge(error, detached)
        lineno = line_of(error) if in_last else None
        if outcome == "other_error" and not in_last:
            reason = "in an earlier cell of the fix"
        return _with_error(Trial(outcome, reason), error, lineno, self.task.source)

    def _from_descriptors(self, fd: int, start: int) -> str:
        return os.pread(fd, self.task.limits.output, start).decode("utf-8", "replace")


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


def _drive(run: Coroutine[Any, Any, BaseException | None], loop: Any) -> BaseException | None:
    """Inside a running loop, or without any, as cells run where the user is."""
    try:
        if loop is not None:
            return loop.run_until_complete(run)  # type: ignore[no-any-return]  # that of `run`
        run.send(None)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]  # that of `run`
    except BaseException as error:  # noqa: BLE001 - a runner that raises, or an exit from inside a loop
        return error
    return RuntimeError("the cell waits, and there is no event loop")


def _send(fd: int, trial: Trial) -> None:
    data = memoryview(json.dumps(to_json(trial), ensure_ascii=False).encode("utf-8", "replace"))
    while data:
        data = data[os.write(fd, data) :]
