"""The order of the stages: what a provider sees and what becomes of its answer."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

import pytest

from reflex_ipython.capture.redactor import SecretRedactor
from reflex_ipython.errors import ModelError
from reflex_ipython.models import (
    CellRef,
    CellSource,
    Edit,
    ExceptionInfo,
    Failure,
    Finding,
    Fix,
    Lookup,
    Repair,
    Situation,
    Trial,
    Verdict,
)
from reflex_ipython.protocols import Attempt, Request, Where
from reflex_ipython.repairs.pipeline import grow
from reflex_ipython.repairs.ranking import best_first, is_unconvincing

KEY = "sk-very-secret-0123456789"
HOME = CellSource(CellRef("c3", 3), f'key = "{KEY}"\npath = "/home/ann/data", "~/data"\ndef f():\n    return mising')
FAILING = CellSource(CellRef("c7", 7), f'f()  # "/home/ann/data" or "~/data", with {KEY}')
FAILURE = Failure(
    "f", "", Situation(FAILING.cell, FAILING.source, earlier=(HOME,)), "run", (ExceptionInfo("NameError", "mising"),)
)


class Slow:
    """A provider that is not instant: it changes what it is told to, in the texts that it sees."""

    name = "slow"
    where: Where = "remote"
    cost = ""
    label = "slow"

    def __init__(self, *changed: str) -> None:
        self.changed = changed
        self.failure: Failure | None = None
        self.request: Request | None = None

    def propose(self, failure: Failure, request: Request) -> Iterator[Fix]:
        self.failure, self.request = failure, request
        cells = (*failure.situation.earlier, CellSource(failure.situation.cell, failure.situation.source))
        edits = [Edit(cell.cell, cell.source, self._new(cell.source)) for cell in cells]
        yield Fix("1", tuple(edits), f"The key is {failure.situation.earlier[0].source.splitlines()[0][7:-1]}.", "slow")

    def _new(self, source: str) -> str:
        return source.replace("mising", "missing") if "missing" in self.changed else f"{source}\n"


def all_grown(*providers: Any, request: Request | None = None, known: Repair | None = None) -> list[Repair]:
    redactor = SecretRedactor(home="/home/ann", user="ann")
    repair = known or Repair("r", "s", FAILURE)
    return [*grow(repair, providers, lambda *_: Verdict(), request or Request(), lambda: redactor)]


def grown(provider: Slow, request: Request | None = None) -> Fix:
    [repair] = all_grown(provider, request=request)
    [fix] = repair.fixes
    return fix


def test_a_fix_of_two_cells_is_one_of_the_real_cells() -> None:
    provider = Slow("missing")
    fix = grown(provider)
    assert provider.failure is not None
    assert KEY not in provider.failure.situation.earlier[0].source + provider.failure.situation.source
    assert [edit.cell for edit in fix.edits] == [HOME.cell, FAILING.cell]
    assert [edit.expected for edit in fix.edits] == [HOME.source, FAILING.source]


def test_a_cell_that_is_not_changed_stays_as_it_is_to_the_letter() -> None:
    edit = grown(Slow("missing")).edits[-1]
    assert edit.source == edit.expected == FAILING.source


def test_what_was_taken_out_is_put_back_into_every_cell() -> None:
    fix = grown(Slow("missing"))
    assert KEY in fix.edits[0].source
    assert "return missing" in fix.edits[0].source
    assert fix.explanation == f"The key is {KEY}."


def test_no_secret_of_an_earlier_attempt_leaves_the_machine() -> None:
    provider = Slow("missing")
    lookup = Lookup("key", KEY, KEY, KEY, (KEY,), {KEY: "key"}, others=(KEY,), levels=(KEY,), hiding=KEY)
    trial = Trial("other_error", lookup=lookup)
    verdict = Verdict("other_error", f"raises on {KEY}", (Finding("key", f"{KEY} is there"),), trial=trial)
    grown(provider, Request(attempts=(Attempt(grown(Slow()), verdict),)))
    assert provider.request is not None
    [attempt] = provider.request.attempts
    assert KEY not in repr(attempt)
    assert all(KEY not in edit.expected + edit.source for edit in attempt.fix.edits)
    assert all(edit.source != edit.expected for edit in attempt.fix.edits)


# ------------------------------------------------------------------------------------------ what providers may do


class Says:
    """An instant provider of some texts for the failing cell, and then perhaps an error."""

    name, where, cost, label = "says", "instant", "", "says"

    def __init__(self, *texts: str, error: Exception | None = None) -> None:
        self.texts, self.error = texts, error

    def propose(self, failure: Failure, request: Request) -> Iterator[Fix]:
        for text in self.texts:
            yield Fix(text, (Edit(failure.situation.cell, failure.situation.source, text),), "", self.name)
        if self.error is not None:
            raise self.error


def test_what_a_provider_fails_with_is_said_until_another_one_has_a_fix() -> None:
    broken, refused = Says(error=KeyError("k")), Says(error=ModelError("There is none.", "no-such-model"))
    troubles = [repair.trouble for repair in all_grown(broken, refused, Says("fixed"))]
    assert troubles == [
        "The provider 'says' failed: KeyError: 'k'. Ask again, or go on without it.",
        "There is none.",
        "",
    ]


def test_what_was_taken_out_is_put_back_into_what_a_provider_fails_with() -> None:
    class Refusing(Slow):
        def propose(self, failure: Failure, request: Request) -> Iterator[Fix]:
            raise ModelError(f"It is too long: {failure.situation.source}", "too-long")
            yield

    [repair] = all_grown(Refusing())
    assert KEY in repair.trouble


def test_a_text_that_is_the_old_one_or_known_already_is_no_fix() -> None:
    [first] = all_grown(Says("fixed"))
    assert all_grown(Says(FAILING.source, "fixed", "fixed"), known=first) == []


def test_nothing_is_said_any_more_once_it_is_cancelled() -> None:
    request = Request()
    request.cancelled.set()
    for late in (Says("fixed"), Says(error=ModelError("Too late.", "no-such-model"))):
        assert all_grown(late, request=request) == []


WARNED = (Finding("empty", "does nothing"),)
NOTED = (Finding("loud", "is loud", "note"),)


@pytest.mark.parametrize(
    ("verdicts", "asked"),
    [
        ([], True),
        ([Verdict("passed", findings=NOTED)], False),
        ([Verdict("passed", findings=WARNED)], True),
        ([Verdict("other_error")], True),
        ([Verdict("other_error"), Verdict("passed", findings=WARNED)], True),
        ([Verdict("other_error"), Verdict("passed")], False),
        ([Verdict("not_tried")], False),
        ([Verdict("inconclusive")], False),
    ],
)
def test_somebody_else_is_asked_unless_a_fix_convinces_or_could_not_be_tried(
    verdicts: list[Verdict], asked: bool
) -> None:
    fixes = tuple(Fix(str(n), (Edit(FAILING.cell, "a", f"b{n}"),), "", "rule") for n in range(len(verdicts)))
    found = {fix.id: verdict for fix, verdict in zip(fixes, verdicts)}
    assert is_unconvincing(Repair("r", "s", FAILURE, fixes, found)) is asked


def test_fixes_of_a_cell_with_pasted_data_are_put_in_order_without_comparing_every_line_with_every_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[int] = []

    class Matcher(difflib.SequenceMatcher):  # type: ignore[type-arg]  # of lines
        def __init__(self, isjunk: None, a: list[str], b: list[str], **options: bool) -> None:
            compared.append(len(a) * len(b))
            super().__init__(isjunk, a, b, **options)

    monkeypatch.setattr(difflib, "SequenceMatcher", Matcher)
    data = "0.0,\n" * 4_000
    changes = {"long": (f"a = [\n{data}]", f"b = [\n{data}]; b"), "short": (f"a = [\n{data}]", f"b = [\n{data}]")}
    fixes = [Fix(name, (Edit(FAILING.cell, *texts),), "", "test") for name, texts in changes.items()]
    found = best_first(Repair("r", "s", FAILURE, tuple(fixes), dict.fromkeys(changes, Verdict("passed"))))
    assert [fix.id for fix in found.fixes] == ["short", "long"]
    assert sum(compared) < 1_000_000


def test_the_fixes_are_in_the_order_in_which_they_convince_and_of_equals_the_shortest_edit_is_first() -> None:
    verdicts = {
        "dangerous": Verdict("passed", findings=(Finding("rm", "removes all", "danger"),)),
        "fails": Verdict("other_error"),
        "unknown": Verdict("inconclusive"),
        "blocked later": Verdict("blocked", is_past=True),
        "untried": Verdict(),
        "doubtful": Verdict("passed", findings=WARNED),
        "takes out": Verdict("passed"),
        "puts in": Verdict("passed"),
        "changes": Verdict("passed"),
    }
    same = "the same line\n" * 9
    changes = {
        "changes": (f"{same}old", f"{same}new"),
        "puts in": ("", "more of it"),
        "takes out": (f"{same}less of it than before", same),
    }
    fixes = [Fix(name, (Edit(FAILING.cell, *changes.get(name, ("", "x"))),), "", "test") for name in verdicts]
    found = best_first(Repair("r", "s", FAILURE, tuple(fixes), verdicts))
    assert [fix.id for fix in found.fixes] == [
        "changes",
        "puts in",
        "takes out",
        "doubtful",
        "unknown",
        "blocked later",
        "untried",
        "fails",
        "dangerous",
    ]
