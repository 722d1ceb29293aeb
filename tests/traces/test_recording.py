"""Which calls are recorded, and what of them."""

from __future__ import annotations

import asyncio
import cProfile
import dataclasses
import json
import sys
import threading
import types
import weakref
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

import reflex_ipython
from reflex_ipython.errors import BadInput
from reflex_ipython.traces.recorded import Call, Trace
from reflex_ipython.traces.values import loaded


def double(number: int) -> int:
    return number * 2


def quadruple(number: int) -> int:
    return double(double(number))


def divide(one: float, other: float) -> float:
    return one / other


def safely(one: float, other: float) -> float:
    try:
        return divide(one, other)
    except ZeroDivisionError:
        return 0.0


def factorial(number: int) -> int:
    return 1 if number < 2 else number * factorial(number - 1)


def count(end: int) -> Iterator[int]:
    yield from range(end)


def doubled(end: int) -> Iterator[int]:
    for number in range(end):
        yield number * 2


def total(*numbers: int, **named: int) -> int:
    return sum(numbers) + sum(named.values())


def names(trace: Trace) -> list[str]:
    return [trace.function_of(call).name.rpartition(".")[2] for call in trace.calls]


def texts(call: Call) -> dict[str, str]:
    return {one.name: one.value.text for one in call.arguments}


def test_a_call_is_recorded_with_its_arguments_result_and_caller() -> None:
    with reflex_ipython.trace() as recording:
        quadruple(3)
    outer, first, second = recording.calls
    assert names(recording.trace) == ["quadruple", "double", "double"]
    assert [texts(call) for call in (outer, first, second)] == [{"number": "3"}, {"number": "3"}, {"number": "6"}]
    assert [call.result and call.result.text for call in (outer, first, second)] == ["12", "6", "12"]
    assert [call.parent for call in (outer, first, second)] == [None, outer.id, outer.id]
    assert [call.depth for call in (outer, first, second)] == [0, 1, 1]


def test_a_function_is_known_by_its_source_file_and_line() -> None:
    with reflex_ipython.trace() as recording:
        double(1)
    (function,) = recording.functions
    assert function.source == "def double(number: int) -> int:\n    return number * 2\n"
    assert function.file == __file__
    assert function.line == double.__code__.co_firstlineno
    assert (function.module, function.kind) == (__name__, "function")


class Shelf:
    def double(self) -> int:
        def double() -> int:
            return 4

        return double()


def test_functions_of_the_same_name_are_known_by_the_class_and_the_function_that_they_are_in() -> None:
    with reflex_ipython.trace() as recording:
        double(1)
        Shelf().double()
    assert [function.name for function in recording.functions] == [
        "double",
        "Shelf.double",
        "Shelf.double.<locals>.double",
    ]


def test_durations_of_calls_are_inside_of_their_callers() -> None:
    with reflex_ipython.trace() as recording:
        quadruple(1)
    outer, first, second = recording.calls
    assert outer.duration is not None
    assert first.duration is not None
    assert second.duration is not None
    assert first.duration + second.duration <= outer.duration
    assert outer.start <= first.start <= second.start


def test_calls_of_libraries_and_of_ours_are_not_recorded_but_what_they_call_is() -> None:
    with reflex_ipython.trace() as recording:
        json.dumps([1], default=str)
        reflex_ipython.Settings()
        json.dumps(object(), default=lambda one: double(4))
    assert names(recording.trace) == ["<lambda>", "double"]
    assert recording.calls[1].parent == recording.calls[0].id


def test_the_code_that_libraries_generate_is_not_recorded() -> None:
    @dataclasses.dataclass
    class Point:
        x: int

    with reflex_ipython.trace() as recording:
        [double(one) for one in (Point(1).x,)]
    assert names(recording.trace) == ["double"]


def test_an_exception_that_leaves_a_call_is_recorded_where_it_was_raised() -> None:
    with reflex_ipython.trace() as recording, pytest.raises(ZeroDivisionError):
        divide(1, 0)
    (call,) = recording.calls
    assert call.result is None
    assert call.exception is not None
    assert (call.exception.type, call.exception.message) == ("ZeroDivisionError", "division by zero")
    assert call.exception.line == divide.__code__.co_firstlineno + 1


