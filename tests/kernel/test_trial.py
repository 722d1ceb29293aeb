"""A fix is tried in a copy of a real kernel, and nothing of the trial reaches the kernel itself."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.testing import Say, ScriptedServer
from tests.kernel.driver import Kernel

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a copy of the kernel needs Linux")


def verdict(kernel: Kernel, source: str, cell: str | None = None) -> dict[str, Any]:
    """Run a failing cell; the panel's state when nobody is at work any more."""
    panel = kernel.run(source, cell).shown[-1]
    if panel["working"]:
        panel = kernel.until_panel(lambda state: state["repair"] == panel["repair"] and not state["working"])
    return panel


def test_the_panel_says_that_it_ran_and_the_kernel_is_untouched(kernel: Kernel) -> None:
    kernel.run("total = [1]")
    panel = verdict(kernel, "toatl.append(2)")
    assert panel["fixes"][0]["verdict"]["tone"] == "good"
    assert panel["fixes"][0]["verdict"]["text"].startswith("ran in a copy of your kernel, 0.")
    assert kernel.value("total") == [1]


def test_it_says_which_other_error_the_fix_raises(kernel: Kernel) -> None:
    kernel.run("total = 3")
    text = verdict(kernel, "a = 1\ntoatl / 0")["fixes"][0]["verdict"]["text"]
    assert text == "raises ZeroDivisionError on line 2 instead"


def test_what_writes_is_not_tried_and_the_file_is_as_it_was(kernel: Kernel, tmp_path: Path) -> None:
    target = tmp_path / "data.csv"
    kernel.run("total = 3")
    text = verdict(kernel, f"name = toatl\nopen({str(target)!r}, 'w').write('x')")["fixes"][0]["verdict"]["text"]
    assert text == f"not tried: wants to write to {target}"
    assert not target.exists()


def test_an_endless_fix_is_inconclusive_and_costs_the_user_nothing(kernel: Kernel) -> None:
    kernel.run("total = 3")
    panel = kernel.run("toatl\nwhile True: pass").shown[-1]
    assert kernel.value("total") == 3
    panel = kernel.until_panel(lambda state: state["repair"] == panel["repair"] and not state["working"])
    assert panel["fixes"][0]["verdict"]["text"].startswith("inconclusive: still ran after")


@pytest.mark.parametrize(
    "source",
    [
        "import asyncio\nawait asyncio.sleep(0)\ntoatl",
        "%%time\ntoatl",
        "import matplotlib.pyplot as plt\nplt.plot([toatl])",
        "import logging\nlogging.warning('to the old stream'); toatl",
        "x = toatl + 1\n!true",
    ],
    ids=["await", "%%time", "a figure", "a logger", "a shell line"],
)
def test_a_cell_runs_there_as_it_does_here(kernel: Kernel, source: str) -> None:
    kernel.run("total = 3")
    text = verdict(kernel, source)["fixes"][0]["verdict"]["text"]
    assert text.startswith(("ran in a copy of your kernel", "not tried: wants to start a process"))
    assert ("process" in text) == ("!" in source)


def test_no_process_is_left_once_the_repair_is_decided(kernel: Kernel) -> None:
    children = "import os\nlen([p for p in os.popen(f'ps --ppid {os.getpid()} -o comm=').read().split() if 'py' in p])"
    kernel.run("total = 3")
    verdict(kernel, "toatl", "a")
    assert kernel.run(children).contents("execute_result")[0]["data"]["text/plain"] == "1"
    kernel.run("%reflex reject")
    assert kernel.run(children).contents("execute_result")[0]["data"]["text/plain"] == "0"


def test_the_models_second_attempt_is_told_what_the_first_one_raised(kernel: Kernel) -> None:
    first, second = "```python\nvalue = data['b']\n```", "The key is a.\n```python\nvalue = data['a']\n```"
    with ScriptedServer(Say(first), Say(second)) as server:
        kernel.run(f"%reflex model tiny --base-url {server.base_url}")
        kernel.run("data = {'a': 1, 'zebra': 2}")
        panel = verdict(kernel, "value = data['quite_another_key']")
        assert [fix["edits"][-1]["source"] for fix in panel["fixes"]] == ["value = data['a']", "value = data['b']"]
        assert panel["fixes"][0]["verdict"]["tone"] == "good"
        assert "KeyError" in str(server.chats[1].json)


def test_a_fix_that_swallows_the_error_is_named(kernel: Kernel) -> None:
    swallows = "```python\ntry:\n    value = nothing_like_it()\nexcept Exception:\n    pass\n```"
    with ScriptedServer(Say(swallows), Say(swallows)) as server:
        kernel.run(f"%reflex model tiny --base-url {server.base_url}")
        panel = verdict(kernel, "value = nothing_like_it()")
        assert panel["fixes"][0]["verdict"]["tone"] == "warning"
        assert panel["fixes"][0]["verdict"]["text"].startswith("runs, but")


def test_a_dangerous_fix_needs_a_tick(kernel: Kernel, tmp_path: Path) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("x")
    danger = f"```python\nimport os\nos.remove({str(precious)!r})\nvalue = 1\n```"
    with ScriptedServer(Say(danger), Say(danger)) as server:
        kernel.run(f"%reflex model tiny --base-url {server.base_url}")
        panel = verdict(kernel, "value = nothing_like_it()")
        assert panel["fixes"][0]["dangerous"] is True
        assert precious.exists()


def test_trials_can_be_switched_off(kernel: Kernel) -> None:
    kernel.run("total = 3\n%config Reflex.trial = 'off'")
    assert verdict(kernel, "toatl")["fixes"][0]["verdict"]["text"] == "not tried"
