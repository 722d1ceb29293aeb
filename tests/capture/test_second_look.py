"""What is told of the error that an attempt has ended with: what was looked up in vain, and what there is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.capture.second_look import second_look
from reflex_ipython.models import Lookup


def seen(source: str, **names: Any) -> Lookup | None:
    try:
        exec(compile(source, "<trial>", "exec"), {"__name__": "__main__", **names})
    except Exception as error:  # noqa: BLE001 - whatever the source raises
        return second_look(error)
    raise AssertionError("it ran")


def test_the_nearest_of_what_is_there_is_told() -> None:
    found = seen("value_5O", **{f"value_{number}": number for number in range(300)})
    assert found is not None
    assert (found.kind, found.wanted) == ("name", "value_5O")
    assert "value_50" in found.available
    assert len(found.available) == 40


def test_who_was_asked_is_told() -> None:
    found = seen("1 .reel")
    assert found is not None
    assert (found.kind, found.owner_type) == ("attribute", "int")
    assert found.available[0] == "real" or "real" in found.available


def test_an_error_that_looks_nothing_up_tells_nothing() -> None:
    assert seen("1 / 0") is None


def test_of_files_only_those_are_told_that_may_leave_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    for name in ("sales.csv", "../sale.csv"):
        Path(name).touch()
    found = seen("open('sale.csv')")
    assert found is not None
    assert found.available == ("sales.csv",)