def test_an_exception_that_is_caught_inside_is_the_inner_calls_alone() -> None:
    with reflex_ipython.trace() as recording:
        safely(1, 0)
    outer, inner = recording.calls
    assert outer.exception is None
    assert outer.result is not None
    assert outer.result.text == "0.0"
    assert inner.exception is not None
    assert inner.exception.type == "ZeroDivisionError"


def test_a_call_that_gives_none_has_not_failed() -> None:
    def nothing() -> None:
        try:
            raise KeyError("x")
        except KeyError:
            return None

    with reflex_ipython.trace() as recording:
        nothing()
    assert recording.calls[0].exception is None
    assert recording.calls[0].result is not None
    assert recording.calls[0].result.text == "None"


def test_recursion_has_a_call_for_each_level() -> None:
    with reflex_ipython.trace() as recording:
        factorial(4)
    assert [call.depth for call in recording.calls] == [0, 1, 2, 3]
    assert [call.result and call.result.text for call in recording.calls] == ["24", "6", "2", "1"]


def test_a_generator_is_one_call_however_often_it_goes_on() -> None:
    with reflex_ipython.trace() as recording:
        for one in count(3):
            double(one)
    assert names(recording.trace) == ["count", "double", "double", "double"]
    generator = recording.calls[0]
    assert generator.yielded == 3
    assert recording.trace.function_of(generator).kind == "generator"
    assert all(call.parent is None for call in recording.calls)  # it does not run while its values are worked on


def test_a_generator_that_is_let_go_has_not_failed_and_is_let_go() -> None:
    with reflex_ipython.trace() as recording:
        generator = count(3)
        next(generator)
        gone = weakref.ref(generator)
        del generator
        assert gone() is None
    assert recording.calls[0].exception is None
    assert recording.calls[0].yielded == 1


def test_generators_that_are_let_go_one_after_the_other_are_calls_of_their_own() -> None:
    with reflex_ipython.trace() as recording:
        for _ in range(3):  # Python 3.13 tells of no end of these, and the frame of each has the place of the last
            next(doubled(3))
        doubled(3).close()  # never begun: before Python 3.12 it is told of
        assert list(doubled(2)) == [0, 2]
    assert [call.yielded for call in recording.calls if call.yielded] == [1, 1, 1, 2]
    assert recording.calls[-1].duration is not None
    assert all(call.exception is None for call in recording.calls)


def test_coroutines_that_are_let_go_one_after_the_other_are_calls_of_their_own() -> None:
    @types.coroutine
    def pause() -> Iterator[None]:
        yield

    async def wait() -> None:
        await pause()

    with reflex_ipython.trace() as recording:
        for _ in range(3):
            coroutine = wait()
            coroutine.send(None)
            coroutine.close()
    assert names(recording.trace) == ["wait", "pause"] * 3
    assert [call.depth for call in recording.calls] == [0, 1] * 3


def test_a_generator_into_which_is_raised_has_failed() -> None:
    with reflex_ipython.trace() as recording:
        generator = count(3)
        next(generator)
        with pytest.raises(KeyError):
            generator.throw(KeyError("x"))  # type: ignore[attr-defined]
    assert recording.calls[0].exception is not None
    assert recording.calls[0].exception.type == "KeyError"


def test_coroutines_that_run_by_turns_keep_their_calls_apart() -> None:
    async def inner(number: int) -> int:
        await asyncio.sleep(0)
        return double(number)

    async def outer(number: int) -> int:
        return await inner(number)

    async def both() -> None:
        await asyncio.gather(outer(1), outer(2))

    with reflex_ipython.trace() as recording:
        asyncio.run(both())
    trace = recording.trace
    chains = []
    for call in trace.calls:
        if trace.function_of(call).name == "double":
            parent = trace.calls[call.parent if call.parent is not None else -1]
            chains.append((texts(call)["number"], texts(parent)["number"], texts(trace.calls[parent.parent or 0])))
    assert chains == [("1", "1", {"number": "1"}), ("2", "2", {"number": "2"})]
    assert {call.result and call.result.text for call in trace.calls if call.depth == 0} == {"None", "2", "4"}


