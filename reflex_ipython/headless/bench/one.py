"""One case: it fails in a fresh kernel, a fix is accepted there, and the result is judged."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import tempfile
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reflex_ipython.base.syntax_trees import literal_value
from reflex_ipython.headless.bench import namespace
from reflex_ipython.headless.bench.cases import Case
from reflex_ipython.headless.bench.cells import FAILING, notebook_cells, setup_id
from reflex_ipython.headless.bench.explained import is_explained, words_about
from reflex_ipython.headless.bench.kernel import BenchKernel, BenchRun, KernelTrouble, own_environment
from reflex_ipython.headless.bench.outcome import FixOutcome, Outcome
from reflex_ipython.headless.page import Drawn, FixDeclined, Page, acceptable
from reflex_ipython.present.panel import MIME

LOAD = "%load_ext reflex_ipython"
ALTERNATIVES = 6
"""Fixes of a choice that are judged, each in a kernel of its own; who chooses reads no more."""


@dataclass(frozen=True)
class Conditions:
    """How cases run.

    Parameters
    ----------
    caches : Path
        A folder for what is slow to make and the same for all kernels.
    timeout : float
        Seconds for each cell and each repair.
    config : tuple of (str, object)
        Settings of the extension.
    network : bool
        Whether a model may be reached.
    extensions : tuple of str
        More IPython extensions, loaded after ours: what a measurement leaves out or changes.
    stop : Event
        Set: no result is wanted any more.
    """

    caches: Path
    timeout: float = 60.0
    config: tuple[tuple[str, Any], ...] = ()
    network: bool = False
    extensions: tuple[str, ...] = ()
    stop: threading.Event = field(default_factory=threading.Event)


def run_case(case: Case, conditions: Conditions) -> Outcome:
    """Run a case; whatever goes wrong is told in its outcome.

    Raises
    ------
    Stopped
        If nobody wants the result any more.
    """
    return asyncio.run(_run_case(case, conditions))


async def _run_case(case: Case, conditions: Conditions) -> Outcome:
    began = time.monotonic()
    outcome = await _first(case, conditions)
    if outcome.choice:
        others = [
            await _alternative(case, conditions, fix) if index <= ALTERNATIVES else fix
            for index, fix in enumerate(outcome.fixes[1:], 2)
        ]
        outcome = dataclasses.replace(outcome, fixes=(*outcome.fixes[:1], *others))
    return dataclasses.replace(outcome, seconds=round(time.monotonic() - began, 2))


@asynccontextmanager
async def _kernel(case: Case, conditions: Conditions) -> AsyncIterator[BenchKernel]:
    """A kernel in a folder of its own that has the case's files."""
    with tempfile.TemporaryDirectory(prefix="reflex-bench-", ignore_cleanup_errors=True) as parent:
        folder, home = Path(parent, "work"), Path(parent, "home")
        for made in (folder, home):
            made.mkdir()
        for name, text in case.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        environment = own_environment(home, conditions.caches, network=conditions.network)
        async with BenchKernel(folder, environment, conditions.timeout, conditions.stop) as kernel:
            yield kernel


async def _set_up(case: Case, kernel: BenchKernel) -> None:
    for number, source in enumerate(case.setup, 1):
        ran = await kernel.run(source, setup_id(number))
        if not ran.succeeded:
            raise KernelTrouble(f"setup cell {number} raises {ran.ename}: {ran.reply.get('evalue', '')}")


@asynccontextmanager
async def _ready(case: Case, conditions: Conditions) -> AsyncIterator[tuple[BenchKernel, Page[BenchRun]]]:
    """A kernel with the extension, where all but the failing cell has run."""
    async with _kernel(case, conditions) as kernel:
        settings = "".join(f"\n%config Reflex.{name} = {value!r}" for name, value in conditions.config)
        more = "".join(f"\n%load_ext {name}" for name in conditions.extensions)
        loaded = await kernel.run(f"{LOAD}\n%config Reflex.look_ahead = False{settings}{more}")
        if not loaded.succeeded:
            raise KernelTrouble(f"the extension can't be loaded: {loaded.reply.get('evalue', '')}")
        page = Page(kernel, conditions.timeout, notebook_cells(case))
        kernel.on_message = page.heard
        await page.open()
        await _set_up(case, kernel)
        yield kernel, page


async def _first(case: Case, conditions: Conditions) -> Outcome:
    """Let it fail, look at the panel, accept its first fix."""
    outcome = Outcome(case.id, case.family, case.ename)
    try:
        async with _ready(case, conditions) as (kernel, page):
            ran = await kernel.run(case.cell, FAILING)
            outcome = dataclasses.replace(outcome, raised=ran.ename)
            if not outcome.reproduced:
                return outcome
            drawn = await page.settled(ran.repair)
            if not drawn:
                return dataclasses.replace(outcome, trouble="there is no panel")
            outcome = _seen(case, outcome, ran, drawn)
            if not outcome.fixes:
                return outcome
            first = await _accepted(case, conditions, kernel, page, drawn[-1].state, 0, outcome.fixes[0])
            return dataclasses.replace(outcome, fixes=(first, *outcome.fixes[1:]))
    except KernelTrouble as error:
        return dataclasses.replace(outcome, trouble=str(error))


