"""How soon a panel, its verdict and an accepted fix's output are on the screen, in JupyterLab and a real Chromium."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.bench.figures import heading, ratio, row
from tests.browser.chromium import new_window, started_chromium
from tests.browser.notebook import NotebookPage
from tests.browser.server import Server

PANDAS = "import pandas as pd\nsales = pd.DataFrame({'price': range(1000)})"
OURS = "%load_ext reflex_ipython\n"
PAUSE = 500
"""Milliseconds that pass before each action, as a person reads before a click. Who acts within 200 ms of the server's
last message measures something else: Linux then holds back what confirms the next one, by 40 ms.
"""
FAILS, MENDED = "int(sales['pirce'].sum()) + {}", "int(sales['price'].sum()) + {}"

# Milliseconds from an action until each thing that is wanted is painted: the first task after the frame with it.
MEASURE = """([action, wanted]) => new Promise(resolve => {
  const cell = window.jupyterapp.shell.currentWidget.content.widgets[1];
  const outputs = '.jp-OutputArea-output:not(.reflex-output) pre';
  const texts = () => [...cell.node.querySelectorAll(outputs)].map(output => output.textContent);
  const isThere = {
    output: text => texts().some(each => each.trim() === text),
    traceback: text => texts().some(each => each.includes(text)),
    panel: () => cell.node.querySelector('.rx-panel') !== null,
    verdict: text => cell.node.querySelector('.rx-verdict')?.textContent.includes(text) ?? false,
  };
  const found = new Set(), painted = {};
  const look = () => {
    for (const [name, text] of Object.entries(wanted)) {
      if (found.has(name) || !isThere[name](text)) continue;
      found.add(name);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        painted[name] = performance.now() - start;
        if (Object.keys(painted).length === Object.keys(wanted).length) {
          observer.disconnect();
          resolve(painted);
        }
      };
      requestAnimationFrame(() => port2.postMessage(null));
    }
  };
  const observer = new MutationObserver(look);
  observer.observe(cell.node, { childList: true, subtree: true, characterData: true, attributes: true });
  const button = cell.node.querySelector('.rx-accept-run');
  const start = performance.now();
  if (action === 'accept') button.click();
  else window.jupyterapp.commands.execute('notebook:run-cell');
})"""


def main(rounds: int = 20) -> None:
    """Print the figures of a browser."""
    with tempfile.TemporaryDirectory() as folder, started_chromium() as browser:
        server = Server(Path(folder) / "home", "jupyterlab")
        try:
            ours, plain = (NotebookPage(new_window(browser).new_page(), server, Path(folder)) for _ in range(2))
            ours.open([OURS + PANDAS, ""], "ours.ipynb")
            plain.open([PANDAS, ""], "plain.ipynb")
            ours.run(0)
            plain.run(0)
            seconds = _measure(ours, plain, rounds)
        finally:
            server.close()
    heading("From the action to what it gives on the screen, beside pandas, in JupyterLab (by turns)")
    row("a failing cell without us: the traceback", seconds["traceback without us"])
    row("with us: the traceback", seconds["traceback"])
    row("with us: the panel, after the traceback", seconds["panel"], "≤ 60 ms")
    row("with us: the verdict", seconds["verdict"], "≤ 250 ms")
    row("a mended cell run by hand, without us", seconds["by hand"])
    row("Accept & run", seconds["accepted"])
    ratio("the traceback / without us", seconds["traceback"], seconds["traceback without us"])
    ratio("the panel, after the traceback / that without us", seconds["panel"], seconds["traceback without us"])
    ratio("the verdict / the traceback without us", seconds["verdict"], seconds["traceback without us"])
    ratio("Accept & run / by hand, without us", seconds["accepted"], seconds["by hand"], "≤ 1.5")


def _measure(ours: NotebookPage, plain: NotebookPage, rounds: int) -> dict[str, list[float]]:
    """Seconds of each, one for each round."""
    seconds: dict[str, list[float]] = {}
    for number in range(rounds + 1):
        alone = _run(plain, FAILS, number, traceback="KeyError")
        beside = _run(ours, FAILS, number, traceback="KeyError", panel="", verdict="ran in a copy")
        ours.panel(1).locator(".rx-progress").wait_for(state="hidden")
        accepted = _painted(ours, "accept", output=_result(number))
        by_hand = _run_over(plain, MENDED, number, output=_result(number))  # as the fix does
        if number:  # the first loads what the others have
            figures = {
                "traceback without us": alone["traceback"],
                "traceback": beside["traceback"],
                "panel": beside["panel"] - beside["traceback"],
                "verdict": beside["verdict"],
                "accepted": accepted["output"],
                "by hand": by_hand["output"],
            }
            for name, figure in figures.items():
                seconds.setdefault(name, []).append(figure)
    return seconds


def _result(number: int) -> str:
    return str(sum(range(1000)) + number)


def _run(notebook: NotebookPage, source: str, number: int, **wanted: str) -> dict[str, float]:
    """Run a cell that shows nothing yet."""
    notebook.select(1)
    notebook.command("notebook:clear-cell-output")
    return _run_over(notebook, source, number, **wanted)


def _run_over(notebook: NotebookPage, source: str, number: int, **wanted: str) -> dict[str, float]:
    """Run a cell whose output is replaced, a traceback for example."""
    notebook.rewrite(1, source.format(number))
    notebook.select(1)
    return _painted(notebook, "run", **wanted)


def _painted(notebook: NotebookPage, action: str, **wanted: str) -> dict[str, float]:
    """Seconds until each of them is painted."""
    notebook.page.wait_for_timeout(PAUSE)
    found: dict[str, float] = notebook.page.evaluate(MEASURE, [action, wanted])
    return {name: milliseconds / 1e3 for name, milliseconds in found.items()}