def test_threads_that_are_started_are_recorded_under_their_names() -> None:
    with reflex_ipython.trace() as recording:
        thread = threading.Thread(target=quadruple, args=(2,), name="worker")
        thread.start()
        thread.join()
        double(1)
    assert [(call.thread, call.parent) for call in recording.calls][::3] == [("worker", None), ("MainThread", None)]


def test_stars_are_recorded_as_what_they_hold() -> None:
    with reflex_ipython.trace() as recording:
        total(1, 2, more=3)
    assert [(one.name, one.kind, one.value.text) for one in recording.calls[0].arguments] == [
        ("numbers", "args", "(1, 2)"),
        ("named", "kwargs", "{'more': 3}"),
    ]


def test_a_value_is_told_as_it_was_when_the_call_began() -> None:
    def clear(items: list[int]) -> None:
        items.clear()

    with reflex_ipython.trace() as recording:
        clear([1, 2])
    assert texts(recording.calls[0]) == {"items": "[1, 2]"}


def test_no_code_of_a_values_own_runs() -> None:
    class Hostile:
        def __repr__(self) -> str:
            raise AssertionError

        __str__ = __len__ = __iter__ = __eq__ = __hash__ = __reduce__ = __getattr__ = __repr__  # type: ignore

    def take(value: Any) -> Any:
        return value

    with reflex_ipython.trace() as recording:
        take(Hostile())
    assert "Hostile" in texts(recording.calls[0])["value"]


def test_no_value_is_kept_alive() -> None:
    class Thing:
        pass

    def take(value: Any) -> None:
        pass

    thing = Thing()
    gone = weakref.ref(thing)
    with reflex_ipython.trace() as recording:
        take(thing)
        del thing
        assert gone() is None
    assert len(recording.calls) == 1


def test_payloads_give_values_back_as_they_were() -> None:
    def clear(items: dict[str, list[int]]) -> None:
        items.clear()

    with reflex_ipython.trace(values=True) as recording:
        clear({"a": [1, 2]})
    assert loaded(recording.calls[0].arguments[0].value) == {"a": [1, 2]}


def test_what_can_not_be_pickled_says_so() -> None:
    def take(value: Any) -> None:
        pass

    with reflex_ipython.trace(values=True) as recording:
        take(lambda: 0)
        take(b"x" * 2_000_000)
    assert "can't be pickled" in recording.calls[0].arguments[0].value.unkept
    assert "budget" in recording.calls[1].arguments[0].value.unkept


def test_lines_that_each_call_reached_are_recorded_on_request() -> None:
    def choose(yes: bool) -> int:
        if yes:
            return 1
        return 0

    with reflex_ipython.trace(lines=True) as recording:
        choose(True)
        choose(False)
    first = choose.__code__.co_firstlineno
    assert [call.lines for call in recording.calls] == [(first + 1, first + 2), (first + 1, first + 3)]
    with reflex_ipython.trace() as recording:
        choose(True)
    assert recording.calls[0].lines is None


def test_bounds_say_when_they_are_reached() -> None:
    with reflex_ipython.trace(calls=2, depth=0) as recording:
        for number in range(5):
            quadruple(number)
    assert names(recording.trace) == ["quadruple", "quadruple"]
    calls, depth = recording.trace.limits
    assert "9 more calls" in calls
    assert "4 calls deeper than 0 levels" in depth
    with reflex_ipython.trace(bytes=100) as recording:
        for number in range(5):
            double(number)
    assert "values came after the 100 bytes" in recording.trace.limits[0]


def test_of_one_function_so_many_calls_are_kept_and_the_others_counted() -> None:
    with reflex_ipython.trace(each=3) as recording:
        for number in range(10):
            quadruple(number)
        list(map(list, (count(2) for _ in range(5))))
    assert names(recording.trace) == [
        "quadruple",
        "double",
        "double",
        "quadruple",
        "double",
        "quadruple",
        *["count"] * 5,
    ]
    assert [call.result and call.result.text for call in recording.calls[:6]] == ["0", "0", "0", "4", "2", "8"]
    assert recording.trace.limits == ("24 more calls were made than the 3 of one function that are kept (`each`).",)


