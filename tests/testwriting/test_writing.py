"""Tests of repairs that are made here, without a kernel: each seen to fail and to pass in processes of its own."""

from __future__ import annotations

import dataclasses

import pytest

from reflex_ipython.errors import BadInput
from reflex_ipython.models import Decision, Edit, now
from reflex_ipython.testwriting import attempts
from reflex_ipython.testwriting.writing import CheckedTest, written
from tests.bench.written_tests import repair_of

ENDLESS = "def total(items):\n    return items[0] + total(items)\n\nfound = total([1, 2])"
MENDED = "def total(items):\n    return items[0] + total(items[1:]) if items else 0\n\nfound = total([1, 2])"


def evidence(cell: str, correct: str, *setup: str) -> CheckedTest:
    repair = repair_of({"setup": setup, "cell": cell, "correct": correct})
    assert repair is not None
    return written(repair)


def test_of_an_endless_recursion_the_first_call_is_written() -> None:
    found = evidence(ENDLESS, MENDED)
    assert "assert total([1, 2]) == 3" in found.test.text
    assert found.before.startswith("RecursionError")


def test_an_object_of_a_library_is_not_compared_which_is_said() -> None:
    load = "from collections import UserDict\nfrom string import Template"
    found = evidence(
        "made = Template('$a')\ntext = made.substitue(a=1)", "made = Template('$a')\ntext = made.substitute(a=1)", load
    )
    assert 'assert text == "1"' in found.test.text
    assert found.notes == ("`made` is not compared: it is a Template, which can't be written down.",)


def test_of_what_did_not_parse_no_test_is_written_which_is_said() -> None:
    repair = repair_of({"setup": [], "cell": "made = lenn('ab')", "correct": "made = len('ab')"})
    assert repair is not None
    assert repair.failure is not None
    cell, at = repair.situation.cell, now()
    broken = dataclasses.replace(
        repair,
        cause=dataclasses.replace(repair.failure, stage="syntax"),
        decision=Decision("accepted", at, steps=(Edit(cell, "made = len('ab'", "made = len('ab')"),)),
    )
    with pytest.raises(BadInput, match="did not parse as Python: there was no code yet"):
        written(broken)


def test_a_comparison_that_never_ends_is_given_up_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "PATIENCE", 3.0)
    point = (
        "class Point:\n    def __init__(self, x):\n        self.x = x\n\n"
        "    def __eq__(self, other):\n        while True:\n            pass\n"
    )
    cell = "def moved(point):\n    return point.y\n\nfound = moved(Point(3))"
    # 3 s, or on a busy machine three times as long as the code itself took
    with pytest.raises(BadInput, match=r"the test did not come to its end in a process of its own: timed out after \d"):
        evidence(cell, cell.replace("point.y", "Point(point.x)"), point)
