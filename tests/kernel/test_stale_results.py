"""Cells that have used values which an accepted fix has replaced are named until they have run again."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.driver import Kernel


@pytest.fixture
def accepted(kernel: Kernel) -> dict[str, Any]:
    """The panel of a cell that had run before with other values, which others have used; its fix has run."""
    kernel.hello()
    for cell, source in (
        ("other", "fixed = 7"),
        ("rate", "rate = 2\nunit = 'EUR'"),
        ("used", "price = rate * 10\nprint(price)"),
        ("then", "print(price + 1)"),
        ("unit", "print(unit)"),
        ("none", "print(fixed)"),
    ):
        assert kernel.run(source, cell).status == "ok"
    panel = kernel.settled(kernel.run("unit = 'EUR'\nrate = fiexd", "rate"))
    answer = kernel.accept(kernel.comm(), panel)
    kernel.run(answer["edits"][0]["source"], "rate")
    return panel


def test_they_are_named_in_the_order_of_the_flow_and_none_that_read_the_same_value(
    kernel: Kernel, accepted: dict[str, Any]
) -> None:
    state = kernel.state(kernel.comm(), accepted["repair"])
    assert [cell["id"] for cell in state["stale"]] == ["used", "then"]
    assert state["notice"]["text"].endswith("In [4] and In [5] were computed with the old `rate`.")


def test_one_that_has_run_again_is_not_named_any_more(kernel: Kernel, accepted: dict[str, Any]) -> None:
    kernel.run("price = rate * 10\nprint(price)", "used")
    state = kernel.state(kernel.comm(), accepted["repair"])
    assert [cell["id"] for cell in state["stale"]] == ["then"]
    assert "In [5] was computed with the old" in state["notice"]["text"]


def test_none_is_once_the_accepted_run_is_taken_back(kernel: Kernel, accepted: dict[str, Any]) -> None:
    kernel.run("%reflex back")
    state = kernel.state(kernel.comm(), accepted["repair"])
    assert not state["stale"]
    assert "computed with" not in state["notice"]["text"]
