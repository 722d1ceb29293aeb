"""Recorded calls, made again with a changed function."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import linecache
import math
from collections.abc import Iterator
from typing import Any

import pytest

from reflex_ipython.check.replay import ReplayChecker
from reflex_ipython.models import Finding, Fix, Replay, Trial, Verdict
from reflex_ipython.present.verdict_line import verdict_line
from reflex_ipython.traces.hook import record
from reflex_ipython.traces.last_calls import CALLS, recorder_of_last_calls
from reflex_ipython.traces.recorder import CallRecorder
from reflex_ipython.traces.replaying import Replayer
from reflex_ipython.traces.same import NotComparable, difference
from reflex_ipython.traces.thrift import Thrift

_numbers = itertools.count()


def define(source: str, scope: dict[str, Any]) -> None:
    """Run a text as a cell."""
    filename = f"<cell {next(_numbers)}>"
    linecache.cache[filename] = len(source), None, source.splitlines(keepends=True), filename
    exec(compile(source, filename, "exec", dont_inherit=True), scope)


def recorded(scope: dict[str, Any], *calls: str) -> CallRecorder:
    """The calls that some cells make; one may fail."""
    recorder = recorder_of_last_calls()
    undo = record(recorder)
    for call in calls:
        with contextlib.suppress(ZeroDivisionError):
            define(call, scope)
    undo()
    return recorder


def replay(before: str, after: str, *calls: str) -> Replay | None:
    """What comes of recorded calls when one text takes the place of another."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    define(before, scope)
    recorder = recorded(scope, *calls)
    replayer = Replayer([recorder], "ZeroDivisionError")
    define(after, scope)
    return asyncio.run(replayer.replay(5.0))


MEAN = "def mean(numbers):\n    return sum(numbers) / len(numbers)\n"
RIGHT = "def mean(numbers):\n    return sum(numbers) / len(numbers) if numbers else 0.0\n"
WRONG = "def mean(numbers):\n    return sum(numbers) / max(len(numbers), 2)\n"
CALLED = ("mean([1, 2])", "mean([3])", "mean((4, 5))", "mean([])")


def test_a_right_fix_gives_what_was_given_and_the_failing_call_passes() -> None:
    found = replay(MEAN, RIGHT, *CALLED)
    assert found == Replay(("mean",), same=3, failing="passes")
    assert found.words == "3 of 3 recorded calls give the same, and the failing one passes"


def test_a_wrong_fix_that_runs_is_named_with_its_first_difference() -> None:
    found = replay(MEAN, WRONG, *CALLED)
    assert found is not None
    assert (found.same, found.different, found.failing) == (2, 1, "passes")
    assert found.words == "1 of 3 recorded calls give something else: mean([3]) gave 3.0, gives 1.5"


HALVES = "def halves(numbers):\n    for number in numbers:\n        yield 1 / number\n"


def test_a_generator_that_was_let_go_at_a_value_is_called_again() -> None:
    fixed = HALVES.replace("1 / number", "1 / number if number else 0.0")
    found = replay(HALVES, fixed, "next(halves([1, 2]))", "list(halves([4]))", "list(halves([0]))")
    assert found == Replay(("halves",), same=2, failing="passes")


def test_a_function_that_only_moved_is_not_called_again() -> None:
    assert replay(MEAN, "import math\n\n\n" + MEAN, *CALLED) is None


NESTED = """\
def scaled(factor):
    def inner(number):
        return number * factor / (5 - number)
    return inner
f = scaled(3)
"""


def test_calls_of_a_function_inside_of_another_are_made_again_and_what_nobody_can_compare_is_not_counted() -> None:
    scope: dict[str, Any] = {"__name__": "__main__"}
    define(NESTED, scope)
    recorder = recorded(scope, "f(1)", "f(2)", "scaled(4)", "f(5)")
    replayer = Replayer([recorder], "ZeroDivisionError")
    new: dict[str, Any] = {"__name__": "__main__"}
    define(NESTED.replace("(5 - number)", "max(5 - number, 1)"), new)
    scope["f"].__code__ = new["f"].__code__  # as an accepted fix does
    scope["scaled"].__code__ = new["scaled"].__code__
    found = asyncio.run(replayer.replay(5.0))
    assert found is not None
    assert (found.same, found.different, found.failing) == (2, 0, "passes")
    assert found.unsteady == 1, "`scaled` gives a function each time"


def test_a_call_that_still_fails_is_said() -> None:
    found = replay(MEAN, "def mean(numbers):\n    return sum(numbers, 0) / len(numbers)\n", *CALLED)
    assert found is not None
    assert found.words == "3 of 3 recorded calls give the same, and the failing one raises ZeroDivisionError"


