"""A notebook as it looks in each theme and each width, while it stays open: as a user has it who switches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType

from tests.browser.notebook import NotebookPage

THEMES = MappingProxyType(
    {"light": "JupyterLab Light", "dark": "JupyterLab Dark", "contrast": "JupyterLab Dark High Contrast"}
)
SWITCH = """async theme => {
  await window.jupyterapp.commands.execute('apputils:change-theme', { theme });
  while (document.body.dataset.jpThemeName !== theme) {
    await new Promise(requestAnimationFrame);
  }
  const ending = document.getAnimations().filter(each => each.effect.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(each => each.finished));
}"""


def looks(
    notebook: NotebookPage, widths: Sequence[int], height: int, themes: Sequence[str] = tuple(THEMES)
) -> Iterator[str]:
    """Show the notebook in each theme and width, and at the end as at the beginning.

    Parameters
    ----------
    notebook : NotebookPage
    widths : sequence of int
        Of the window, in CSS pixels; as is its `height`.
    height : int
    themes : sequence of str
        Some of `THEMES`, the first being the one that it has.

    Yields
    ------
    str
        The look, for the name of a picture.
    """
    for theme in themes:
        if theme != themes[0]:
            notebook.page.evaluate(SWITCH, THEMES[theme])
        for width in widths:
            notebook.resize(width, height)
            yield f"{theme}-{width}"
    if len(themes) > 1:
        notebook.page.evaluate(SWITCH, THEMES[themes[0]])
    notebook.resize(widths[0], height)
