"""JupyterLab with our labextension switched off: the same panel, as a widget, and the kernel runs the accepted fix."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import FIXED, MISSPELT, NotebookPage

START = """\
%load_ext reflex_ipython
%matplotlib inline
import asyncio, pathlib, time
import matplotlib.pyplot as plt
total = 1"""


@pytest.fixture
def opened(open_notebook: OpenNotebook) -> OpenNotebook:
    """Opens a notebook whose first cell has run."""

    def open_it(*cells: str) -> NotebookPage:
        notebook = open_notebook([START, *cells], "lab-without")
        assert not notebook.page.evaluate("() => window.jupyterapp.hasPlugin('reflex-ipython:plugin')")
        notebook.run(0)
        return notebook

    return open_it


ACCEPTED = """([index, before]) => {
  const outputs = window.jupyterapp.shell.currentWidget.content.widgets[index].model.outputs.toJSON();
  const record = outputs.at(-1)?.data?.['application/vnd.reflex-ipython.repair+json'];
  const errors = outputs.map(output => (output.traceback ?? []).join('')).join('');
  return record?.phase === 'accepted' && outputs.length > 1 && errors !== before;
}"""


def accept(notebook: NotebookPage, index: int) -> None:
    """Accept and wait for the record of it, which comes below the new output."""
    before = "".join("".join(output.get("traceback", [])) for output in notebook.outputs(index))
    notebook.button(index, "Accept & run").click()
    notebook.page.wait_for_function(ACCEPTED, arg=[index, before])
    expect(notebook.panel(index).last.locator(".rx-verdict")).to_contain_text(
        re.compile("Resumed|Ran, no error|raised")
    )


LOSES_THE_FIRST = """\
from reflex_ipython.ipython.widget import PanelWidget
heard, lost = PanelWidget._on_message, []
def loses_the_first(widget, sender, content, buffers):
    if content["type"] == "recall" and not lost:
        lost.append(content)
    else:
        heard(widget, sender, content, buffers)
PanelWidget._on_message = loses_the_first"""


def test_a_panel_whose_question_is_lost_asks_once_more(opened: OpenNotebook) -> None:
    notebook = opened(MISSPELT, LOSES_THE_FIRST)
    notebook.run(2)
    notebook.fail(1)
    assert notebook.value("len(lost)") == "1"
    accept(notebook, 1)


def test_accept_runs_the_fix_and_hands_its_source_over(opened: OpenNotebook) -> None:
    notebook = opened(MISSPELT)
    notebook.fail(1)
    expect(notebook.button(1, "Other ways to accept")).to_be_hidden()  # without running it would do nothing
    notebook.shot("without-failed")
    accept(notebook, 1)
    assert notebook.text(1) == "1\n"
    assert notebook.executions() == 3
    assert not [output for output in notebook.outputs(1) if output["output_type"] == "error"]
    assert notebook.source(1) == MISSPELT
    expect(notebook.panel(1)).to_contain_text("it still has its old text")
    notebook.shot("without-accepted")
    notebook.button(1, "Copy fixed source").click()
    expect(notebook.button(1, "Copied")).to_be_visible()
    assert notebook.page.evaluate("() => navigator.clipboard.readText()") == FIXED


FIXES = {
    "print('text'); total": ["stream", "execute_result"],
    "from IPython.display import HTML, display\ndisplay(HTML(f'<b>{total}</b>'))": ["display_data"],
    "plt.plot([total, 2])\nplt.show()": ["display_data"],
    "await asyncio.sleep(0.01)\nprint('awaited')\nplt.plot([total, 2])\nplt.show()": ["stream", "display_data"],
    "print('first')\ntotal / 0": ["stream", "error"],
}


def test_every_kind_of_output_of_the_fix_takes_the_place_of_the_failed_cells(opened: OpenNotebook) -> None:
    notebook = opened(*(fix.replace("total", "toatl") for fix in FIXES), "'the cell after'")
    last = len(FIXES) + 1
    notebook.run(last)
    for index, kinds in enumerate(FIXES.values(), start=1):
        notebook.fail(index)
        accept(notebook, index)
        outputs = [output for output in notebook.outputs(index) if "reflex" not in str(output.get("data"))]
        assert [output["output_type"] for output in outputs] == kinds
        notebook.shot(f"without-output-{index}")
    assert len(notebook.outputs(last)) == 1


@pytest.mark.parametrize("wait", ["time.sleep(0.01)", "await asyncio.sleep(0.01)"], ids=["blocking", "awaiting"])
def test_an_accepted_fix_can_be_interrupted(opened: OpenNotebook, wait: str) -> None:
    notebook = opened(f"print(toatl, 'began')\nwhile True:\n    {wait}")
    notebook.fail(1)
    notebook.button(1, "Accept & run").click()
    notebook.until_printed(1, "began")
    notebook.command("notebook:interrupt-kernel")
    expect(notebook.panel(1).last).to_have_attribute("data-phase", "accepted")
    assert notebook.value("6 * 7") == "42"
    notebook.shot(f"without-interrupted-{'await' in wait}")


def test_reject_leaves_everything_as_it_is(opened: OpenNotebook) -> None:
    notebook = opened(MISSPELT)
    notebook.fail(1)
    notebook.button(1, "Reject").click()
    expect(notebook.panel(1).locator(".rx-verdict")).to_contain_text("Rejected. The cell is as it was.")
    assert notebook.executions() == 2
    assert notebook.source(1) == MISSPELT


def test_an_edited_fix_is_what_runs(opened: OpenNotebook) -> None:
    notebook = opened(MISSPELT)
    notebook.fail(1)
    notebook.button(1, "Edit").click()
    notebook.page.keyboard.press("Control+End")
    notebook.page.keyboard.type("\nprint('typed')")
    notebook.shot("without-editing")
    accept(notebook, 1)
    assert notebook.text(1) == "1\ntyped\n"
    notebook.button(1, "Copy fixed source").click()
    expect(notebook.button(1, "Copied")).to_be_visible()
    assert notebook.page.evaluate("() => navigator.clipboard.readText()") == f"{FIXED}\nprint('typed')"


def test_after_a_reload_the_source_as_it_was_accepted_can_still_be_copied(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT], "lab-without", alone=True)
    notebook.run(0)
    notebook.fail(1)
    notebook.button(1, "Edit").click()
    notebook.page.keyboard.press("Control+End")
    notebook.page.keyboard.type("\nprint('typed')")
    accept(notebook, 1)
    notebook.save()
    notebook.page.reload()
    notebook.ready()
    expect(notebook.panel(1).locator(".rx-notices")).to_contain_text("it still has its old text")
    notebook.button(1, "Copy fixed source").click()
    expect(notebook.button(1, "Copied")).to_be_visible()
    assert notebook.page.evaluate("() => navigator.clipboard.readText()") == f"{FIXED}\nprint('typed')"


def test_reflex_accept_in_the_next_cell_becomes_the_fixed_cell(opened: OpenNotebook) -> None:
    notebook = opened(MISSPELT, "%reflex accept")
    notebook.fail(1)
    notebook.run(2)
    notebook.until_source(2, FIXED)
    assert notebook.text(2) == "1\n"
    expect(notebook.panel(1).locator(".rx-verdict")).to_contain_text("Resumed at line 2 · state restored")
    notebook.shot("without-reflex-accept")
