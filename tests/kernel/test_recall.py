"""What was accepted in one notebook is proposed in another one, in real kernels that share a history."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kernel.conftest import LOAD
from tests.kernel.driver import Kernel

SPEED = """
def speed(km, h):
    if h > 24:
        raise ValueError("give hours, not minutes")
    return km / h
"""
NAMES = ("sales", "stock", "staff")


def in_notebook(kernel: Kernel) -> Kernel:
    assert kernel.run(LOAD, "load").status == "ok"
    assert kernel.run(SPEED, "def").status == "ok"
    return kernel


def mend(kernel: Kernel) -> None:
    """Mend the mistake by hand, as a person does: what ran stays, and the repair is accepted."""
    kernel.settled(kernel.run("n = 1\nv = speed(100, 90)", "a"))
    assert kernel.run("%reflex resume\nn = 1\nv = speed(100, 90 / 60)", "b").status == "ok"
    assert "accepted" in str(kernel.run("%reflex history").contents("display_data"))


def test_what_was_accepted_once_is_proposed_elsewhere_with_the_names_of_that_place(
    new_kernel: Callable[..., Kernel], tmp_path: Path
) -> None:
    mend(in_notebook(first := new_kernel(JPY_SESSION_NAME="/work/sales.ipynb")))
    first.run("%unload_ext reflex_ipython")
    kernel = in_notebook(new_kernel(JPY_SESSION_NAME="/work/trips.ipynb"))
    kernel.run("minutes, way = 45, 20")
    panel = kernel.settled(kernel.run("trip = speed(way, minutes)", "c"))
    [fix] = panel["fixes"]
    assert fix["origin"] == "remembered: accepted once, today in sales.ipynb"
    assert fix["edits"][-1]["source"] == "trip = speed(way, minutes / 60)"
    assert "ran in a copy of your kernel" in str(fix["verdict"])
    assert kernel.run("%reflex accept 1", "d").status == "ok"
    assert kernel.value("trip") == pytest.approx(20 / 0.75)
    listed = kernel.run("%reflex memory").contents("display_data")[0]["data"]["text/plain"]
    assert "accepted twice" in listed
    # One that is rejected as often as it was accepted is not proposed again.
    for number in range(2):
        kernel.settled(kernel.run("trip = speed(way, minutes)", f"e{number}"))
        kernel.run("%reflex reject")
    assert kernel.settled(kernel.run("trip = speed(way, minutes)", "f"))["fixes"] == []


def test_what_was_right_in_three_notebooks_is_a_rule_that_one_command_switches_off(
    new_kernel: Callable[..., Kernel],
) -> None:
    for name in NAMES:
        mend(in_notebook(kernel := new_kernel(JPY_SESSION_NAME=f"/work/{name}.ipynb")))
        kernel.run("%unload_ext reflex_ipython")
    kernel = in_notebook(new_kernel(JPY_SESSION_NAME="/work/trips.ipynb"))
    kernel.run("a, b = 30, 40")
    panel = kernel.settled(kernel.run("trip = speed(a, b)", "c"))
    assert panel["fixes"][0]["origin"] == "remembered: accepted 3 times, last today in staff.ipynb, in 3 notebooks"
    listed = kernel.run("%reflex memory").contents("display_data")[0]["data"]["text/plain"]
    assert "rule" in listed
    assert "speed(‹1›, ‹2› / 60, …)" in listed
    lesson = listed.split()[0]
    assert "not proposed any more" in kernel.run(f"%reflex memory --off {lesson}").text
    assert kernel.settled(kernel.run("trip = speed(a, b)", "d"))["fixes"] == []
    assert "proposed again" in kernel.run(f"%reflex memory --on {lesson}").text
    assert len(kernel.settled(kernel.run("trip = speed(a, b)", "e"))["fixes"]) == 1
    assert kernel.run("%reflex memory --off zzz").status == "error"
