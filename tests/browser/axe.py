"""axe: what it finds wrong with a panel for people who use it by keyboard, by ear, or with poor eyes."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator

_SCRIPT = Path(__file__).parents[2] / "labextension" / "node_modules" / "axe-core" / "axe.min.js"
_RUN = """async panel => (await window.axe.run(panel)).violations.map(
  ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(node => `${node.html} ${node.failureSummary}`).join(' | ')}`
)"""


def violations(panel: Locator) -> list[str]:
    """All rules of axe that the panel breaks, with the elements that do.

    Parameters
    ----------
    panel : Locator
        One element.

    Returns
    -------
    list of str
    """
    page = panel.page
    if not page.evaluate("() => 'axe' in window"):
        # JupyterLab's `define` would have it for a module of its own.
        page.evaluate(f"() => {{ const define = undefined; {_SCRIPT.read_text()} }}")
    return panel.evaluate(_RUN)
