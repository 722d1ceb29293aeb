"""An accepted cell goes on where it failed: what was counted, waited for and plotted is not done again."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook

START = """\
%load_ext reflex_ipython
%matplotlib inline
import time
import matplotlib.pyplot as plt
counter, slow_runs, total = 0, [], 1"""
FAILING = """\
counter += 1
time.sleep(2); slow_runs.append(time.monotonic())
plt.plot([1, 3, 2])
plt.show()
print(toatl)"""
PLOTS = """index => window.jupyterapp.shell.currentWidget.content.widgets[index].model.outputs.toJSON()
  .filter(output => output.data?.['image/png']).map(output => output.data['image/png'])"""


def test_counter_slow_step_and_plot_are_as_the_first_run_left_them(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, FAILING])
    notebook.run(0)
    panel = notebook.fail(1)
    expect(panel.locator(".rx-verdict")).to_contain_text("resumes at line 5")
    notebook.shot("state-failed")
    plots, slow_runs = notebook.page.evaluate(PLOTS, 1), notebook.value("slow_runs")
    notebook.accept(1)
    notebook.until_printed(1, "1\n")
    note = notebook.panel(1).locator(".rx-verdict")
    expect(note).to_contain_text("Resumed at line 5 · state restored")
    notebook.shot("state-kept")
    assert notebook.source(1) == FAILING.replace("toatl", "total")
    assert notebook.value("counter") == "1"
    assert notebook.value("slow_runs") == slow_runs
    assert len(plots) == 1
    assert notebook.page.evaluate(PLOTS, 1) == plots
    expect(notebook.cell(1).locator(".jp-OutputArea img")).to_be_visible()