def test_traces_in_each_other_have_enough_at_their_own_times() -> None:
    with reflex_ipython.trace(each=2) as outer:
        double(1)
        with reflex_ipython.trace(each=2) as inner:
            for number in range(2, 6):
                double(number)
        double(6)
    assert [texts(call)["number"] for call in outer.calls] == ["1", "2"]
    assert [texts(call)["number"] for call in inner.calls] == ["2", "3"]
    assert [words[:13] for one in (outer, inner) for words in one.trace.limits] == ["4 more calls ", "2 more calls "]


def test_the_call_that_fails_after_so_many_is_there_with_its_caller() -> None:
    def sums(numbers: list[int]) -> float:
        return sum(divide(1, number) for number in numbers)

    with pytest.raises(ZeroDivisionError), reflex_ipython.trace(each=3) as recording:
        sums([1] * 10 + [0])
    outer, *_, last = recording.calls
    assert (last.parent, texts(last), last.exception and last.exception.type) == (
        outer.id,
        {"one": "1", "other": "0"},
        "ZeroDivisionError",
    )
    assert outer.exception is not None
    assert len(recording.calls) == 5
    assert recording.trace.limits[0].startswith("7 more calls ")


def test_a_trace_inside_of_a_trace_records_for_both() -> None:
    with reflex_ipython.trace() as outer:
        double(1)
        with reflex_ipython.trace() as inner:
            double(2)
        double(3)
    assert [texts(call)["number"] for call in outer.calls] == ["1", "2", "3"]
    assert [texts(call)["number"] for call in inner.calls] == ["2"]


def test_a_decorated_function_keeps_what_its_last_call_did() -> None:
    @reflex_ipython.trace
    def traced(number: int) -> int:
        return quadruple(number)

    @reflex_ipython.trace(values=True)
    async def awaited(number: int) -> int:
        return double(number)

    assert traced(1) == 4
    assert traced(2) == 8
    assert asyncio.run(awaited(5)) == 10
    assert names(traced.trace.trace) == ["traced", "quadruple", "double", "double"]
    assert texts(traced.trace.calls[0]) == {"number": "2"}
    assert loaded(awaited.trace.calls[0].result) == 10


def test_what_is_neither_function_nor_block_is_refused() -> None:
    with pytest.raises(BadInput, match="int is neither"):
        reflex_ipython.trace(3)  # type: ignore[call-overload]
    with reflex_ipython.trace() as recording, pytest.raises(BadInput, match="on already"), recording:
        pass


def test_what_was_set_before_is_set_afterwards() -> None:
    def watch(frame: Any, event: str, argument: Any) -> None:
        pass

    before = sys.gettrace(), sys.getprofile(), threading.gettrace(), threading.getprofile()
    with reflex_ipython.trace():
        double(1)
    assert (sys.gettrace(), sys.getprofile(), threading.gettrace(), threading.getprofile()) == before
    sys.settrace(watch)
    try:
        with reflex_ipython.trace() as recording:
            double(1)
        assert sys.gettrace() is watch
    finally:
        sys.settrace(before[0])
    assert names(recording.trace) == ["double"]


def test_beside_a_debugger_calls_are_recorded_and_what_leaves_the_block_is_named() -> None:
    def watch(frame: Any, event: str, argument: Any) -> None:
        pass

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        with pytest.raises(ZeroDivisionError), reflex_ipython.trace() as recording:
            (safely(1, 0), list(count(2)), divide(2, 0))
    finally:
        sys.settrace(before)
    assert names(recording.trace) == ["safely", "divide", "count", "divide"]
    assert recording.calls[2].yielded == 2
    last = recording.calls[3].exception
    assert last is not None
    assert last.type == "ZeroDivisionError"


