"""A fix is tried in a copy of a real kernel, and nothing of the trial reaches the kernel itself."""

from __future__ import annotations

import base64
import io
import re
import socket
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from reflex_ipython.present.verdict_line import BLOCKED, PAST
from reflex_ipython.testing import Say, ScriptedServer
from tests.kernel.copies import COPIES
from tests.kernel.driver import PATIENCE, Kernel

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a copy of the kernel needs Linux")


RAN = re.compile(r"ran in a copy of your kernel, \d+\.\d\d s\b")


@pytest.fixture
def kernel(kernel: Kernel) -> Kernel:
    """One that gives its trials as much time as a busy machine needs to draw a figure."""
    kernel.run("from reflex_ipython.check.trial import trials\ntrials.LEAST = 10.0\ndel trials")
    return kernel


def verdict(kernel: Kernel, source: str, cell: str | None = None) -> dict[str, Any]:
    """Run a failing cell; the panel's state when nobody is at work any more."""
    return kernel.settled(kernel.run(source, cell))


def test_the_panel_says_that_it_ran_and_the_kernel_is_untouched(kernel: Kernel) -> None:
    kernel.run("total = [1]")
    panel = verdict(kernel, "toatl.append(2)")
    assert panel["fixes"][0]["verdict"]["tone"] == "good"
    assert RAN.match(panel["fixes"][0]["verdict"]["text"])
    assert kernel.value("total") == [1]


@pytest.mark.parametrize("answers", ["True", "1 / 0"])
def test_a_metaclass_that_compares_classes_in_its_own_way_is_not_asked(kernel: Kernel, answers: str) -> None:
    kernel.run(f"class Meta(type):\n    def __eq__(self, other): return {answers}")  # and has no hash with that
    kernel.run("class Part(metaclass=Meta): pass\nparts, total = [Part()], 3")
    panel = verdict(kernel, "part = parts[0]\ntoatl + 1")
    assert RAN.match(panel["fixes"][0]["verdict"]["text"])


def test_it_says_which_other_error_the_fix_raises(kernel: Kernel) -> None:
    kernel.run("total = 3")
    text = verdict(kernel, "a = 1\ntoatl / 0")["fixes"][0]["verdict"]["text"]
    assert text == "raises ZeroDivisionError on line 2 instead"


def test_what_writes_is_not_tried_and_the_file_is_as_it_was(kernel: Kernel, tmp_path: Path) -> None:
    target = tmp_path / "data.csv"
    kernel.run("total = 3")
    text = verdict(kernel, f"name = toatl\nopen({str(target)!r}, 'w').write('x')")["fixes"][0]["verdict"]["text"]
    assert text == f"{PAST} is {BLOCKED}: wants to write to {target}"
    assert not target.exists()


def test_an_endless_fix_is_inconclusive_and_costs_the_user_nothing(kernel: Kernel) -> None:
    kernel.run("total = 3\n%config Reflex.trial_timeout = 2.0")
    panel = kernel.run("toatl\nwhile True: pass").shown[-1]
    assert kernel.value("total") == 3
    panel = kernel.until_panel(panel, lambda state: not state["working"])
    assert panel["fixes"][0]["verdict"]["text"].startswith("gets past the error, then timed out after 2 s")


@pytest.mark.parametrize("source", ["print(toatl)\ntime.sleep(3)", "time.sleep(toatl)"])
def test_what_has_never_run_gets_all_the_time_that_a_trial_may_take(kernel: Kernel, source: str) -> None:
    kernel.run("total = 3\nimport time\n%config Reflex.trial_timeout = 600.0")
    text = verdict(kernel, source)["fixes"][0]["verdict"]["text"]
    assert text.startswith("ran in a copy of your kernel, 3.")


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
    assert text.startswith(("ran in a copy of your kernel", f"{PAST} is {BLOCKED}: wants to start a process"))
    assert ("process" in text) == ("!" in source)


def test_a_script_is_not_waited_for_whose_thread_the_copy_does_not_have(kernel: Kernel) -> None:
    kernel.run("total = [3]")
    script = "get_ipython().run_cell_magic('bash', '', 'true')"  # by the loop of a thread that goes on afterwards
    text = verdict(kernel, f"for i in range(1):\n    {script}\n    toatl.append(i)")["fixes"][0]["verdict"]["text"]
    assert text == "blocked by the sandbox: wants to start a process: bash"


