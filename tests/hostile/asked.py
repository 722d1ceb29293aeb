"""A session that asks a server for fixes as a kernel's does, without a kernel."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from jupyter_client.session import json_packer

from reflex_ipython.capture.redactor import SecretRedactor
from reflex_ipython.ipython.from_kernel import FromKernel, State, dump
from reflex_ipython.ipython.notebook import NotebookPresenter
from reflex_ipython.models import (
    CellChanges,
    CellRef,
    ExceptionInfo,
    Failure,
    Finding,
    Frame,
    Lookup,
    Repair,
    RunOption,
    Situation,
    Trial,
    new_id,
    now,
)
from reflex_ipython.present.offers import NOTHING
from reflex_ipython.propose.model import ModelProvider
from reflex_ipython.propose.rules import RuleProvider
from reflex_ipython.protocols import Checker, Context, FixProvider
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.remember.recorder import Recorder
from reflex_ipython.repairs.services import Services
from reflex_ipython.repairs.session import Session
from reflex_ipython.settings import Settings
from reflex_ipython.stages import Withdrawal

CELL = CellRef("cell-7", 7)
SOURCE = 'by_region = df.groupby("regoin").sum()'
BY_RULE = SOURCE.replace("regoin", "region")


def a_failure() -> Failure:
    """A misspelt column: a rule knows the fix."""
    frames = (Frame("/tmp/ipykernel_1/1.py", "<module>", 1, SOURCE, 1, CELL),)
    lookup = Lookup("column", "regoin", "df", "pandas.DataFrame", ("sales", "region"))
    error = ExceptionInfo("KeyError", "'regoin'", frames=frames)
    return Failure(new_id(), now(), Situation(CELL, SOURCE, names=("df",)), "run", (error,), lineno=1, lookup=lookup)


class NoCopies:
    """Trials where the kernel can't be copied."""

    def after_reply(self, work: Any, ready: Any) -> None:
        work()

    def when_free(self, work: Any) -> None:
        work()

    def freeze(self, repair_id: str) -> None:
        """There is nothing to copy."""

    def run(
        self,
        repair_id: str,
        changes: CellChanges,
        most: float | None = None,
        withdrawal: Withdrawal | None = None,
    ) -> Trial:
        raise OSError("no process can be made")

    def several(self, repair_id: str) -> AbstractContextManager[int]:
        return contextlib.nullcontext(1)

    def is_gone(self, repair_id: str) -> bool:
        return False

    def release(self, repair_id: str) -> None:
        """There is nothing to let go of."""

    def close(self) -> None:
        """The same."""


class NoConsequences:
    def run_options(self, changes: CellChanges) -> tuple[RunOption, ...]:
        return ()

    def findings(self, changes: CellChanges) -> tuple[Finding, ...]:
        return ()


class Asked:
    """A session whose panels are kept as they would go to a page.

    Parameters
    ----------
    providers : sequence of FixProvider, optional
        Instead of the rules and the model.
    checkers : sequence of Checker
    **settings
        As `Settings` takes them.
    """

    def __init__(
        self, providers: Sequence[FixProvider] | None = None, checkers: Sequence[Checker] = (), **settings: Any
    ) -> None:
        chosen = {
            "model": "m", "ask_model": "always", "trial": "off", "attempts": 1, "timeout": 0.4, "total_timeout": 0.6,
        }  # fmt: skip
        self.panels: list[dict[str, Any]] = []
        presenter = NotebookPresenter(self._publish, self._tell, lambda repair, work: NOTHING, lambda state: None)
        context = Context(lambda: self.session.settings, MemoryStore())
        asked = [RuleProvider(context), ModelProvider(context)] if providers is None else providers
        self.session = Session(
            Settings(**{**chosen, **settings}),  # type: ignore[arg-type]
            presenter=presenter,
            recorder=Recorder(MemoryStore),
            services=Services(SecretRedactor, lambda: (asked, checkers), NoCopies(), NoConsequences()),
        )

    def _tell(self, message: FromKernel) -> None:
        if isinstance(message, State):
            json_packer(dump(message)).decode("utf-8")
            self.panels.append(message.state)

    def _publish(
        self, data: dict[str, Any], *, display_id: str, update: bool = False, brings: FromKernel | None = None
    ) -> None:
        json_packer(data).decode("utf-8")  # what a kernel does with it
        if brings is not None:
            self._tell(brings)

    def set(self, **settings: Any) -> None:
        import dataclasses

        self.session.settings = dataclasses.replace(self.session.settings, **settings)

    def fail(self, patience: float = 30.0) -> Repair:
        """A cell fails; gives its repair once nobody is at work on it any more."""
        repair = self.session.failed(a_failure(), patience=patience)
        worker = self.session.repairs.open(repair.id).worker
        assert worker is not None
        worker.join(patience)
        return self.session.repairs[repair.id]

    def working(self) -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.name.startswith("reflex-search")]

    def close(self) -> None:
        self.session.close()
