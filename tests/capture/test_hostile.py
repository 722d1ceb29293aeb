"""Objects that do their worst. What counts is that none of their code runs: no time is measured."""

from __future__ import annotations

import collections
import sys
import time
from typing import Any

import pytest

from reflex_ipython.capture.bounds import SummaryDeadline, within
from reflex_ipython.capture.values import summarize
from reflex_ipython.models import Failure, ValueSummary
from reflex_ipython.settings import Settings
from tests.capture.conftest import Notebook, variable

CALLS: list[str] = []

SPECIAL = [
    "__repr__", "__str__", "__len__", "__iter__", "__getitem__", "__getattr__", "__getattribute__", "__dir__",
    "__eq__", "__hash__", "__bool__", "__format__", "__contains__", "__instancecheck__", "__index__", "__float__",
    "__array__", "__call__", "__next__", "__sizeof__", "__reduce__", "__get__", "__fspath__", "__length_hint__",
]  # fmt: skip


def spring(name: str, behaviour: str) -> Any:
    def method(*arguments: Any, **keywords: Any) -> Any:
        CALLS.append(name)
        if behaviour == "raises":
            raise RuntimeError(name)
        if behaviour == "exits":
            raise SystemExit
        if behaviour == "recurses":
            return method(*arguments)
        if behaviour == "sleeps":
            time.sleep(10)
        while behaviour == "loops":
            pass
        return "x" * 10**9

    return method


def trap(behaviour: str, bases: tuple[type, ...] = (), skip: tuple[str, ...] = ()) -> type:
    body: dict[str, Any] = {name: spring(name, behaviour) for name in SPECIAL if name not in skip}
    body |= {name: property(spring(name, behaviour)) for name in ("__class__", "__dict__", "shape", "columns", "dtype")}
    return type("Trap", bases, body)


@pytest.fixture(autouse=True)
def no_calls() -> None:
    CALLS.clear()


BEHAVIOURS = ["raises", "exits", "recurses", "sleeps", "loops", "huge"]


def summary(value: Any, size: int = 2_000) -> ValueSummary:
    return summarize("value", value, SummaryDeadline(60, 60), size)


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_no_method_or_property_of_a_hostile_object_runs(behaviour: str) -> None:
    found = summary(trap(behaviour)())

    assert CALLS == []
    assert (found.kind, found.type) == ("object", "tests.capture.test_hostile.Trap")
    assert "Trap object" in found.text


@pytest.mark.parametrize("base", [list, dict, str, int, float, tuple, set, frozenset, bytes, collections.deque])
def test_what_a_class_derived_from_a_builtin_overrides_does_not_run(base: type) -> None:
    value = trap("raises", (base,), ("__getattribute__",))()
    CALLS.clear()

    found = summary([value, {"a": value}])

    assert CALLS == []
    assert "Trap" in found.text


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_hostile_objects_inside_others_do_not_run(behaviour: str) -> None:
    one = trap(behaviour)()

    class Holder:
        def __init__(self) -> None:
            self.held = [one, (one,), {"a": one}]

    for value in (Holder(), [one], {"key": {"key": one}}, lambda x=one: x, collections.deque([one])):
        assert summary(value).text
    assert CALLS == []


def test_a_hostile_metaclass_does_not_run() -> None:
    meta = trap("raises", (type,), ("__getattribute__", "__get__"))
    cls = type.__call__(meta, "Odd", (), {})
    value = object.__new__(cls)
    CALLS.clear()

    assert summary(cls).text.startswith("class tests.capture.test_hostile.Odd")
    assert summary(value).kind == "object"
    assert CALLS == []


def test_a_hostile_class_attribute_does_not_run() -> None:
    class Odd:
        __module__ = trap("raises")()  # type: ignore[assignment]
        __slots__ = ("empty", "filled")

    value = Odd()
    value.filled = 3  # type: ignore[attr-defined]

    assert ".filled = 3" in summary(value).text
    assert ".empty" not in summary(value).text
    assert CALLS == []


def test_a_container_that_holds_itself_is_told_once() -> None:
    nested: list[Any] = [1]
    nested.append(nested)
    table: dict[str, Any] = {"a": nested}
    table["self"] = table

    assert summary(nested).text == "list of 2: [1, …]"
    assert summary(table).text == "dict of 2: {'a': [1, …], 'self': …}"


def test_a_deep_container_is_cut() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]

    assert summary(deep).text == "list of 1: [[[…]]]"


def test_a_long_text_is_cut_before_it_is_written() -> None:
    class Text(str):
        __slots__ = ()

        def __repr__(self) -> str:
            CALLS.append("repr")
            return str.__repr__(self)

    for value in ("x" * 10**8, Text("x" * 10**7), b"x" * 10**8, bytearray(10**8)):
        assert len(summary(value, size=500).text) <= 500
    assert CALLS == []


def test_a_huge_integer_is_told_by_its_size() -> None:
    assert summary(1 << 10**6).text == "<int of 1,000,001 bits>"
    assert summary(range(1 << 10**5)).text.startswith("range(0, <int of")


def test_of_a_huge_dict_the_first_keys_are_told() -> None:
    found = summary({f"key{number}": number for number in range(200_000)})

    assert found.text.startswith("dict of 200,000: {'key0': 0, ")
    assert found.labels[:2] == ("key0", "key1")
    assert len(found.labels) == 500