def _seen(case: Case, outcome: Outcome, ran: BenchRun, drawn: list[Drawn]) -> Outcome:
    """What the panels of a failed cell say, from the first to the last."""
    panel = drawn[-1].state
    offer = next((one for one in drawn if acceptable(one.state)), None)
    words = words_about(panel)
    return dataclasses.replace(
        outcome,
        choice=bool(panel["question"]),
        fixes=tuple(_proposed(fix) for fix in acceptable(panel)),
        words=words,
        explained=is_explained(words, case.says),
        seconds_to_offer=_seconds(ran, offer),
        seconds_to_verdict=_seconds(ran, drawn[-1] if offer else None),
    )


def _seconds(ran: BenchRun, drawn: Drawn | None) -> float | None:
    """From the error until a panel was sent."""
    at = ran.failed_at
    return None if drawn is None or at is None else round((drawn.at - at).total_seconds(), 3)


async def _alternative(case: Case, conditions: Conditions, fix: FixOutcome) -> FixOutcome:
    """Let it fail once more, and accept another fix."""
    try:
        async with _ready(case, conditions) as (kernel, page):
            drawn = await page.settled((await kernel.run(case.cell, FAILING)).repair)
            sources = [_source(shown) for shown in acceptable(drawn[-1].state)] if drawn else []
            if fix.source not in sources:
                return dataclasses.replace(fix, trouble="it was not proposed again")
            return await _accepted(case, conditions, kernel, page, drawn[-1].state, sources.index(fix.source), fix)
    except KernelTrouble as error:
        return dataclasses.replace(fix, trouble=str(error))


async def _accepted(
    case: Case,
    conditions: Conditions,
    kernel: BenchKernel,
    page: Page[BenchRun],
    panel: dict[str, Any],
    index: int,
    fix: FixOutcome,
) -> FixOutcome:
    """Accept a fix of a panel, and judge what it comes to."""
    try:
        ran = await page.accept(panel, acceptable(panel)[index]["id"])
        right = await _is_right(case, conditions, kernel, ran) if ran.succeeded else _known_wrong(case)
        return dataclasses.replace(fix, runs=ran.succeeded, right=right)
    except FixDeclined as error:
        return dataclasses.replace(fix, trouble=f"declined: {error}")
    except KernelTrouble as error:
        return dataclasses.replace(fix, trouble=str(error))


def _known_wrong(case: Case) -> bool | None:
    """What still fails is wrong, where it is known what would be right."""
    return False if case.check or case.correct else None


async def _is_right(case: Case, conditions: Conditions, kernel: BenchKernel, ran: BenchRun) -> bool | None:
    """Whether the repaired cell came to what is right; None if nobody knows."""
    if case.check:
        builtins = "__import__('builtins')"
        scope = f"{{**{builtins}.globals(), 'OUT': {ran.shown(MIME)!r}}}"
        return await kernel.value(f"{builtins}.bool({builtins}.eval({case.check!r}, {scope}))") == "True"
    if case.correct:
        here = await _described(kernel)
        async with _kernel(case, conditions) as other:
            await _set_up(case, other)
            correct = await other.run(case.correct, FAILING)
            if not correct.succeeded:
                raise KernelTrouble(f"the correct cell raises {correct.ename}")
            same = namespace.same_as_correct(here, await _described(other))
        shown, right = (namespace.without_addresses(one.shown(MIME)) for one in (ran, correct))
        return same and shown == right
    return None


async def _described(kernel: BenchKernel) -> dict[str, str]:
    told = await kernel.value(
        f"__import__({namespace.__name__!r}, fromlist=['described']).described(__import__('builtins').globals())"
    )
    try:
        found: dict[str, str] = json.loads(_unquoted(told))
    except ValueError:
        raise KernelTrouble(f"the namespace can't be described: {told}") from None
    return found


def _unquoted(told: str) -> str:
    """The text whose `repr` that is."""
    return str(literal_value(told))


def _proposed(fix: dict[str, Any]) -> FixOutcome:
    return FixOutcome(
        fix["origin"], fix["explanation"], _source(fix), fix["verdict"]["text"], fix["verdict"]["tone"] == "good"
    )


def _source(fix: dict[str, Any]) -> str:
    """The texts of a fix's cells, those that run first included, which tell it from another one."""
    return "\n\n".join(cell["source"] for cell in (*fix["first"], *fix["edits"]))
