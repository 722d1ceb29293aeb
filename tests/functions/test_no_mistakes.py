"""What is no mistake is left alone, and what can't be mended is not worked on again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import reflex_ipython
from reflex_ipython.functions import decorator
from reflex_ipython.functions.repairing import FailedCall
from reflex_ipython.models import Fix, Repair
from reflex_ipython.settings import Settings
from reflex_ipython.testing import Refuse, Say, ScriptedServer
from tests.functions.conftest import LINUX, Texts

pytestmark = LINUX


@pytest.fixture
def worked_on(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The policies of all failures that are worked on, in order."""
    policies: list[str] = []
    mend = FailedCall.mend

    def noted(call: FailedCall, policy: Any, ask: Callable[[Repair, Fix], bool]) -> str:
        policies.append(policy)
        return mend(call, policy, ask)

    monkeypatch.setattr(FailedCall, "mend", noted)
    return policies


def proven(texts: Texts) -> Any:
    return reflex_ipython.heal(policy="proven", store=texts)


def test_the_answers_of_pythons_protocols_are_no_mistakes(texts: Texts, worked_on: list[str]) -> None:
    class Few:
        values = (1, 2)
        at = 0

        def __iter__(self) -> Any:
            return self

        @proven(texts)
        def __next__(self) -> int:
            if self.at == 2:
                raise StopIteration
            self.at += 1
            return self.at

        @proven(texts)
        def __getattr__(self, name: str) -> Any:
            raise AttributeError(name)

        @proven(texts)
        def __getitem__(self, place: int) -> int:
            return self.values[place]

    assert list(Few()) == [1, 2]
    assert not hasattr(Few(), "absent")
    with pytest.raises(IndexError) as raised:
        Few()[5]
    assert not hasattr(raised.value, "__notes__")
    assert worked_on == []


def test_a_method_of_a_protocol_heals_of_a_mistake(texts: Texts) -> None:
    class Many:
        values = (1, 2)

        @proven(texts)
        def __getitem__(self, place: int) -> int:
            return self.values[min(place, lne(self.values) - 1)]  # type: ignore[name-defined]  # noqa: F821

    assert Many()[7] == 2


def test_an_exception_is_worked_on_once_however_many_calls_it_leaves(texts: Texts, worked_on: list[str]) -> None:
    @proven(texts)
    def down(steps: int) -> int:
        if steps == 0:
            raise RuntimeError("no further")
        return int(down(steps - 1))

    with pytest.raises(RuntimeError) as raised:
        down(10)
    assert worked_on == ["proven"]
    assert len(raised.value.__notes__) == 1


def test_a_recursion_without_end_is_worked_on_where_it_began(texts: Texts, worked_on: list[str]) -> None:
    @proven(texts)
    def deeper(step: int) -> int:
        return int(deeper(step + 1))

    with pytest.raises(RecursionError) as raised:
        deeper(0)
    assert worked_on == ["proven"]
    assert len(raised.value.__notes__) == 1


def test_a_failure_without_a_fix_is_not_worked_on_again(texts: Texts, worked_on: list[str]) -> None:
    @proven(texts)
    def refuse(word: str) -> None:
        raise RuntimeError(word)

    for word in ("no", "no", "never", "no"):
        with pytest.raises(RuntimeError, match=word) as raised:
            refuse(word)
        [note] = raised.value.__notes__
        assert note.endswith("refuse` was not mended: no fix was found.")
    assert len(worked_on) == 2, "another message is another failure"


def test_who_has_said_no_is_not_asked_again(texts: Texts, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Fix] = []
    monkeypatch.setattr(decorator, "can_ask", lambda: True)
    monkeypatch.setattr(decorator, "asked", lambda repair, fix: asked.append(fix))

    @reflex_ipython.heal(policy="ask", store=texts)
    def size(values: list[int]) -> int:
        return lne(values)  # type: ignore[name-defined,no-any-return]  # noqa: F821

    for values in ([1], [2], [3]):
        with pytest.raises(NameError) as raised:
            size(values)
        assert raised.value.__notes__[0].endswith("was not mended: the fix was not accepted.")
    assert len(asked) == 1


def test_a_model_that_could_not_be_reached_is_asked_again(texts: Texts) -> None:
    answer = "```python\ndef third(value: int) -> float:\n    return value / 3\n```"
    with ScriptedServer(Refuse(401, "not you"), Say(answer)) as server:
        settings = Settings(model="scripted", base_url=server.base_url, api_key="x", history=False)

        @reflex_ipython.heal(policy="proven", store=texts, settings=settings)
        def third(value: int) -> float:
            return value / quxquux  # type: ignore[name-defined,no-any-return]  # noqa: F821

        with pytest.raises(NameError):
            third(6)
        assert third(6) == 2.0


def test_a_store_that_fails_does_not_take_the_fix_away(capsys: pytest.CaptureFixture[str]) -> None:
    class Full(Texts):
        def save(self, id: str, source: str) -> None:
            raise OSError("the disk is full")

    @reflex_ipython.heal("size", policy="proven", store=Full())
    def size(values: list[int]) -> int:
        return lne(values)  # type: ignore[name-defined,no-any-return]  # noqa: F821

    assert size([1, 2]) == 2
    said = capsys.readouterr().err
    assert (
        "`test_a_store_that_fails_does_not_take_the_fix_away.<locals>.size` could not be kept by its id 'size'" in said
    )
    assert "OSError: the disk is full." in said


def test_a_bound_method_can_be_run(texts: Texts) -> None:
    class Box:
        items = (1, 2)

        def size(self, more: int) -> int:
            return lne(self.items) + more  # type: ignore[name-defined,no-any-return]  # noqa: F821

    assert reflex_ipython.run("size", "", Box().size, 3, policy="proven", store=texts) == 5
    assert Box().size(1) == 3


def test_what_can_not_heal_is_said_by_what_it_is(texts: Texts, capsys: pytest.CaptureFixture[str]) -> None:
    class Box:
        def __call__(self) -> int:
            return 1

    assert proven(texts)(Box) is Box
    assert proven(texts)(Box())() == 1
    said = capsys.readouterr().err
    assert "it is a class: its methods can heal" in said
    assert "it is an object that can be called" in said
