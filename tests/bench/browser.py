"""How long a click on Accept & run takes to show, in JupyterLab and a real Chromium."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.bench.figures import heading, ratio, row
from tests.browser.chromium import new_window, started_chromium
from tests.browser.notebook import NotebookPage
from tests.browser.server import Server

# Milliseconds from an action until its output is painted: the first task after the frame with it.
MEASURE = """([action, text]) => new Promise(resolve => {
  const cell = window.jupyterapp.shell.currentWidget.content.widgets[1];
  const shown = () => [...cell.node.querySelectorAll('.jp-OutputArea-output pre')]
    .some(output => output.textContent.trim() === text);
  const observer = new MutationObserver(() => {
    if (shown()) {
      observer.disconnect();
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now() - start);
      requestAnimationFrame(() => port2.postMessage(null));
    }
  });
  observer.observe(cell.node, { childList: true, subtree: true, characterData: true });
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
            notebook = NotebookPage(new_window(browser).new_page(), server, Path(folder))
            notebook.open(["%load_ext reflex_ipython\ntotal = 1", ""], "bench.ipynb")
            notebook.run(0)
            accepted, plain = _measure(notebook, rounds)
        finally:
            server.close()
    heading("From the action to the new output on the screen, in JupyterLab (by turns)")
    row("a cell run by hand", plain)
    row("Accept & run, the first", accepted[:1])
    row("Accept & run, warm", accepted[1:], "≤ 100 ms")
    ratio("Accept & run / by hand", accepted[1:], plain)


def _measure(notebook: NotebookPage, rounds: int) -> tuple[list[float], list[float]]:
    """Seconds of both, a pair each round."""
    accepted, plain = [], []
    for number in range(rounds + 1):
        notebook.rewrite(1, f"print(toatl, {number})")
        panel = notebook.fail(1)
        panel.locator(".rx-verdict").wait_for()
        panel.locator(".rx-progress").wait_for(state="hidden")
        accepted.append(notebook.page.evaluate(MEASURE, ["accept", f"1 {number}"]) / 1e3)
        notebook.rewrite(1, f"print('by hand', {number})")
        notebook.select(1)
        plain.append(notebook.page.evaluate(MEASURE, ["run", f"by hand {number}"]) / 1e3)
    return accepted, plain


if __name__ == "__main__":
    main()