def test_the_panel_shows_the_figure_that_the_fix_draws(kernel: Kernel) -> None:
    kernel.run("total = 3\nimport matplotlib.pyplot as plt\nplt.plot([1])")
    panel = verdict(kernel, "plt.plot([toatl, 1])\nprint('drawn')")
    assert "prints 1 line · shows 1 figure" in panel["fixes"][0]["verdict"]["text"]
    preview = panel["fixes"][0]["preview"]
    assert preview["summary"].startswith("what it shows")
    picture = Image.open(io.BytesIO(base64.b64decode(preview["image"], validate=True)))
    picture.load()
    assert (picture.format, picture.width > 100) == ("PNG", True)


def test_the_reply_does_not_wait_for_the_copy(kernel: Kernel, tmp_path: Path) -> None:
    go_on = tmp_path / "go on"
    kernel.run(
        "import os, time\nfrom reflex_ipython.ipython.kernel_trials import KernelTrials\ncopy = KernelTrials.freeze\n"
        "def wait_and_copy(self, repair_id):\n"
        f"    while not os.path.exists({str(go_on)!r}): time.sleep(0.01)\n"
        "    copy(self, repair_id)\n"
        "KernelTrials.freeze = wait_and_copy\ntotal = [1]"
    )
    panel = kernel.run("toatl").shown[-1]  # with the reply
    go_on.touch()
    panel = kernel.until_panel(panel, lambda state: not state["working"])
    assert panel["fixes"][0]["verdict"]["tone"] == "good"


def test_a_cell_that_follows_at_once_does_not_run_before_the_copy(kernel: Kernel) -> None:
    kernel.run("total = [1]")
    first, second = kernel.send("toatl"), kernel.send("total.clear()")
    panel = kernel.finish(first).shown[-1]
    assert kernel.finish(second).status == "ok"
    panel = kernel.until_panel(panel, lambda state: not state["working"])
    assert panel["fixes"][0]["preview"]["output"] == "[1]"


def test_no_process_is_left_once_the_repair_is_decided(kernel: Kernel) -> None:
    kernel.run(COPIES + "total = 3")
    verdict(kernel, "toatl", "a")
    assert kernel.value("copies()") == 1
    kernel.run("%reflex reject")
    end = time.monotonic() + PATIENCE
    while kernel.value("copies()") and time.monotonic() < end:
        pass
    assert kernel.value("copies()") == 0


def test_the_models_second_attempt_is_told_what_the_first_one_raised(kernel: Kernel) -> None:
    first, second = "```python\nvalue = data['b']\n```", "The key is a.\n```python\nvalue = data['a']\n```"
    with ScriptedServer(Say(first), Say(second)) as server:
        kernel.run(f"%reflex model tiny --base-url {server.base_url}\n%config Reflex.search_candidates = 0")
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


def test_the_memory_of_the_copies_is_told(kernel: Kernel) -> None:
    kernel.run("total = 3")
    verdict(kernel, "toatl")
    assert re.search(r"A copy of the kernel is kept for trials until you decide \(\d+ MB\)", kernel.run("%reflex").text)
    kernel.run("%reflex reject")
    assert "copy of the kernel" not in kernel.run("%reflex").text


def test_a_figure_that_the_kept_part_made_is_in_the_preview(kernel: Kernel) -> None:
    kernel.run("%matplotlib inline\nimport matplotlib.pyplot as plt\ntotal = [3, 1]")
    fix = verdict(kernel, "fig, ax = plt.subplots()\nax.plot(toatl);")["fixes"][0]
    assert fix["verdict"]["text"].endswith("resumes at line 2")
    assert "shows 1 figure · " in fix["verdict"]["text"]
    assert fix["preview"]["image"]


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


ENDS = """
import os, socket
total = 3
class Part:
    def __del__(self):
        open(path, 'a').write('ended')
class Command:
    def __del__(self):
        os.system(f'touch {path}')
class Folder:
    def __del__(self):
        os.mkdir(path)
class Call:
    def __del__(self):
        socket.create_connection(server, 5).close()
"""


@pytest.mark.parametrize("ended", ["Part", "Command", "Folder", "Call"])
def test_what_ends_as_a_copy_goes_back_does_nothing_outside(kernel: Kernel, tmp_path: Path, ended: str) -> None:
    path = tmp_path / "ended"
    with socket.create_server(("127.0.0.1", 0)) as server:
        kernel.run(f"path, server = {str(path)!r}, {server.getsockname()!r}{ENDS}")
        panel = verdict(kernel, f"if True:\n    part = {ended}()\n    x = toatl")
        assert panel["fixes"][0]["verdict"]["text"].startswith("ran in a copy of your kernel"), panel
        assert not path.exists()
        server.settimeout(0)
        with pytest.raises(BlockingIOError):
            server.accept()
