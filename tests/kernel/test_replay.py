"""Recorded calls are made again with the fixed function, in the copy of a real kernel, and the verdict says so."""

from __future__ import annotations

import sys
import textwrap
from typing import Any

import pytest

from tests.kernel.driver import Kernel

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a copy of the kernel needs Linux")

PRICE = """\
def price(count):
    if count > 10:
        return count * discuont
    return count * 2.0
"""


def verdict(kernel: Kernel, source: str, cell: str | None = None) -> dict[str, Any]:
    panel: dict[str, Any] = kernel.settled(kernel.run(source, cell))
    return panel["fixes"][0]


def test_the_last_calls_stand_up_for_a_fix_of_the_function(kernel: Kernel) -> None:
    kernel.run("%config Reflex.trace = 'last calls'\ndiscount = 1.5")
    kernel.run(PRICE, "defines")
    fix = verdict(kernel, "prices = [price(count) for count in range(1, 13)]", "calls")
    text = fix["verdict"]["text"]
    assert "10 of 10 recorded calls give the same, and the failing one passes" in text
    assert not fix["findings"], "it is said once"
    assert kernel.value("'prices' in globals()") is False
    kernel.run("%config Reflex.trace = 'off'")
    assert kernel.value("__import__('sys').gettrace()") is None


def test_of_many_quick_calls_some_are_kept_and_the_one_that_fails(kernel: Kernel) -> None:
    kernel.run("%config Reflex.trace = 'last calls'\ndiscount = 1.5")
    kernel.run(PRICE, "defines")
    fix = verdict(kernel, "for turn in range(100_000):\n    price(turn % 10)\nprice(12)", "calls")
    assert "19 of 19 recorded calls give the same, and the failing one passes" in fix["verdict"]["text"]


def test_calls_of_a_function_inside_of_another_are_made_again(kernel: Kernel) -> None:
    kernel.run("%config Reflex.trace = 'last calls'\ndiscount = 1.5")
    inside = textwrap.indent(PRICE, "    ")
    kernel.run(f"def shop(name):\n{inside}    return price\nprice = shop('x')", "defines")
    fix = verdict(kernel, "prices = [price(count) for count in range(1, 13)]", "calls")
    assert "10 of 10 recorded calls give the same, and the failing one passes" in fix["verdict"]["text"]


def test_with_no_trace_nothing_of_it_is_there(kernel: Kernel) -> None:
    kernel.run("discount = 1.5")
    kernel.run(PRICE, "defines")
    fix = verdict(kernel, "prices = [price(count) for count in range(1, 13)]", "calls")
    assert "recorded" not in fix["verdict"]["text"]
    assert not kernel.value("[name for name in __import__('sys').modules if 'reflex_ipython.traces' in name]")


def test_a_trace_of_a_block_in_the_cell_that_fails_is_at_hand(kernel: Kernel) -> None:
    kernel.run("import reflex_ipython\ndiscount = 1.5")
    source = PRICE + "with reflex_ipython.trace(values=True) as trace:\n    prices = [price(n) for n in (1, 2, 3, 11)]"
    fix = verdict(kernel, source, "both")
    assert "3 of 3 recorded calls give the same, and the failing one passes" in fix["verdict"]["text"]


SHOP = """\
import io, json, reflex_ipython
discount = 1.5
def shop(environ, start):
    told = price(int(environ["QUERY_STRING"]))
    start("200 OK", [])
    return [json.dumps(told).encode()]
def ask(application, count):
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/price", "QUERY_STRING": str(count), "wsgi.input": io.BytesIO()}
    return b"".join(application(environ, lambda *_: None))
"""


def test_requests_of_an_application_are_made_again_with_the_fix(kernel: Kernel) -> None:
    kernel.run(SHOP)
    kernel.run(PRICE, "defines")
    asks = "found = [ask(trace.wsgi(shop), n) for n in (1, 2, 3, 11)]"
    source = f"with reflex_ipython.trace(values=True) as trace:\n    {asks}"
    text = verdict(kernel, source, "asks")["verdict"]["text"]
    assert "recorded calls give the same, 3 of 3 recorded requests get the same answer" in text
    assert "the failing one passes" in text
