"""A function that raises is mended, called again, and runs its new text for all who hold it."""

from __future__ import annotations

import asyncio
import inspect
import math
import threading
from collections.abc import AsyncGenerator, Iterator
from typing import Any

import pytest

import reflex_ipython
from reflex_ipython.errors import BadInput
from tests.functions.conftest import LINUX, Texts

pytestmark = LINUX
CALLS: list[float] = []


def proven(texts: Texts, id: str | None = None) -> Any:
    return reflex_ipython.heal(id, policy="proven", store=texts)


def test_the_call_is_repeated_with_the_mended_text(texts: Texts) -> None:
    CALLS.clear()

    def area(radius: float) -> float:
        CALLS.append(radius)
        return round(maht.pi * radius**2, 2)  # type: ignore[name-defined]  # noqa: F821

    alias = area
    healed = proven(texts, "area")(area)
    assert healed(2) == 12.57
    assert CALLS == [2, 2], "what the failed call did is not undone, and it is repeated once"
    assert alias(1) == 3.14, "all who hold the function have the new text"
    assert healed.__name__ == "area"
    assert "math.pi" in texts.kept["area"]
    assert math


def test_a_coroutine_heals(texts: Texts) -> None:
    @proven(texts)
    async def later(values: list[int]) -> int:
        await asyncio.sleep(0)
        return sum(valeus)  # type: ignore[name-defined]  # noqa: F821

    assert asyncio.run(later([1, 2])) == 3


def test_a_generator_heals_up_to_its_first_value(texts: Texts) -> None:
    @proven(texts)
    def count(limit: int) -> Iterator[int]:
        for number in range(limti):  # type: ignore[name-defined]  # noqa: F821
            sent = yield number
            if sent is not None:
                yield sent

    counting = count(3)
    assert next(counting) == 0
    assert counting.send(7) == 7  # type: ignore[attr-defined]
    assert list(counting) == [1, 2]


def test_an_asynchronous_generator_heals_up_to_its_first_value(texts: Texts) -> None:
    ended: list[int] = []

    @proven(texts)
    async def count(limit: int) -> AsyncGenerator[int, int]:
        try:
            for number in range(limti):  # type: ignore[name-defined]  # noqa: F821
                sent = yield number
                if sent is not None:
                    yield sent
        except KeyError:
            yield -1
        finally:
            ended.append(limit)

    async def use() -> None:
        assert [number async for number in count(3)] == [0, 1, 2]
        counting = count(4)
        assert await counting.__anext__() == 0
        assert await counting.asend(7) == 7
        assert await counting.athrow(KeyError) == -1
        await counting.aclose()
        closed = count(5)
        assert await closed.__anext__() == 0
        await closed.aclose()
        assert [number async for number in count(0)] == []

    assert inspect.isasyncgenfunction(count)
    asyncio.run(use())
    assert ended == [3, 3, 4, 5, 0], "the failed call has ended as well"
    assert "range(limit)" in next(iter(texts.kept.values()))


def test_a_generator_that_is_begun_raises_what_it_raises(texts: Texts) -> None:
    @proven(texts)
    def count() -> Iterator[int]:
        yield 1
        yield nothing  # type: ignore[name-defined]  # noqa: F821

    counting = count()
    assert next(counting) == 1
    with pytest.raises(NameError):
        next(counting)


def test_methods_heal_with_private_names_and_super(texts: Texts) -> None:
    class Base:
        def size(self) -> int:
            return 1

    class Box(Base):
        def __init__(self) -> None:
            self.__width = 3

        @proven(texts)
        def size(self) -> int:
            return super().size() + self.__width + len(self.itmes)  # type: ignore[attr-defined]

        items = (1, 2)

        @classmethod
        @proven(texts)
        def made(cls) -> int:
            return lne(cls.items)  # type: ignore[name-defined,no-any-return]  # noqa: F821

    assert Box().size() == 6
    assert Box.made() == 2


def test_a_method_heals_that_says_what_it_does_in_several_lines(texts: Texts) -> None:
    class Box:
        @proven(texts)
        def size(self, values: list[int]) -> int:
            """How many there are.

            In a box.
            """
            return lne(values) + len("""a
b""")  # type: ignore[name-defined]  # noqa: F821

    assert Box().size([1, 2]) == 5
    assert Box.size.__doc__ is not None
    assert Box.size.__doc__.startswith("How many there are.")


def test_a_method_whose_texts_would_change_runs_plainly(texts: Texts, capsys: pytest.CaptureFixture[str]) -> None:
    class Box:
        @proven(texts)
        def text(self) -> str:
            return """a
            b"""

    assert Box().text() == "a\n            b"
    assert "it holds texts of several lines" in capsys.readouterr().err


def test_nested_functions_heal_each_by_its_own_id(texts: Texts) -> None:
    @proven(texts, "outer")
    def outer(number: int) -> int:
        @proven(texts, "inner")
        def inner(one: int) -> int:
            return number + noe  # type: ignore[name-defined]  # noqa: F821

        return inner(1) + number

    assert outer(1) == 3
    assert "inner" in texts.kept, "it closes over a variable of the outer one, and still does"
    assert "outer" not in texts.kept, "the outer one has not failed by its own text"


def test_an_inner_function_that_changes_a_variable_of_the_outer_one_heals(texts: Texts) -> None:
    count = 5

    @proven(texts)
    def counted(values: list[int]) -> int:
        nonlocal count
        count += 1
        return count + lne(values)  # type: ignore[name-defined,no-any-return]  # noqa: F821

    assert counted([1, 2]) == 9, "what the failed call did is not undone"
    assert count == 7