@pytest.mark.parametrize(
    ("before", "after", "calls"),
    [
        ("import random\ndef f(x):\n    return random.random()\n", "def f(x):\n    return 2\n", ("f(1)", "f(2)")),
        ("n = 0\ndef f():\n    global n\n    n += 1\n    return n\n", "def f():\n    return 7\n", ("f()", "f()")),
        ("import time\ndef f():\n    return time.time()\n", "def f():\n    return 0\n", ("f()",)),
        ("def f(x):\n    return x()\n", "def f(x):\n    return 3\n", ("f(lambda: 2)",)),
    ],
)
def test_what_the_old_function_gives_no_more_says_nothing(before: str, after: str, calls: tuple[str, ...]) -> None:
    found = replay(before, after, *calls)
    assert found == Replay(("f",), unsteady=len(calls))
    assert found.words == ""


@pytest.mark.parametrize(
    ("before", "after", "call", "words"),
    [
        ("def f(x):\n    x.append(1)\n", "def f(x):\n    x.append(2)\n", "f([])",
         "f([]) left `x` as 1 at [0], leaves 2"),
        ("def f(x):\n    return x\n", "def f(x):\n    raise KeyError(x)\n", "f('a')",
         "f('a') gave 'a', raises KeyError"),
        ("def f(x, *y, z=1, **w):\n    return [x, y, z, w]\n", "def f(x, *y, z=1, **w):\n    return [x, y, z, {}]\n",
         "f(1, 2, 3, z=4, v=5)", "f(1, 4, (2, 3), {'v': 5}) gave 5 at [3]['v'], gives nothing"),
        ("def f(n):\n    yield from range(n)\n", "def f(n):\n    yield from range(1, n + 1)\n",
         "list(f(3))", "f(3) gave 0 at [0], gives 1"),
        ("async def f(n):\n    return n\n", "async def f(n):\n    return -n\n",
         "try:\n    f(3).send(None)\nexcept StopIteration:\n    pass", "f(3) gave 3, gives -3"),
        ("def f(n):\n    return n\n", "def f(n):\n    while True:\n        pass\n", "f(3)",
         "f(3) gave 3, takes more than 20 times as long"),
        ("class A:\n    def __init__(self, n):\n        self.n = n\n    def f(self):\n        return self.n\n",
         "A.f = lambda self: self.n + 1\n", "A(2).f()", "A.f(<A n=2>) gave 2, gives 3"),
    ],
)  # fmt: skip
def test_the_first_difference_is_told_in_words(
    before: str, after: str, call: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import __main__

    found = None
    scope: dict[str, Any] = {"__name__": "__main__"}
    define(before, scope)
    for name, value in scope.items():
        if isinstance(value, type):  # as in a kernel, whose names are those of `__main__`
            monkeypatch.setattr(__main__, name, value, raising=False)
    recorder = recorded(scope, call)
    replayer = Replayer([recorder], "")
    define(after, scope)
    found = asyncio.run(replayer.replay(5.0))
    assert found is not None
    assert found.difference == words
    assert found.different == 1


def test_a_call_that_waits_as_for_its_turn_on_a_busy_machine_takes_no_longer() -> None:
    found = replay("def f(n):\n    return n\n", "import time\ndef f(n):\n    time.sleep(0.3)\n    return n\n", "f(3)")
    assert found == Replay(("f",), same=1)


def test_what_there_is_no_time_for_is_not_counted() -> None:
    scope: dict[str, Any] = {"__name__": "__main__"}
    define(MEAN, scope)
    replayer = Replayer([recorded(scope, *CALLED)], "ZeroDivisionError")
    define("def mean(numbers):\n    while True:\n        pass\n", scope)
    assert asyncio.run(replayer.replay(0.05)) == Replay(("mean",), unsteady=4)


def test_the_last_calls_of_each_function_are_kept_and_no_others() -> None:
    scope: dict[str, Any] = {"__name__": "__main__"}
    define("def f(n):\n    return n\ndef g(n):\n    return n\n", scope)
    recorder = recorder_of_last_calls()
    recorder.thrift = None  # there is time for all
    undo = record(recorder)
    define("for n in range(100):\n    f(n)\ng('x' * 1000)", scope)
    undo()
    assert _numbers_of(recorder) == list(range(80, 100))
    undo = record(recorder)
    define("for n in range(10_000):\n    f(n)", scope)
    undo()
    assert _numbers_of(recorder) == list(range(9_980, 10_000))
    assert recorder.bounds.bytes - recorder.room < 20_000  # what went has made room
    assert any("xxx" in one.arguments[0].text for one in recorder.kept.calls if one.code.co_name == "g")


def test_calls_for_which_there_is_no_time_are_passed_over_but_for_the_first_and_the_one_that_fails() -> None:
    scope: dict[str, Any] = {"__name__": "__main__", "calls": 0}
    define("def f(n):\n    global calls\n    calls += 1\n    return calls / n\n", scope)
    recorder = recorder_of_last_calls()
    assert recorder.thrift is not None
    recorder.thrift.until = math.inf  # it took so long that there is no time for long
    undo = record(recorder)
    with pytest.raises(ZeroDivisionError) as failure:
        define("for n in range(1_000, -1, -1):\n    f(n)", scope)
    undo()
    assert scope["calls"] == 1_001
    assert _numbers_of(recorder) == list(range(1_000, 980, -1))
    recorder.name(failure.value, failure.value.__traceback__)
    assert _numbers_of(recorder) == [*range(999, 980, -1), 0]
    recorder.thrift.begin()
    undo = record(recorder)
    define("for n in range(1, 100):\n    f(n)", scope)
    undo()
    assert _numbers_of(recorder) == list(range(1, 21))


def test_recording_takes_a_share_of_the_time_and_a_little_in_advance() -> None:
    thrift = Thrift(always=2)
    thrift.began(7)
    assert not thrift.frequent
    thrift.began(7)
    assert thrift.frequent == {7}
    thrift.spent(100.0, 100.004)  # of the 5 ms in advance
    assert thrift.until < 100.004
    thrift.spent(100.004, 100.008)
    assert thrift.until == pytest.approx(100.064, abs=1e-6), "2.8 ms too much: a twentieth of 56 ms"
    thrift.spent(200.0, 200.006)
    assert thrift.until == pytest.approx(200.026, abs=1e-6), "what was not taken in a long time is not saved up"


def _numbers_of(recorder: CallRecorder) -> list[int]:
    calls = [one for one in recorder.kept.calls if one.code.co_name == "f"]
    assert len(calls) == CALLS
    return [one.arguments[0] for one in calls]


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (0.1 + 0.2, 0.3, ""),
        (float("nan"), float("nan"), ""),
        (1, 1.0, "gave 1, gives 1.0"),
        (1, True, "gave 1, gives True"),
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, "gave 2 at ['a'][1]['b'], gives 3"),
        ({"a": 1}, {"a": 1, "b": 2}, "gave nothing at ['b'], gives 2"),
        ([1, 2], [1], "gave [1, 2], gives [1]"),
        ({1, 2}, {2, 1}, ""),
        (None, 0, "gave None, gives 0"),
    ],
)
def test_values_are_compared_as_a_reader_would(before: Any, after: Any, words: str) -> None:
    assert difference(before, after) == words


