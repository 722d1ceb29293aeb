"""What a session without a kernel works with: presenters, providers, trials and checkers that do as they are told."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator

import pytest

from reflex_ipython.errors import ModelError
from reflex_ipython.models import (
    CellChanges,
    CellRef,
    Edit,
    ExceptionInfo,
    Failure,
    Finding,
    Fix,
    Repair,
    RunOption,
    Situation,
    Trial,
    new_id,
    now,
)
from reflex_ipython.protocols import Request
from reflex_ipython.stages import Withdrawal, Withheld, Work
from tests.failures import situated

CELL = CellRef("a", 7)


def a_failure(source: str = "toatl", cell: CellRef = CELL) -> Failure:
    return Failure(new_id(), now(), Situation(cell, source), "run", (ExceptionInfo("NameError", "it is not defined"),))


def a_fix(failure: Failure, source: str, provider: str = "rule") -> Fix:
    return Fix(
        new_id(), (Edit(failure.situation.cell, failure.situation.source, source),), "It was misspelt.", provider
    )


class Seen:
    """A presenter that keeps what it was asked to show."""

    def __init__(self) -> None:
        self.shown: list[tuple[Repair, Work | None]] = []
        self.updates: list[tuple[Repair, Work | None]] = []
        self.pieces: list[tuple[str, bool]] = []
        self.notes: list[Repair] = []

    def show(self, repair: Repair, work: Work | None) -> None:
        self.shown.append((repair, work))

    def update(self, repair: Repair, work: Work | None) -> None:
        self.updates.append((repair, work))

    def note(self, repair: Repair) -> None:
        self.notes.append(repair)

    def text(self, repair: Repair, piece: str, start: bool) -> None:
        self.pieces.append((piece, start))


class Open:
    """A redactor that has nothing to hide."""

    def learn(self, value: object) -> None:
        pass

    def withheld(self, text: str) -> list[Withheld]:
        return []

    def cause(self, cause: Failure) -> Failure:
        return situated(cause, source=self.text(cause.situation.source))

    def text(self, text: str) -> str:
        return text

    def restore(self, text: str) -> str:
        return text


class Hiding(Open):
    """A redactor that knows one secret."""

    def text(self, text: str) -> str:
        return text.replace("SECRET", "<1>")

    def restore(self, text: str) -> str:
        return text.replace("<1>", "SECRET")


class Rules:
    """An instant provider that knows one word."""

    name, where, cost, label = "rule", "instant", "", "rules"

    def propose(self, failure: Failure, request: Request) -> Iterable[Fix]:
        if "toatl" in failure.situation.source:
            yield a_fix(failure, failure.situation.source.replace("toatl", "total"))


class Model:
    """A provider that waits until it is let go."""

    name, where, cost, label = "model", "remote", "", "tiny-1"

    def __init__(self) -> None:
        self.go, self.requests, self.saw = threading.Event(), list[Request](), list[Failure]()

    def propose(self, failure: Failure, request: Request) -> Iterator[Fix]:
        self.requests.append(request)
        self.saw.append(failure)
        request.on_text("thinking")
        assert self.go.wait(10)
        if "refuse" in request.hint:
            raise ModelError("There is no such model.", "no-such-model")
        yield a_fix(failure, f"fixed({request.hint!r})", "tiny-1")


class Copies:
    """Trials that go as they are told to: what a source does is in `outcomes`; the others pass."""

    def __init__(self) -> None:
        self.outcomes: dict[str, Trial] = {}
        self.frozen: list[str] = []
        self.ran: list[str] = []
        self.released: list[str] = []
        self.most: list[float | None] = []
        self.meet = threading.Barrier(1, timeout=60)
        self.blocks: list[str] = []
        self.gone: set[str] = set()

    def after_reply(self, work: Callable[[], None], ready: Callable[[], bool]) -> None:
        work()

    def when_free(self, work: Callable[[], None]) -> None:
        work()

    def freeze(self, repair_id: str) -> None:
        self.frozen.append(repair_id)
        self.gone.discard(repair_id)

    def run(
        self,
        repair_id: str,
        changes: CellChanges,
        most: float | None = None,
        withdrawal: Withdrawal | None = None,
    ) -> Trial:
        assert repair_id in self.frozen
        self.meet.wait()
        if "endless" in changes.failing.source and withdrawal is not None:
            ended = threading.Event()
            assert withdrawal.begin(lambda: self.ran.append(changes.failing.source), ended.set)
            assert ended.wait(60)
            return Trial("inconclusive", "it was withdrawn")
        self.ran.append(changes.failing.source)
        self.most.append(most)
        return self.outcomes.get(changes.failing.source, Trial("passed", seconds=0.21))

    @contextlib.contextmanager
    def several(self, repair_id: str) -> Iterator[int]:
        self.blocks.append(f"{repair_id} begins")
        yield self.meet.parties
        self.blocks.append(f"{repair_id} ends after {len(self.ran)}")

    def is_gone(self, repair_id: str) -> bool:
        return repair_id in self.gone

    def release(self, repair_id: str) -> None:
        self.released.append(repair_id)

    def close(self) -> None:
        self.released.append("all")


class Ways:
    """How an accepted fix can be run, and what is to be said of it: as it says now; at first, it is just run."""

    def __init__(self) -> None:
        self.now: tuple[RunOption, ...] = ()
        self.said: tuple[Finding, ...] = ()

    def run_options(self, changes: CellChanges) -> tuple[RunOption, ...]:
        return self.now

    def findings(self, changes: CellChanges) -> tuple[Finding, ...]:
        return self.said


class Shouting:
    """A checker with one finding."""

    name = "shout"

    def check(self, failure: Failure, fix: Fix, trial: Trial | None = None) -> Iterator[Finding]:
        yield Finding("loud", "is loud", "note")


def until(condition: object, patience: float = 10.0) -> None:
    ready = threading.Event()
    for _ in range(int(patience / 0.01)):
        if condition():  # type: ignore[operator]  # a function without arguments
            return
        ready.wait(0.01)
    pytest.fail("it never happened")
