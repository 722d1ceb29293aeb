"""The order of the stages: what a provider sees and what becomes of its answer."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_ipython.capture import Redactor
from reflex_ipython.models import CellEdit, CellRef, CellSource, ExceptionInfo, Failure, Fix, Repair, Verdict
from reflex_ipython.pipeline import grow
from reflex_ipython.protocols import Attempt, Request

KEY = "sk-very-secret-0123456789"
HOME = CellSource(CellRef("c3", 3), f'key = "{KEY}"\npath = "/home/ann/data", "~/data"\ndef f():\n    return mising')
FAILING = CellSource(CellRef("c7", 7), f'f()  # "/home/ann/data" or "~/data", with {KEY}')
FAILURE = Failure(
    "f", "", FAILING.cell, FAILING.source, "run", (ExceptionInfo("NameError", "mising"),), earlier=(HOME,)
)


class Slow:
    """A provider that is not instant: it changes what it is told to, in the texts that it sees."""

    name = "slow"
    instant = False
    label = "slow"

    def __init__(self, *changed: str) -> None:
        self.changed = changed
        self.failure: Failure | None = None
        self.request: Request | None = None

    def propose(self, failure: Failure, request: Request) -> Iterator[Fix]:
        self.failure, self.request = failure, request
        cells = (*failure.earlier, CellSource(failure.cell, failure.source))
        edits = [CellEdit(cell.cell, cell.source, self._new(cell.source)) for cell in cells]
        yield Fix("1", tuple(edits), f"The key is {KEY}.", "slow")

    def _new(self, source: str) -> str:
        return source.replace("mising", "missing") if "missing" in self.changed else f"{source}\n"


def grown(provider: Slow, request: Request | None = None) -> Fix:
    [repair] = grow(
        Repair("r", "s", FAILURE),
        [provider],
        lambda *_: Verdict(),
        request or Request(),
        Redactor(home="/home/ann", user="ann"),
    )
    [fix] = repair.fixes
    return fix


def test_a_fix_of_two_cells_is_one_of_the_real_cells() -> None:
    provider = Slow("missing")
    fix = grown(provider)
    assert provider.failure is not None
    assert KEY not in provider.failure.earlier[0].source + provider.failure.source
    assert [edit.cell for edit in fix.edits] == [HOME.cell, FAILING.cell]
    assert [edit.expected for edit in fix.edits] == [HOME.source, FAILING.source]


def test_a_cell_that_is_not_changed_stays_as_it_is_to_the_letter() -> None:
    edit = grown(Slow("missing")).edit
    assert edit.source == edit.expected == FAILING.source


def test_what_was_taken_out_is_put_back_into_every_cell() -> None:
    fix = grown(Slow("missing"))
    assert KEY in fix.edits[0].source
    assert "return missing" in fix.edits[0].source


def test_no_secret_of_an_earlier_attempt_leaves_the_machine() -> None:
    provider = Slow("missing")
    grown(provider, Request(attempts=(Attempt(grown(Slow()), Verdict()),)))
    assert provider.request is not None
    [attempt] = provider.request.attempts
    assert all(KEY not in edit.expected + edit.source for edit in attempt.fix.edits)
    assert all(edit.source != edit.expected for edit in attempt.fix.edits)