@pytest.mark.parametrize(("seconds", "turn"), [(1, 5), (0.005, 0.4)])
def test_what_others_do_on_a_busy_machine_takes_no_time_of_the_values(
    monkeypatch: pytest.MonkeyPatch, seconds: float, turn: float
) -> None:
    monkeypatch.setattr(time, "thread_time", lambda: 0.0)
    now = time.perf_counter()
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    deadline = SummaryDeadline(total=seconds, each=seconds)
    deadline.start()
    monkeypatch.setattr(time, "perf_counter", lambda: now + turn)

    assert not deadline.late
    assert not deadline.over


def test_when_the_time_is_over_the_values_left_are_unknown() -> None:
    clock = SummaryDeadline(total=-1, each=1)

    assert summarize("value", [1], clock, 100) == ValueSummary("value", "list", "", "unknown")


@pytest.mark.parametrize("clock", ["thread_time", "perf_counter"])
def test_a_capture_whose_time_is_over_still_tells_the_rest(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch, clock: str
) -> None:
    moments = iter(range(10**6))
    monkeypatch.setattr(time, clock, lambda: float(next(moments)))
    notebook.settings = Settings(summary_time=0.01)
    notebook.run("rows = [1, 2]")

    failure = notebook.fail("rows[5]")

    assert variable(failure, "rows").kind == "unknown"
    assert failure.title == "IndexError: list index out of range"
    assert failure.lineno == 1


HOSTILE_ERRORS = """
import time
class Bad(Exception):
    calls = 0
    def __str__(self):
        Bad.calls += 1
        {body}
    __repr__ = __str__
"""


def hostile_error(notebook: Notebook, body: str) -> Failure:
    notebook.run(HOSTILE_ERRORS.format(body=body))
    return notebook.fail("raise Bad('told', 3)")


@pytest.mark.parametrize(
    "body",
    [
        "raise RuntimeError",
        "return self.__str__()",
        "return 7",
        "while True: pass",
        "raise SystemExit",
        "raise GeneratorExit",
        "import asyncio; raise asyncio.CancelledError",
    ],
)
def test_a_message_that_cannot_be_made_is_told_by_the_arguments(notebook: Notebook, body: str) -> None:
    failure = hostile_error(notebook, body)

    assert failure.title == "Bad: 'told', 3"
    assert failure.lineno == 1


def test_an_interrupt_ends_the_capture(notebook: Notebook) -> None:
    with pytest.raises(KeyboardInterrupt):
        hostile_error(notebook, "raise KeyboardInterrupt")


def test_a_message_of_a_class_of_its_own_is_what_the_traceback_showed(notebook: Notebook) -> None:
    assert hostile_error(notebook, "return f'it said {self.args[0]}'").title == "Bad: it said told"


def test_a_huge_message_is_cut(notebook: Notebook) -> None:
    assert len(hostile_error(notebook, "return 'x' * 10**6").error.evalue) == 4_000
    assert len(notebook.fail("raise ValueError('x' * 10**8)").error.evalue) == 4_000
    assert len(notebook.fail("raise KeyError('x' * 10**8)").error.evalue) == 4_000
    assert len(notebook.fail("raise ValueError(['x' * 10**8])").error.evalue) <= 4_000


def test_fields_that_an_exception_overrides_are_not_asked(notebook: Notebook) -> None:
    notebook.namespace["calls"] = CALLS
    notebook.run(
        "class Odd(AttributeError):\n"
        "    name = property(lambda self: calls.append('name'))\n"
        "    obj = property(lambda self: calls.append('obj'))\n"
        "    args = property(lambda self: calls.append('args'))\n"
        "    __cause__ = property(lambda self: calls.append('cause'))\n"
        "    __traceback__ = property(lambda self: calls.append('traceback'))\n"
        "    __notes__ = property(lambda self: calls.append('notes'))\n"
    )

    failure = notebook.fail("raise Odd('it')")

    assert failure.title == "Odd: it"
    assert failure.lineno == 1
    assert CALLS == []


def test_a_hostile_object_whose_attribute_is_missing_is_told(notebook: Notebook) -> None:
    notebook.namespace["thing"] = trap("sleeps", (), ("__getattribute__", "__getattr__"))()

    failure = notebook.fail("thing.undefined")

    assert CALLS == []
    assert failure.lookup is not None
    assert (failure.lookup.owner, failure.lookup.owner_type) == ("thing", "tests.capture.test_hostile.Trap")


def test_a_hostile_key_is_told_without_asking_it(notebook: Notebook) -> None:
    class Key:
        def __hash__(self) -> int:
            return 1

        def __repr__(self) -> str:
            CALLS.append("repr")
            return "key"

    notebook.namespace.update(key=Key(), table={"a": 1})
    error = notebook.error("table[key]")
    CALLS.clear()

    failure = notebook.capture(error, "table[key]")

    assert failure.lookup is not None
    assert failure.lookup.owner == "table"
    assert CALLS == ["repr"]  # the message: KeyError's own `str`, which the traceback showed a moment ago


def test_a_namespace_with_odd_names_is_no_trouble(notebook: Notebook) -> None:
    notebook.namespace[trap("raises", (), ("__hash__", "__eq__"))()] = 1  # type: ignore[index]
    notebook.namespace[3] = 1  # type: ignore[index]

    failure = notebook.fail("undefined")

    assert failure.lookup is not None
    assert failure.situation.names == ()


def test_the_deadline_ends_a_python_loop_and_puts_the_trace_function_back() -> None:
    lines = 0

    def endless() -> str:
        nonlocal lines
        while True:
            lines += 1

    def theirs(frame: Any, event: str, argument: Any) -> None:
        return None

    before = sys.gettrace()
    sys.settrace(theirs)
    try:
        found = within(0.01, endless, "given up")
        after = sys.gettrace()
    finally:
        sys.settrace(before)

    assert found == "given up"
    assert lines > 0
    assert after is theirs
