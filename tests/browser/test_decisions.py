"""The panel's buttons in JupyterLab with the labextension: what each does to the notebook, and what it leaves alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import FIXED, MISSPELT, START
from tests.browser.timers import TYPED, held


def test_accept_and_run_rewrites_the_cell_and_runs_it_once(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    panel = notebook.fail(1)
    expect(panel.locator(".rx-explanation")).to_have_text("The name toatl is not defined; the closest is total.")
    notebook.accept(1)
    assert notebook.source(1) == FIXED
    assert notebook.text(1) == "1\n"
    assert notebook.executions() == 3
    assert notebook.cells() == 2


REFUSE = """\
from reflex_ipython.errors import BadInput
decisions = get_ipython().reflex_extension.assembly.session.decisions
accept = decisions.accept
def refuse(*args, **how):
    raise BadInput("Not applied: somebody does not want it.")
decisions.accept = refuse"""


def test_a_cell_that_the_kernel_refuses_to_run_gets_its_text_and_its_panel_back(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT, REFUSE, "decisions.accept = accept"])
    notebook.run(0)
    notebook.fail(1)
    notebook.run(2)
    notebook.accept(1)
    notebook.until_source(1, MISSPELT)
    notebook.until_printed(1, "Not applied: somebody does not want it.")
    expect(notebook.panel(1)).to_be_visible()
    notebook.shot("refused-by-the-kernel")
    notebook.run(3)
    notebook.accept(1)
    assert notebook.source(1) == FIXED
    assert notebook.text(1) == "1\n"


def test_accept_alone_rewrites_the_cell_and_does_not_run_it(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.accept_without_running(1)
    notebook.until_source(1, FIXED)
    expect(panel.locator(".rx-verdict")).to_contain_text("Accepted; the cell was rewritten, not run.")
    assert notebook.executions() == 2
    expect(notebook.button(1, "Accept & run")).to_be_hidden()
    notebook.shot("accepted-not-run")
    notebook.run(1)
    assert notebook.text(1) == "1\n"


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("toatl", "total"),
        ("'😀😁' + toatl  # 😀", "'😀😁' + total  # 😀"),
        ("toatl\n'😁'\n", "total\n'😁'\n"),
        ("faces['a wide smile 😁 like this']", "faces['a wide smile 😀 like this']"),  # halves of both are the same
    ],
    ids=["a name", "between emoji", "above emoji", "an emoji"],
)
def test_only_what_the_fix_changes_is_written_and_the_cursor_stays(
    open_notebook: OpenNotebook, wrong: str, right: str
) -> None:
    notebook = open_notebook(
        [f"{START}\ntotal = '1'\nfaces = {{'a wide smile 😀 like this': 1}}", f"# 😀 é first\nprint(1)\n{wrong}"]
    )
    before = notebook.source(1)
    notebook.run(0)
    notebook.fail(1)
    widgets = "window.jupyterapp.shell.currentWidget.content.widgets[1].editor"
    notebook.page.evaluate(f"{widgets}.setCursorPosition({{ line: 1, column: 3 }})")
    notebook.accept(1)
    assert notebook.source(1) == before.replace(wrong, right)
    assert notebook.page.evaluate(f"{widgets}.getCursorPosition()") == {"line": 1, "column": 3}


PHASES = """() => {
  const send = WebSocket.prototype.send;
  const panel = document.querySelector('.rx-panel[data-phase]'); // what takes its output away leaves it as it was drawn
  window.phases = [];
  WebSocket.prototype.send = function (data) {
    window.phases.push(panel.dataset.phase);
    return send.call(this, data);
  };
}"""


def test_a_click_sends_its_cell_before_anything_is_drawn(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    notebook.fail(1)
    notebook.page.evaluate(PHASES)
    notebook.accept(1)
    assert notebook.page.evaluate("() => window.phases[0]") == "ready"


def test_ctrl_z_brings_the_old_text_back(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    notebook.fail(1)
    notebook.accept(1)
    assert notebook.source(1) == FIXED
    notebook.cell(1).locator(".jp-InputArea .cm-content").click()
    notebook.page.keyboard.press("Control+z")
    assert notebook.source(1) == MISSPELT
    notebook.page.keyboard.press("Control+Shift+z")
    assert notebook.source(1) == FIXED


def test_reject_leaves_the_cell_alone_and_says_so(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.button(1, "Reject").click()
    expect(panel.locator(".rx-verdict")).to_contain_text("Rejected. The cell is as it was.")
    expect(notebook.button(1, "Accept & run")).to_be_hidden()
    assert notebook.source(1) == MISSPELT
    assert notebook.executions() == 2
    notebook.shot("rejected")


def test_an_edited_fix_is_what_is_applied(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    panel = notebook.fail(1)
    with held(notebook.page, TYPED):
        notebook.button(1, "Edit").click()
        notebook.page.keyboard.press("Control+End")
        notebook.page.keyboard.type("\nprint('typed')")
        expect(panel.locator(".rx-verdict")).to_contain_text("not tried: you have changed this fix")
        notebook.shot("editing")
        notebook.accept(1)
    assert notebook.source(1) == f"{FIXED}\nprint('typed')"
    assert notebook.text(1) == "1\ntyped\n"


def test_discarding_edits_brings_the_proposal_back(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    notebook.fail(1)
    notebook.button(1, "Edit").click()
    notebook.page.keyboard.press("Control+a")
    notebook.page.keyboard.type("print('gone')")
    notebook.button(1, "Discard edits").click()
    notebook.accept(1)
    assert notebook.source(1) == FIXED


def test_a_cell_changed_meanwhile_is_not_overwritten_until_its_text_is_back(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.rewrite(1, "something = 'else'")
    expect(panel.locator(".rx-mended")).to_contain_text("To accept the fix above instead, undo your change.")
    expect(notebook.button(1, "Accept & run")).to_be_hidden()
    expect(notebook.button(1, "Other ways to accept")).to_be_hidden()
    notebook.page.keyboard.press("Alt+Shift+A")
    assert notebook.source(1) == "something = 'else'"
    notebook.shot("changed-meanwhile")
    notebook.rewrite(1, MISSPELT)
    expect(notebook.button(1, "Accept & run")).to_be_enabled()
    notebook.accept(1)
    assert notebook.text(1) == "1\n"


def test_a_read_only_cell_is_not_rewritten(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.content.widgets[1].model.setMetadata('editable', false)"
    )
    notebook.run(0)
    panel = notebook.fail(1)
    expect(panel.locator(".rx-notices")).to_contain_text("The cell can't be edited")
    expect(notebook.button(1, "Accept & run")).to_be_disabled()
    expect(notebook.button(1, "Other ways to accept")).to_be_hidden()
    notebook.shot("read-only")
    assert notebook.source(1) == MISSPELT


def test_a_cell_deleted_meanwhile_stays_deleted(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT, "%reflex accept"])
    notebook.run(0)
    notebook.fail(1)
    notebook.select(1)
    notebook.command("notebook:delete-cell")
    notebook.page.wait_for_function("() => window.jupyterapp.shell.currentWidget.content.widgets.length === 2")
    notebook.run(1)
    assert notebook.cells() == 2
    assert notebook.executions() == 3  # with the command itself
    expect(notebook.cell(1)).to_contain_text("Not applied: the cell is no longer in the notebook.")
    notebook.shot("deleted-meanwhile")


ENDING = """() => Object.defineProperty(
  window.jupyterapp.shell.currentWidget.sessionContext, 'isTerminating', { get: () => true, configurable: true }
)"""


def test_a_cell_that_the_page_can_not_send_gets_its_text_and_its_panel_back(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.page.evaluate(ENDING)
    panel.get_by_role("button", name="Accept & run").click()
    notebook.page.get_by_role("dialog").get_by_role("button", name="Ok").click()
    expect(panel).to_contain_text("Not applied: no kernel answers.")
    notebook.until_source(1, MISSPELT)
    notebook.page.evaluate("() => delete window.jupyterapp.shell.currentWidget.sessionContext.isTerminating")
    notebook.accept(1)
    assert notebook.text(1) == "1\n"


SENT = """() => {
  window.sent = [];
  const { kernel } = window.jupyterapp.shell.currentWidget.sessionContext.session;
  kernel.anyMessage.connect((_, { msg, direction }) => direction === 'send' && window.sent.push(msg.header.msg_type));
}"""
# As an extension does that runs cells by the server: the kernel's connection is not asked, and it takes a while.
ANOTHER_WAY = """() => {
  const { kernel } = window.jupyterapp.shell.currentWidget.sessionContext.session;
  const { requestExecute, _sendMessage } = kernel;
  Object.defineProperty(kernel, 'requestExecute', { get: () => requestExecute, set: () => undefined });
  kernel._sendMessage = (message, ...more) => {
    const send = () => _sendMessage.call(kernel, message, ...more);
    return message.header.msg_type === 'execute_request' ? setTimeout(send) : send();
  };
}"""
ONCE = "rows.append(1)\nprint(toatl)"


@pytest.mark.parametrize("another_way", [False, True])
def test_a_click_goes_with_the_cell_or_in_front_of_it(open_notebook: OpenNotebook, another_way: bool) -> None:
    notebook = open_notebook([f"{START}\nrows = []", ONCE])
    notebook.run(0)
    notebook.fail(1)
    if another_way:
        notebook.page.evaluate(ANOTHER_WAY)
    notebook.page.evaluate(SENT)
    notebook.ready()  # of a busy kernel the page asks first
    notebook.accept(1)
    assert (notebook.text(1), notebook.value("rows")) == ("1\n", "[1]")
    expect(notebook.panel(1)).to_contain_text("Resumed at line 2")
    assert ("reflex_request" in notebook.page.evaluate("() => window.sent")) is another_way


OTHER_RUNS = """() => {
  const { kernel } = window.jupyterapp.shell.currentWidget.sessionContext.session;
  return kernel.requestExecute({ code: 'other = 1' }).done;
}"""


@pytest.mark.parametrize("key", [False, True], ids=["pointer", "space"])
def test_a_click_counts_though_the_panel_is_drawn_anew_before_the_button_is_let_go(
    open_notebook: OpenNotebook, key: bool
) -> None:
    notebook = open_notebook([START, MISSPELT], "lab-without")
    notebook.run(0)
    panel = notebook.fail(1)
    button, before = notebook.button(1, "Accept & run"), notebook.button(1, "Accept & run").element_handle()
    if key:
        button.focus()
        notebook.page.keyboard.down(" ")
    else:
        button.hover()
        notebook.page.mouse.down()
    notebook.page.evaluate(OTHER_RUNS)
    expect(panel).to_contain_text("another cell has run since")
    assert not before.evaluate("button => button.isConnected"), "it was not drawn anew: there is nothing to see here"
    if key:
        expect(button).to_be_focused()  # as it was
        notebook.page.keyboard.up(" ")
    else:
        button.hover()  # the line above it may have grown
        notebook.page.mouse.up()
    expect(panel).to_contain_text("Ran, no error")


SHIFT = "panel => { panel.style.paddingTop = '120px'; }"


@pytest.mark.parametrize("front_end", ["lab", "lab-without"])
def test_a_click_counts_though_the_button_has_moved_before_it_is_let_go(
    open_notebook: OpenNotebook, front_end: str
) -> None:
    """A cell that has just run may add a line above it."""
    notebook = open_notebook([START, MISSPELT], front_end)
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.button(1, "Accept & run").hover()
    notebook.page.mouse.down()
    panel.evaluate(SHIFT)
    notebook.page.mouse.up()
    expect(panel).to_contain_text("Resumed at line 2")


def test_a_press_that_has_become_a_scroll_is_no_click(open_notebook: OpenNotebook) -> None:
    """Whatever is let go of later where the button was."""
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.button(1, "Accept & run").hover()
    notebook.page.mouse.down()
    panel.evaluate(SHIFT)
    notebook.page.evaluate("() => document.dispatchEvent(new PointerEvent('pointercancel'))")
    notebook.page.mouse.up()
    notebook.button(1, "Reject").click()
    expect(panel).to_have_attribute("data-phase", "rejected")
    assert notebook.executions() == 2


def test_whoever_moves_the_pointer_off_a_pressed_button_has_not_clicked(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT])
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.button(1, "Accept & run").hover()
    notebook.page.mouse.down()
    panel.locator(".rx-verdict").hover()
    notebook.page.mouse.up()
    notebook.button(1, "Reject").click()
    expect(panel).to_have_attribute("data-phase", "rejected")
    assert notebook.executions() == 2
