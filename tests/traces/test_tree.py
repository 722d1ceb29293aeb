"""A trace as a tree, in text and in HTML."""

from __future__ import annotations

import re

import pytest

import reflex_ipython
from reflex_ipython.traces.html import as_html
from reflex_ipython.traces.recorded import Trace
from reflex_ipython.traces.text import as_text
from reflex_ipython.traces.tree import Branch, Folded, tree


def invert(number: int) -> float:
    return 1 / number


def safely(number: int) -> float:
    try:
        return invert(number)
    except ZeroDivisionError:
        return 0.0


def inverted(numbers: list[int], *, name: str = "") -> list[float]:
    return [invert(number) for number in numbers]


@pytest.fixture(scope="module")
def trace() -> Trace:
    with pytest.raises(ZeroDivisionError), reflex_ipython.trace() as recording:
        (safely(0), inverted([*range(1, 13), 0], name="<script>"))
    return recording.trace


def plain(text: str) -> str:
    """Without durations."""
    return re.sub(r"[\d.]+ (µs|ms|s)\b", "T", text)


def test_the_branch_that_failed_is_marked_and_what_was_caught_is_not(trace: Trace) -> None:
    caught, failed = tree(trace)
    assert isinstance(caught, Branch)
    assert isinstance(failed, Branch)
    assert (caught.is_failing, failed.is_failing) == (False, True)
    assert [one.is_failing for one in failed.branches if isinstance(one, Branch)] == [False] * 6 + [True]
    inner = caught.branches[0]
    assert isinstance(inner, Branch)
    assert inner.call.exception is not None
    assert not inner.is_failing


def test_what_repeats_itself_is_counted(trace: Trace) -> None:
    failed = tree(trace)[1]
    assert isinstance(failed, Branch)
    folded = failed.branches[-1]
    assert isinstance(folded, Folded)
    assert (folded.name, folded.count) == ("invert", 6)


def test_the_text_shows_calls_times_and_the_place_of_the_failure(trace: Trace) -> None:
    lines = plain(as_text(trace)).splitlines()
    assert lines[0] == "16 calls of 3 functions, T"
    assert "├── safely(0) → 0.0  T" in lines
    assert lines[3].startswith(
        "└── inverted([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …], name='<script>') ✗ ZeroDivisionError: div"
    )
    assert f"    ├── invert(0) ✗ ZeroDivisionError: division by zero  T  test_tree.py, line {_line_of(invert)}" in lines
    assert lines[-1] == "    └── … and 6 more of invert, T in all"


def test_the_html_is_escaped_and_opens_the_failing_branch(trace: Trace) -> None:
    html = plain(as_html(trace))
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "<strong>invert(0)</strong>" in html
    many = as_html(_of_many())
    assert many.count("<details open") == 2
    assert many.count("<details ") == 4


def test_bounds_that_were_reached_are_said() -> None:
    with reflex_ipython.trace(calls=1) as recording:
        (safely(1), safely(2))
    assert "3 more calls were made than the 1 that are kept." in as_text(recording.trace)
    assert "3 more calls were made" in as_html(recording.trace)
    with reflex_ipython.trace() as recording:
        pass
    assert as_text(recording.trace) == "No call of your own functions was recorded.\n"


def test_a_recording_shows_itself() -> None:
    with reflex_ipython.trace() as recording:
        safely(1)
    bundle = recording._repr_mimebundle_()
    assert "safely(1) → 1.0" in bundle["text/plain"]
    assert "safely(1)" in bundle["text/html"]
    assert str(recording) == bundle["text/plain"]


def _of_many() -> Trace:
    def fails() -> None:
        [safely(number) for number in range(1, 3)]
        leads(0)

    def leads(number: int) -> None:
        invert(number)

    with pytest.raises(ZeroDivisionError), reflex_ipython.trace() as recording:
        ([invert(number) for number in range(1, 20)], fails())
    return recording.trace


def _line_of(function: object) -> int:
    return int(function.__code__.co_firstlineno) + 1  # type: ignore[attr-defined]
