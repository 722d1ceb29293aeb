"""From a live exception to a `Failure`: plain, bounded, and without a hold on the user's objects."""

from __future__ import annotations

import dataclasses
import platform
from collections.abc import Sequence
from typing import Any, Literal

from reflex_ipython import models
from reflex_ipython.capture import chain, safe_inspection
from reflex_ipython.capture.bounds import SummaryDeadline, attempt, clean, clip
from reflex_ipython.capture.callee import callee
from reflex_ipython.capture.cells import CellLookup, FailingCell, NoCells
from reflex_ipython.capture.dataflow import earlier, names
from reflex_ipython.capture.elsewhere import raised_elsewhere, steps_at_home, steps_elsewhere
from reflex_ipython.capture.expected_error import is_expected
from reflex_ipython.capture.formats import text_formats
from reflex_ipython.capture.frames import frames
from reflex_ipython.capture.inlined import with_inlined
from reflex_ipython.capture.lookup import lookup
from reflex_ipython.capture.lookup.names import users
from reflex_ipython.capture.magic_lines import with_code_of_magics
from reflex_ipython.capture.meanings import meanings
from reflex_ipython.capture.named import named_values, nearest_values, types_of
from reflex_ipython.capture.own_files import own_files
from reflex_ipython.capture.syntax import problem
from reflex_ipython.capture.trace import Step, around, steps, user_step
from reflex_ipython.capture.versions import versions
from reflex_ipython.models import CellRef, CellSource, ExceptionInfo, Failure, Lookup, Situation, ValueSummary
from reflex_ipython.settings import Settings

_VALUES = 6  # all summaries together may take so many times the time of one
_NAMES = 500
_LOOKED_AT = 300  # earlier cells that may have set a name
_SETTERS = 2

_Live = tuple[BaseException, chain.Relation, list[Step]]


def capture_failure(
    exc: BaseException,
    *,
    source: str,
    cell: CellRef,
    namespace: dict[str, Any],
    cells: CellLookup | None = None,
    stage: Literal["syntax", "run", "display"] = "run",
    settings: Settings | None = None,
    tags: Sequence[str] = (),
    foreseen: bool = False,
) -> Failure:
    """All that the later stages may know of a failed execution.

    To be called on the thread that failed, while the exception's traceback is alive. Nothing of the user's runs but
    an exception's own `__str__`, as it did when the traceback was shown; nothing that an object does makes it raise.

    Parameters
    ----------
    exc : BaseException
        The exception. An interrupt is the caller's business.
    source : str
        The raw text of the cell.
    cell : CellRef
        The cell.
    namespace : dict
        The user's namespace.
    cells : CellLookup or None
        Knows the cells by their code's file name, and the ones that ran before. None: there are no others.
    stage : str
        "syntax": it did not compile; "run": it raised; "display": its result's formatter raised.
    settings : Settings or None
        `summary_time` and `summary_size` bound the summaries. None: the defaults.
    tags : sequence of str
        The cell's tags.
    foreseen : bool
        Whether it is told before its statement begins; then this is another thread than the cell's.

    Returns
    -------
    Failure
        Not redacted: its sources must still match the cells. Redact what leaves this machine.
    """
    settings = settings or Settings()
    clock = SummaryDeadline(total=_VALUES * settings.summary_time, each=settings.summary_time)
    known = FailingCell(cells or NoCells(), CellSource(cell, source))
    live: list[_Live] = [(one, relation, attempt([], _steps, one, known)) for one, relation in chain.chain(exc)]
    live = attempt(live, _led_home, live, known, namespace)
    syntax = attempt(None, problem, exc, source, known, stage)
    if syntax and user_step(live[0][2]) is None:  # only the compiler's own frames
        live[0] = (*live[0][:2], [])
    in_cell = live[0][2]
    lineno = syntax.lineno if syntax else attempt(None, _lineno, in_cell, cell)
    found = _with_setters(_lookup(live), known)
    own = users(namespace)
    size = settings.summary_size
    exceptions = tuple(_exception(one, clock, size) for one in live)
    return Failure(
        id=models.new_id(),
        at=models.now(),
        situation=Situation(
            place=cell,
            source=clean(source),
            names=tuple(clip(name, 200) for name in own[:_NAMES]),
            meanings=attempt({}, meanings, namespace),
            values=attempt((), _values, source, found, own, namespace, clock, size, in_cell),
            earlier=attempt((), _earlier, source, known, in_cell),
            versions=attempt({}, versions, in_cell, source, namespace),
            python=platform.python_version(),
            types=attempt({}, types_of, own, namespace),
            runs=attempt((), known.runs_before),
            files=attempt((), own_files, exc, in_cell),
        ),
        stage=stage,
        exceptions=exceptions,
        lineno=lineno,
        lookup=found,
        syntax=syntax,
        expected=attempt(False, is_expected, tags, in_cell, source, lineno),
        callee=attempt(None, callee, exc, in_cell),
        remarks=attempt((), text_formats, exc, in_cell),
        foreseen=foreseen,
    )


