"""Who has proposed something is asked once more only where that may be worth it."""

from __future__ import annotations

import pytest

from reflex_ipython.models import Finding, Verdict
from reflex_ipython.repairs.asking_again import worth_another

WARNED = (Finding("empty", "does nothing"),)
NOTED = (Finding("loud", "is loud", "note"),)


@pytest.mark.parametrize(
    ("verdict", "before", "worth"),
    [
        (Verdict("passed", findings=NOTED), [], False),
        (Verdict("passed", findings=WARNED), [], True),
        (Verdict("passed", findings=WARNED), [Verdict("passed", findings=WARNED)] * 2, True),
        (Verdict("other_error", "a"), [], True),
        (Verdict("other_error", "a"), [Verdict("other_error", "a")], True),
        (Verdict("other_error", "a"), [Verdict("other_error", "b"), Verdict("other_error", "a")], True),
        (Verdict("other_error", "a"), [Verdict("other_error", "a")] * 2, False),
        (Verdict("timed_out"), [], True),
        (Verdict("blocked"), [], True),
        (Verdict("blocked", findings=(Finding("installs", "installs a package", "danger"),)), [], False),
        (Verdict("blocked", is_past=True), [], False),
        (Verdict("blocked", findings=WARNED, is_past=True), [], True),
        (Verdict("inconclusive", is_past=True), [], False),
        (Verdict("inconclusive", findings=WARNED, is_past=True), [], True),
        (Verdict("not_tried"), [], False),
        (Verdict("inconclusive"), [], False),
    ],
)
def test_another_attempt_is_made_only_where_something_new_was_found_out(
    verdict: Verdict, before: list[Verdict], worth: bool
) -> None:
    assert worth_another(verdict, before) is worth
