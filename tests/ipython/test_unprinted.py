"""What is printed while an accepted fix has the state put back is shown nowhere, and all that comes later is."""

from __future__ import annotations

import sys

import pytest

from reflex_ipython.ipython.unprinted import unprinted


class Stream:
    """A kernel's, as far as it counts."""

    __module__ = "ipykernel.iostream"

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)


@pytest.mark.parametrize("streams", [2, 1], ids=["two streams", "errors go the way of all else"])
def test_nothing_is_shown_meanwhile_and_all_is_afterwards(monkeypatch: pytest.MonkeyPatch, streams: int) -> None:
    out, errors = (Stream(), Stream())[:streams] * (3 - streams)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", errors)
    with unprinted():
        print("hidden")
        print("hidden", file=sys.stderr)
    print("shown")
    assert out.text == "shown\n"
    assert [vars(stream).keys() for stream in (out, errors)] == [{"text"}] * 2


def test_what_an_interrupt_has_ended_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    out, errors = Stream(), Stream()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", errors)
    with unprinted():
        print("KeyboardInterrupt in __del__", file=sys.stderr)
    assert (out.text, errors.text) == ("", "KeyboardInterrupt in __del__\n")