def test_tasks_that_fail_after_another_was_mended_are_called_again(texts: Texts) -> None:
    saved: list[str] = []

    class Counting(Texts):
        def save(self, id: str, source: str) -> None:
            saved.append(source)

    @proven(Counting())
    async def later(value: int) -> int:
        await asyncio.sleep(0)
        return lne([value]) + value  # type: ignore[name-defined,no-any-return]  # noqa: F821

    async def together() -> list[int]:
        return await asyncio.gather(*map(later, range(4)))

    assert asyncio.run(together()) == [1, 2, 3, 4]
    assert len(saved) == 1


def test_an_exception_that_takes_no_notes_is_raised_as_it_is(texts: Texts) -> None:
    class Stubborn(Exception):
        def add_note(self, note: str) -> None:
            raise ValueError(note)

        def __str__(self) -> str:
            raise ValueError

    @proven(texts)
    def fail() -> None:
        raise Stubborn

    with pytest.raises(Stubborn):
        fail()


def test_without_a_fix_the_exception_is_the_same_with_one_note(texts: Texts) -> None:
    error = RuntimeError("no")

    @proven(texts)
    def fail() -> None:
        raise error

    for _ in range(2):
        with pytest.raises(RuntimeError) as raised:
            fail()
        assert raised.value is error
    assert len(error.__notes__) == 1
    assert error.__notes__[0].startswith("reflex: `test_without_a_fix")
    assert texts.kept == {}


def test_never_and_nobody_to_ask_leave_the_exception_alone(texts: Texts) -> None:
    def wrong() -> int:
        return lne([1])  # type: ignore[name-defined,no-any-return]  # noqa: F821

    for policy in ("never", "ask"):
        healed = reflex_ipython.heal(policy=policy, store=texts)(wrong)
        with pytest.raises(NameError):
            healed()
    assert texts.kept == {}


def test_calls_that_fail_on_several_threads_at_once_are_mended_once(texts: Texts) -> None:
    mended: list[str] = []

    class Counting(Texts):
        def save(self, id: str, source: str) -> None:
            mended.append(source)

    @proven(Counting())
    def size(values: list[int]) -> int:
        return lne(values)  # type: ignore[name-defined,no-any-return]  # noqa: F821

    found: list[object] = []

    def call() -> None:
        try:
            found.append(size([1, 2]))
        except NameError as error:
            found.append(error.__notes__)

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [2, 2, 2, 2]
    assert len(mended) == 1


def test_a_coroutine_on_another_thread_heals_in_a_loop_of_its_own(texts: Texts) -> None:
    @proven(texts)
    async def later(values: list[int]) -> int:
        await asyncio.sleep(0)
        return sum(valeus)  # type: ignore[name-defined]  # noqa: F821

    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(asyncio.run(later([1, 2]))))
    thread.start()
    thread.join()
    assert found == [3]


def test_what_is_kept_is_used_at_the_next_start_and_mended_again_when_it_fails(texts: Texts) -> None:
    def make() -> Any:
        def double(value: Any) -> Any:
            return valeu * 2 + offset  # type: ignore[name-defined]  # noqa: F821

        return double

    offset = 0
    make.__globals__["offset"] = offset
    assert proven(texts, "double")(make())(2) == 4
    first = texts.kept["double"]
    again = reflex_ipython.heal("double", policy="never", store=texts)(make())
    assert again(3) == 6, "without anything being mended"
    assert texts.kept["double"] == first
    texts.kept["double"] = first.replace("offset", "offest")
    once_more = proven(texts, "double")(make())
    assert (once_more(4), once_more(5)) == (8, 10)
    assert texts.kept["double"] == first, "it is made from the same original"
    texts.kept["double"] = first.replace("(value)", "(value, other)")
    assert proven(texts, "double")(make())(6) == 12, "what is none of this function is not used"


def test_a_function_that_was_changed_since_wins_and_the_kept_text_is_shelved(texts: Texts) -> None:
    def first() -> int:
        return lne([1])  # type: ignore[name-defined,no-any-return]  # noqa: F821

    assert proven(texts, "f")(first)() == 1
    kept = texts.kept["f"]

    def second() -> int:
        return 5

    second.__name__ = "second"
    assert proven(texts, "f")(second)() == 5
    assert texts.kept["f.shelved"] == kept


def test_a_store_may_be_two_coroutine_functions() -> None:
    kept: dict[str, str] = {}

    async def get(id: str) -> str | None:
        return kept.get(id)

    async def save(id: str, source: str) -> None:
        kept[id] = source

    @reflex_ipython.heal("two", policy="proven", store=(get, save))
    def size() -> int:
        return lne([1])  # type: ignore[name-defined,no-any-return]  # noqa: F821

    assert size() == 1
    assert "len([1])" in kept["two"]


def test_what_can_not_heal_runs_plainly_and_says_so(texts: Texts, capsys: pytest.CaptureFixture[str]) -> None:
    def hiding(function: Any) -> Any:
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

        return wrapper

    @hiding
    def hidden() -> int:
        return 3

    made: dict[str, Any] = {}
    exec("def sourceless(): return 4", made)
    assert proven(texts)(len)([1]) == 1
    assert proven(texts)(hidden)() == 3
    assert proven(texts)(made["sourceless"])() == 4
    said = capsys.readouterr().err
    assert [line.rpartition(": ")[2] for line in said.splitlines()] == [
        "it is not written in Python.",
        "another decorator has changed it and left no `__wrapped__`.",
        "its source is not known.",
    ]


def test_a_policy_that_is_none_is_refused(texts: Texts) -> None:
    with pytest.raises(BadInput, match="it can be ask, proven, never"):
        reflex_ipython.heal(policy="always")
    with pytest.raises(BadInput, match="two callables"):
        reflex_ipython.heal(store=3)  # type: ignore[arg-type]