def test_of_what_nobody_can_tell_no_word_is_said_but_a_difference_beside_it_is() -> None:
    with pytest.raises(NotComparable):
        difference([lambda: 1], [lambda: 1])
    assert difference([lambda: 1, 2], [lambda: 1, 3]) == "gave 2 at [1], gives 3"


def test_tables_and_arrays_are_compared_by_their_content() -> None:
    import numpy
    import pandas

    frame = pandas.DataFrame({"a": [1.0, 2.0]})
    assert difference(frame, frame.copy()) == ""
    assert difference(frame, frame * (1 + 1e-12)) == ""
    assert difference(frame, frame * 2) != ""
    assert difference(frame["a"], frame["a"] + 1) != ""
    assert difference(numpy.arange(3), numpy.arange(3)) == ""
    assert difference(numpy.arange(3), numpy.arange(4)) != ""
    assert difference(numpy.float64(0.5), 0.5) == ""


def findings(replayed: Replay | None) -> Iterator[Finding]:
    return ReplayChecker().check(None, Fix((), "", "", ""), Trial("passed", replay=replayed))  # type: ignore[arg-type]  # not read


def test_the_verdict_says_what_came_of_recorded_calls() -> None:
    right = Replay(("f",), same=12, failing="passes")
    (note,) = findings(right)
    line = verdict_line(Verdict("passed", findings=(note,)))
    assert line.text == (
        "ran in a copy of your kernel · 12 of 12 recorded calls give the same, and the failing one passes"
    )
    (warning,) = findings(Replay(("f",), same=1, different=1, difference="f(1) gave 1, gives 2"))
    line = verdict_line(Verdict("passed", findings=(warning,)))
    assert line.text == "runs, but 1 of 2 recorded calls give something else: f(1) gave 1, gives 2"
    assert line.tone == "warning"
    assert not list(findings(None))
    assert not list(findings(Replay(("f",), unsteady=3)))
