"""Which calls are passed over: asked about at every call, so by one look into a dict."""

from __future__ import annotations

import textwrap

import reflex_ipython
from reflex_ipython.traces.passed_over import PassedOver
from reflex_ipython.traces.profiler import ProfileHook


def increment(number: int) -> int:
    return number + 1


def down(number: int) -> int:
    return number and down(number - 1)


def test_a_librarys_function_is_known_from_its_first_call_on() -> None:
    passed_over = PassedOver()
    code = textwrap.fill.__code__
    assert passed_over.meet(code) == 0
    assert passed_over.ask[id(code)]() == 0
    assert id(code) not in passed_over.counted


def test_a_function_of_the_users_is_told_of_until_its_calls_are_counted() -> None:
    passed_over = PassedOver()
    key = id(increment.__code__)
    assert passed_over.meet(increment.__code__) is None
    assert passed_over.ask[key]() is None
    passed_over.count(increment.__code__)
    assert all(passed_over.ask[key]() for _ in range(3))
    assert passed_over.counts() == {key: 3}


def test_to_look_at_a_count_does_not_change_it() -> None:
    passed_over = PassedOver()
    key = id(increment.__code__)
    passed_over.count(increment.__code__)
    passed_over.ask[key]()
    assert [passed_over.count_of(key) for _ in range(3)] == [1, 1, 1]
    passed_over.ask[key]()
    passed_over.one_less(key)
    assert passed_over.counts() == {key: 1}


def test_a_trace_inside_a_trace_counts_for_itself() -> None:
    with reflex_ipython.trace(each=2) as outer:
        increment(1)
        with reflex_ipython.trace(each=3) as inner:
            for number in range(5):
                increment(number)
        for number in range(4):
            increment(number)
    assert len(outer.calls) == 2
    assert "8 more calls" in " ".join(outer.trace.limits)
    assert len(inner.calls) == 3
    assert "2 more calls" in " ".join(inner.trace.limits)


def test_a_profilers_hook_tells_how_calls_end_of_which_it_has_enough_by_then() -> None:
    """Where a debugger or coverage has the other hook: each of these calls is open when the function is counted."""
    from reflex_ipython.traces.kept import AllCalls, TraceBounds
    from reflex_ipython.traces.recorder import CallRecorder

    kept = AllCalls(100)
    recorder = CallRecorder(kept, TraceBounds(each=3))
    hook = ProfileHook()
    hook.recorders = (recorder,)
    hook.pass_over(recorder.passed_over)
    assert hook.set() == ""
    try:
        down(9)
    finally:
        assert hook.unset() == ""
    assert [(call.code.co_name, call.result) for call in kept.calls] == [("down", 0)] * 3
    assert recorder.counts() == (7, 0)