def test_a_tracer_that_takes_the_place_keeps_it_and_the_trace_says_so() -> None:
    if sys.version_info >= (3, 12):
        pytest.skip("there a trace has a place of its own")

    def watch(frame: Any, event: str, argument: Any) -> None:
        pass

    before = sys.gettrace()
    try:
        with reflex_ipython.trace() as recording:
            double(1)
            sys.settrace(watch)
            double(2)
        assert sys.gettrace() is watch
    finally:
        sys.settrace(before)
    assert "took its place" in recording.trace.limits[0]
    assert len(recording.calls) == 1


def test_a_profiler_inside_of_a_trace_and_around_it_works() -> None:
    profiler, around = cProfile.Profile(), cProfile.Profile()
    with reflex_ipython.trace() as recording:
        profiler.runcall(quadruple, 1)
    around.enable()
    with reflex_ipython.trace():
        quadruple(1)
    around.disable()
    assert len(recording.calls) == 3
    for one in (profiler, around):
        assert {"double", "quadruple"} <= {getattr(entry.code, "co_name", "") for entry in one.getstats()}


def test_recursion_without_end_is_the_users_own_error() -> None:
    def forever(number: int) -> int:
        return forever(number + 1)

    with pytest.raises(RecursionError), reflex_ipython.trace() as recording:
        forever(0)
    assert recording.calls[0].exception is not None
    assert recording.calls[0].exception.type == "RecursionError"
    with reflex_ipython.trace() as recording:
        double(1)
    assert len(recording.calls) == 1


def test_a_decorated_generator_is_recorded_a_step_at_a_time() -> None:
    @reflex_ipython.trace
    def doubles(most: int) -> Iterator[int]:
        given = yield double(1)
        try:
            yield double(given)
        except KeyError:
            yield double(most)
        return "end"

    running = doubles(9)
    assert next(running) == 2
    before = sys.gettrace()
    assert not doubles.trace.is_on
    quadruple(1)  # the caller's own
    assert running.send(5) == 10
    assert running.throw(KeyError("x")) == 18
    with pytest.raises(StopIteration) as end:
        next(running)
    assert end.value.value == "end"
    assert names(doubles.trace.trace) == ["doubles", "double", "double", "double"]
    assert doubles.trace.calls[0].yielded == 3
    assert [call.parent for call in doubles.trace.calls] == [None, 0, 0, 0]
    assert sys.gettrace() is before

    failing = doubles(1)
    next(failing)
    with pytest.raises(ZeroDivisionError):
        failing.throw(ZeroDivisionError())
    assert doubles.trace.calls[0].exception.type == "ZeroDivisionError"

    left = doubles(1)
    next(left)
    left.close()
    assert doubles.trace.calls[0].exception is None


def test_a_decorated_asynchronous_generator_is_recorded_a_step_at_a_time() -> None:
    @reflex_ipython.trace
    async def doubles(most: int) -> AsyncIterator[int]:
        for number in range(most):
            yield double(number)

    async def all_of_them() -> list[int]:
        return [quadruple(number) async for number in doubles(3)]

    assert asyncio.run(all_of_them()) == [0, 8, 16]
    assert names(doubles.trace.trace) == ["doubles", "double", "double", "double"]


def test_a_class_and_bounds_that_are_none_are_refused() -> None:
    with pytest.raises(BadInput, match="a class is neither"):
        reflex_ipython.trace(dict)
    wrong: dict[str, Any]
    for wrong in ({"calls": 0}, {"calls": "many"}, {"bytes": -1}, {"depth": None}):
        with pytest.raises(BadInput, match=f"`{next(iter(wrong))}` has to be a whole number"):
            reflex_ipython.trace(**wrong)  # type: ignore[call-overload]


class Unruly:
    """Ends the program when anybody looks at it."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise SystemExit


def test_a_value_whose_pickling_wants_to_end_the_program_does_not() -> None:
    with reflex_ipython.trace(values=True) as recording:
        assert same(Unruly()) is not None
        assert double(2) == 4, "and the calls after it are recorded"
    assert recording.calls[0].arguments[0].value.unkept == "it can't be pickled: SystemExit"
    assert names(recording.trace) == ["same", "double"]


def same(value: Any) -> Any:
    return value