def _values(
    source: str,
    found: Lookup | None,
    names: list[str],
    namespace: dict[str, Any],
    clock: SummaryDeadline,
    size: int,
    in_cell: list[Step],
) -> tuple[ValueSummary, ...]:
    """What no frame tells of: what the text names, where it never ran; what is alike to a name that is not there."""
    if not in_cell:
        return named_values(source, namespace, clock, size)
    if found is None or found.kind != "name":
        return ()
    own = _own_variables(in_cell)
    return nearest_values(found.wanted, list(dict.fromkeys([*own, *names])), {**namespace, **own}, clock, size)


def _own_variables(in_cell: list[Step]) -> dict[str, Any]:
    """The variables of the function that failed, where it is the user's."""
    step = user_step(in_cell)
    if step is None:
        return {}
    found = ((name, step.local(name)) for name in step.own_names() if name.isidentifier())
    return {name: value for name, value in found if value is not safe_inspection.MISSING}


def _steps(exc: BaseException, known: FailingCell) -> list[Step]:
    traceback = chain.traceback(exc)
    found = steps(traceback, known)
    found = with_code_of_magics(found, lambda: around(traceback, known))
    return attempt(found, with_inlined, found, exc)


def _led_home(live: list[_Live], known: FailingCell, namespace: dict[str, Any]) -> list[_Live]:
    """The same with what was raised in another process, if it was: first, with its steps in the user's cells."""
    exc, relation, here = live[0]
    there = steps_elsewhere(exc, known, namespace)
    found = [*steps_at_home(here, known, namespace), *there]
    first = raised_elsewhere(exc) if there else None
    if first is None:
        return [(exc, relation, found), *live[1:]]
    return [(first, "raised", found), (exc, "context", here), *live[1:]]


def exception_info(exc: BaseException) -> ExceptionInfo:
    """The class and message of an exception, without its frames.

    Parameters
    ----------
    exc : BaseException
        Any exception, hostile ones included.
    """
    return _exception((exc, "raised", []), SummaryDeadline(0.05, 0.05), 0)


def _exception(live: _Live, clock: SummaryDeadline, size: int) -> ExceptionInfo:
    exc, relation, trace = live
    return ExceptionInfo(
        ename=chain.ename(exc),
        evalue=attempt("", chain.evalue, exc, clock),
        relation=relation,
        notes=attempt((), chain.notes, exc),
        frames=attempt((), frames, trace, clock, size) if trace else (),
    )


def _lookup(live: list[_Live]) -> Lookup | None:
    """What the exception says of a failed look-up; else what the one says that it was made from."""
    told = (attempt(None, lookup, exc, trace) for exc, relation, trace in live if relation != "context")
    return next((found for found in told if found is not None), None)


def _lineno(trace: list[Step], cell: CellRef) -> int | None:
    """The line of the failing cell itself; of its code under a timing magic, if that ran it."""
    top = [step for step in trace if step.is_top and step.cell is not None]
    own = [step for step in top if step.cell is not None and step.cell.cell == cell] or top
    return own[-1].raw_lineno if own else None


def _earlier(source: str, cells: FailingCell, trace: list[Step]) -> tuple[CellSource, ...]:
    """The cells that matter: those in the traceback whole. One that was rewritten since is none that can be edited."""
    shown = {step.cell for step in trace if step.cell is not None}
    outdated = {cell for cell in shown if cells.is_rewritten(cell)}
    before = [cell for cell in cells.all() if cell not in outdated]
    kept = earlier(source, before, shown)
    return tuple(dataclasses.replace(_clean(one), edited=cells.is_rewritten(one)) for one in kept)


def _with_setters(found: Lookup | None, cells: FailingCell) -> Lookup | None:
    """The look-up of a name with the earlier cells that would have set it, had they not failed."""
    if found is None or found.kind != "name":
        return found
    nothing: frozenset[str] = frozenset()
    setters: list[CellSource] = []
    for one in reversed(cells.all()[-_LOOKED_AT:]):
        if found.wanted in one.source and found.wanted in attempt(nothing, _defines, one):
            if not one.error:  # it was set, and has been deleted since
                break
            setters.insert(0, one)
    return dataclasses.replace(found, setters=tuple(map(_clean, setters[-_SETTERS:])))


def _defines(cell: CellSource) -> frozenset[str]:
    return names(cell.source).defines


def _clean(cell: CellSource) -> CellSource:
    return dataclasses.replace(cell, source=clean(cell.source), error=clip(cell.error, 200))
