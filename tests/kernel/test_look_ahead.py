"""What will fail is told while the cell runs, and the cell goes on with the fix: in a real kernel.

The page speaks over the control channel, which every kernel reads while a cell runs.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.kernel.driver import Kernel

WAITS = "import os, time\nwhile not os.path.exists({path!r}):\n    time.sleep(0.01)\n"


class Busy:
    """A cell that waits for a file before it goes on."""

    def __init__(self, kernel: Kernel, folder: Path) -> None:
        self.kernel = kernel
        self._path = folder / "go"
        self.client = kernel.client.session.session
        self.request = ""
        self.source = ""
        kernel.hello()

    def run(self, rest: str, cell: str = "a") -> None:
        self._path.unlink(missing_ok=True)
        self.source = WAITS.format(path=str(self._path)) + rest
        self.request = self.kernel.send(self.source, cell)

    def panel(self) -> dict[str, Any]:
        """What is told ahead of this very cell, with a fix."""

        def is_it(data: dict[str, Any]) -> bool:
            state = data["state"]
            return bool(state["running"] and _is_settled(state) and self.source in _expected(state))

        return dict(self.kernel.until_told("state", is_it)["state"])

    def accept(self, panel: dict[str, Any], **more: Any) -> dict[str, Any]:
        """The kernel's answer to a click on what the page draws, the newest state."""
        while True:
            shown = self.kernel.told[panel["repair"]]["fixes"][0]
            message = {
                "type": "accept", "session": panel["session"], "repair": panel["repair"], "request": "click",
                "client": self.client, "shown": shown, "sources": [],
                "run": True, "whole": False, "read": False, **more,
            }  # fmt: skip
            self.kernel.urge(**message)
            answer = self.kernel.until_told(("apply", "declined"))
            if "Look at the fix again" not in answer.get("reason", ""):
                return answer

    def applied(self, status: str = "applied") -> None:
        """The page has rewritten the cell, or not; the kernel has heard it by the end of this."""
        self.kernel.urge(type="applied", request="click", status=status)
        self.kernel.urge(type="hello", client=self.client, version="0")  # one message after the other
        self.kernel.until_told("welcome")

    def until_noticed(self, panel: dict[str, Any], words: str) -> None:
        """Wait until a panel says that; it may be said a moment after the cell's end."""
        self.kernel.until_panel(panel, lambda state: words in (state["notice"] or {"text": ""})["text"])

    def end(self) -> Any:
        self._path.touch()
        return self.kernel.finish(self.request)


def _expected(state: dict[str, Any]) -> list[str]:
    return [edit["expected"] for fix in state["fixes"] for edit in fix["edits"]]


def _is_settled(state: dict[str, Any]) -> bool:
    return bool(state["fixes"]) and not state["working"]


@pytest.fixture
def busy(kernel: Kernel, tmp_path: Path) -> Busy:
    return Busy(kernel, tmp_path)


def test_it_is_told_while_the_cell_runs_and_its_fix_runs_in_place_of_the_line(busy: Busy) -> None:
    busy.kernel.run("epochs, seen = 3, []")
    busy.run("seen.append(1)\ntotal = epcohs + 1\nseen.append(total)\ntotal")
    panel = busy.panel()
    assert panel["error"] == "Line 5 will fail: NameError: name 'epcohs' is not defined"
    answer = busy.accept(panel)
    assert [edit["source"] for edit in answer["edits"]] == [busy.source.replace("epcohs", "epochs")]
    assert answer["run"] == ""
    busy.applied()
    ran = busy.end()
    assert ran.status == "ok"
    assert [c["data"]["text/plain"] for c in ran.contents("execute_result")] == ["4"]
    busy.until_noticed(panel, "ended without an error")
    assert busy.kernel.value("seen") == [1, 4]
    assert "epochs + 1" in busy.kernel.value(f"In[{ran.reply['execution_count']}]")
    history = str(busy.kernel.run("%reflex history").contents("display_data"))
    assert "Line 5 will fail" in history
    assert "accepted" in history


def test_a_second_click_on_what_was_accepted_is_told_so(busy: Busy) -> None:
    busy.kernel.run("epochs = 3")
    busy.run("total = epcohs")
    panel = busy.panel()
    busy.accept(panel)
    busy.applied()
    again = busy.accept(panel)
    assert again["type"] == "declined"
    assert "this fix was accepted before" in again["reason"]
    assert busy.end().status == "ok"


def test_an_import_that_the_fix_puts_above_what_has_begun_runs_next(busy: Busy) -> None:
    busy.run("text = 'a'\nprint(json.dumps(text))\n1 / 0")
    busy.accept(busy.panel())
    busy.applied()
    ran = busy.end()
    assert ran.text == '"a"\n'
    error = ran.contents("error")[0]
    assert error["ename"] == "ZeroDivisionError"
    assert "line 6" in "".join(error["traceback"])  # of what runs: what has begun keeps its lines
    panel = ran.shown[-1]
    assert panel["error"].startswith("ZeroDivisionError")
    assert panel["cell"]["id"] == "a"


