"""What will fail is told while the cell runs, and the cell goes on with the fix that was accepted meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook

START = "%load_ext reflex_ipython\n%config Reflex.look_ahead = True\nepochs, steps = 3, []"
LOOP = """import os, time
for step in range(60_000):
    steps.append(step)
    time.sleep(0.01)
    if os.path.exists({path!r}):
        break
print("trained", epcohs, "epochs")
total = epcohs * 2
total"""


@pytest.mark.parametrize("kind", ["lab", "lab-dark"])
def test_a_typo_behind_a_loop_is_told_and_mended_while_that_runs(
    open_notebook: OpenNotebook, tmp_path: Path, kind: str
) -> None:
    go = tmp_path / "go"
    notebook = open_notebook([START, LOOP.format(path=str(go))], kind)
    notebook.run(0)
    notebook.run(1, wait=False)
    panel = notebook.panel(1)
    expect(panel).to_contain_text("Line 7 will fail: NameError: name 'epcohs' is not defined")
    button = panel.get_by_role("button", name="Change the running cell")
    expect(button).to_be_visible()
    notebook.shot(f"look-ahead-{kind}")
    button.click()
    expect(notebook.cell(1).locator(".jp-InputArea-editor")).to_contain_text('print("trained", epochs')
    expect(panel).to_contain_text("the running cell goes on with it")
    notebook.shot(f"look-ahead-mended-{kind}")
    go.touch()
    notebook.until_run(1)
    notebook.until_printed(1, "trained 3 epochs")
    expect(panel).to_contain_text("it went on with it, and ended without an error")
    expect(notebook.cell(1).locator(".rx-panel")).to_have_count(1)
    assert notebook.value("total") == "6"
    notebook.shot(f"look-ahead-ended-{kind}")


HOLDS = """import ctypes, os, time
pipe, full = os.open({pipe!r}, os.O_RDWR), b"x" * 10_000_000
while not os.path.exists({path!r}):
    time.sleep(0.01)
ctypes.PyDLL(None).write(pipe, full, len(full))
total = epcohs * 2"""
"""Who reads from the pipe knows that the call is under way, which waits for the rest to be read."""


def test_where_the_kernel_lets_nothing_else_run_the_panel_says_what_can_be_done(
    open_notebook: OpenNotebook, tmp_path: Path
) -> None:
    """A call that keeps the interpreter to itself: neither a subshell nor the control channel is read."""
    go, pipe = tmp_path / "go", tmp_path / "pipe"
    os.mkfifo(pipe)
    notebook = open_notebook([START, HOLDS.format(path=str(go), pipe=str(pipe))])
    notebook.run(0)
    notebook.run(1, wait=False)
    panel = notebook.panel(1)
    button = panel.get_by_role("button", name="Change the running cell")
    expect(button).to_be_visible()
    go.touch()
    with open(pipe, "rb", buffering=0) as written:
        written.read(1)
    button.click()
    expect(panel).to_contain_text("Wait, and the cell is changed as soon as that is over")
    expect(panel).to_contain_text("or interrupt the cell")
    notebook.shot("look-ahead-unanswered-lab")
    notebook.command("notebook:interrupt-kernel")
    notebook.until_run(1)
    expect(panel).not_to_contain_text("The kernel doesn't answer")


def test_a_cell_that_was_changed_by_hand_meanwhile_is_left_alone(open_notebook: OpenNotebook, tmp_path: Path) -> None:
    go = tmp_path / "go"
    notebook = open_notebook([START, LOOP.format(path=str(go))])
    notebook.run(0)
    notebook.run(1, wait=False)
    panel = notebook.panel(1)
    expect(panel.get_by_role("button", name="Change the running cell")).to_be_visible()
    notebook.rewrite(1, "print('mine')")
    expect(panel).to_contain_text("has changed since")
    go.touch()
    notebook.until_run(1)
    assert notebook.source(1) == "print('mine')"