def test_what_the_mended_cell_did_is_taken_back_whole(busy: Busy) -> None:
    busy.kernel.run("epochs, seen = 3, []")
    busy.run("seen.append(1)\nseen.append(epcohs)")
    busy.accept(busy.panel())
    busy.applied()
    busy.end()
    assert busy.kernel.value("seen") == [1, 3]
    busy.run("seen.append(1)\nseen.append(epcohs)\nseen.append(1 / 0)")
    busy.accept(busy.panel())
    busy.applied()
    assert busy.end().status == "error"
    assert busy.kernel.run("%reflex back").text.strip().endswith("is taken back: state restored exactly.")
    assert busy.kernel.value("seen") == [1, 3]


def test_a_cell_whose_text_was_changed_meanwhile_is_left_alone_and_said_so(busy: Busy) -> None:
    busy.kernel.run("epochs = 3")
    busy.run("print(epcohs)")
    panel = busy.panel()
    busy.accept(panel)
    busy.applied("source-changed")
    busy.until_noticed(panel, "the cell has changed since")
    assert busy.end().status == "error"


@pytest.mark.parametrize("how", ["failed", "interrupted"])
def test_a_cell_that_has_ended_before_its_page_had_rewritten_it_is_said_to_have(busy: Busy, how: str) -> None:
    busy.kernel.run("epochs = 3")
    busy.run("print(epcohs)")
    panel = busy.panel()
    busy.accept(panel)
    if how == "interrupted":
        busy.kernel.manager.interrupt_kernel()
        busy.kernel.finish(busy.request)
    else:
        busy.end()
    busy.applied()
    assert busy.kernel.told[panel["repair"]]["phase"] == "superseded"
    busy.until_noticed(panel, "its run had ended by then")


def test_a_fix_of_what_has_begun_is_declined(busy: Busy) -> None:
    busy.kernel.run("epochs = 3")
    busy.run("print(epcohs)")
    panel = busy.panel()
    answer = busy.accept(panel, sources=[busy.source.replace("time.sleep(0.01)", "time.sleep(0)")])
    assert "has begun to run" in answer["reason"]
    assert busy.end().status == "error"


def test_what_fails_as_foreseen_has_a_panel_of_its_own_and_the_first_one_goes(busy: Busy) -> None:
    busy.kernel.run("epochs = 3")
    busy.run("print(epcohs)")
    ahead = busy.panel()
    ran = busy.end()
    assert ran.status == "error"
    assert ran.shown[-1]["repair"] != ahead["repair"]
    state = busy.kernel.told[ahead["repair"]]
    assert (state["phase"], state["notice"]["text"]) == ("superseded", "The cell has failed: see the panel below.")
    updates = [each for each in ran.contents("update_display_data") if ahead["repair"] in str(each["transient"])]
    assert updates[-1]["data"] == {"text/html": "", "text/plain": ""}


def test_a_file_that_is_not_there_is_told_of_with_the_one_that_is_meant(busy: Busy, tmp_path: Path) -> None:
    busy.kernel.run(f"import os\nos.chdir({str(tmp_path)!r})\ndel os")
    (tmp_path / "sales.csv").write_text("a\n1\n")
    os.mkfifo(tmp_path / "waits")
    busy.source = "open('waits').read()\ntext = open('sals.csv').read()\ntext"
    busy.request = busy.kernel.send(busy.source, "a")
    panel = busy.panel()
    assert panel["error"] == "Line 2 will fail: FileNotFoundError: [Errno 2] No such file or directory: 'sals.csv'"
    busy.accept(panel)
    busy.applied()
    (tmp_path / "waits").write_text("go on")
    ran = busy.kernel.finish(busy.request)
    assert ran.status == "ok"
    assert [c["data"]["text/plain"] for c in ran.contents("execute_result")] == ["'a\\n1\\n'"]


def test_in_a_kernel_that_nobody_can_reach_while_a_cell_runs_nothing_is_foreseen(plain_kernel: Kernel) -> None:
    load = """
kernel = get_ipython().kernel
thread, handlers = kernel.control_thread, kernel.control_handlers
kernel.control_thread = None
del kernel.control_handlers
%load_ext reflex_ipython
kernel.control_thread, kernel.control_handlers = thread, handlers
del thread, handlers"""
    assert plain_kernel.run(load).status == "ok"
    assert plain_kernel.value("'reflex_request' in kernel.control_handlers") is False
    plain_kernel.hello()
    assert plain_kernel.run("import time\nepochs = 3").status == "ok"
    ran = plain_kernel.run("time.sleep(1)\nprint(epcohs)")
    assert ran.status == "error"
    assert [shown["error"] for shown in ran.shown] == ["NameError: name 'epcohs' is not defined"]  # once it has failed


def test_nothing_is_looked_at_where_it_is_switched_off_or_nobody_looks(kernel: Kernel) -> None:
    will_look = "str(get_ipython().reflex_extension._look_ahead._called != float('inf'))"
    kernel.run("from reflex_ipython.ipython import look_ahead\nlook_ahead.FIRST = 600.0")  # no cell here takes so long
    kernel.run("import threading\nthreads = threading.active_count()")
    assert kernel.value(will_look) == "False"  # no page
    kernel.hello()
    kernel.run("%config Reflex.look_ahead = False")
    kernel.run("a = 1\nb = 2")
    assert kernel.value(will_look) == "False"
    kernel.run("%config Reflex.look_ahead = True")
    kernel.run(f"a = {will_look}\nb = 2")
    assert kernel.value("a") == "True"
    assert kernel.value("threading.active_count() - threads") == 0
