"""How the panel looks: light and dark, wide and narrow. The pictures are for people; programs check the measurable."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from reflex_ipython.testing import Say, ScriptedServer
from tests.browser.conftest import OpenNotebook
from tests.browser.looks import looks
from tests.browser.notebook import MISSPELT, NotebookPage, asking
from tests.browser.test_two_cells import CALL, PROVIDER, WRONG

LONG = "fractions = {name: part / sum(parts.values()) for name, part in sorted(parts.items()) if name not in ignored}"
FAILING = f"parts, ignored = {{'one': 1, 'two': 2}}, set()\n{LONG}\nprint(fractoins)"
REPLY = (
    "`fractoins` is misspelt; rounded, the fractions are easier to read. "
    "A long reason that takes more than one line shows how the panel breaks its lines where it is narrow.\n"
    f"```python\n{FAILING.replace('fractoins', 'fractions').replace('part / sum', 'round(part) / sum')}\n```"
)

# What is wider than the panel, or whose text is hardly there. The contrast is WCAG's: 4.5 is what it asks of text, 7 of
# text that must be read whatever the eyes are like, as the letters that have changed. A line that has
# changed is told from the others by 1.1 at least, besides its sign. Where contrast is asked for, all code has 7, and
# what has changed has an edge.
MISFITS = """panel => {
  const NAMED = 'button, input, summary, li, .rx-line, .rx-explanation, .rx-origin, .rx-label, .rx-repeats, '
    + '.rx-printed, .rx-figure';
  const CODE = '.cm-line, .cm-deletedLine, .rx-text';
  const CHANGED = '.cm-changedText, .cm-deletedText, .rx-changed';
  const LINE = '.cm-changedLine, .cm-deletedChunk, .rx-old, .rx-new';
  const box = panel.getBoundingClientRect();
  const shown = [...panel.querySelectorAll(NAMED)]
    .filter(each => each.checkVisibility());
  const outside = shown.filter(each => {
    const { left, right } = each.getBoundingClientRect();
    return left < box.left - 1 || right > box.right + 1;
  });
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = color => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const back = node => {
    const color = rgb(getComputedStyle(node).backgroundColor);
    return color[3] === 255 || !node.parentElement ? color : back(node.parentElement);
  };
  const light = color => color.slice(0, 3)
    .map(part => part / 255).map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const between = (one, two) => {
    const [some, other] = [light(one), light(two)];
    return (Math.max(some, other) + 0.05) / (Math.min(some, other) + 0.05);
  };
  const contrast = node => between(rgb(getComputedStyle(node).color), back(node));
  const leaves = [...panel.querySelectorAll(CODE)].filter(line => line.checkVisibility())
    .flatMap(line => [line, ...line.querySelectorAll('span, del, ins')])
    .filter(each => [...each.childNodes].some(child => child.nodeType === 3 && child.data.trim()));
  const said = shown.filter(each => each.textContent && !each.disabled);
  const { body } = document;
  const most = /High Contrast/.test(body.dataset.jpThemeName) || body.classList.contains('vscode-high-contrast');
  const strong = each => each.closest(CHANGED) || (most && each.closest(CODE));
  const wanted = each => strong(each) && !each.matches('.rx-hidden') ? 7 : 4.5;
  const faint = [...said, ...leaves].filter(each => contrast(each) < wanted(each));
  const lines = [...panel.querySelectorAll(LINE)].filter(each => each.checkVisibility());
  const merged = lines.filter(each => between(back(each), back(panel)) < 1.1);
  const marks = [...panel.querySelectorAll(CHANGED)].filter(each => each.checkVisibility());
  const edgeless = marks.filter(each => (rgb(getComputedStyle(each).outlineColor)[3] === 255) !== most);
  return {
    edgeless: edgeless.map(each => each.textContent),
    outside: outside.map(each => each.textContent || each.className),
    faint: faint.map(each => `${each.textContent} ${contrast(each).toFixed(1)} (${each.className})`),
    merged: merged.map(each => `${each.textContent} ${between(back(each), back(panel)).toFixed(2)}`)
  };
}"""


def misfits(panel: Locator) -> list[str]:
    """What is not in the panel, or hard to read."""
    found = panel.evaluate(MISFITS)
    return [f"{kind}: {name}" for kind, names in found.items() for name in names]


def look_at(notebook: NotebookPage, index: int, name: str) -> None:
    """All of the cell's panel is in it and legible, in every theme and width."""
    for look in looks(notebook, (1200, 480), 1500):
        assert misfits(notebook.panel(index)) == [], look
        notebook.shot(f"looks-{name}-{look}", index)


@pytest.mark.parametrize("kind", ["lab", "lab-without"])
def test_everything_is_in_the_panel_and_legible(open_notebook: OpenNotebook, kind: str) -> None:
    with ScriptedServer(Say([REPLY])) as server:
        notebook = open_notebook([asking(server), FAILING], kind)
        notebook.run(0)
        panel = notebook.fail(1)
        expect(panel.locator(".rx-progress")).to_be_hidden()
        look_at(notebook, 1, f"{kind}-proposal")
        notebook.button(1, "Ask scripted").click()
        expect(panel.locator(".rx-count")).to_have_text("2 of 2")
        expect(panel.locator(".rx-progress")).to_be_hidden()
        look_at(notebook, 1, f"{kind}-answer")
        notebook.button(1, "Side by side").click()
        look_at(notebook, 1, f"{kind}-split")
        notebook.button(1, "Edit").click()
        look_at(notebook, 1, f"{kind}-edit")
        notebook.button(1, "Reject").click()
        expect(panel).to_have_attribute("data-phase", "rejected")
        look_at(notebook, 1, f"{kind}-rejected")


PLOTS = """\
%matplotlib inline
import matplotlib.pyplot as plt
plt.figure(figsize=(4, 2)).add_subplot().plot([1])"""
SHOWS = """\
plt.figure(figsize=(4, 2)).add_subplot().plot([toatl, 3, 2])
for step in range(20):
    print(f"step {step}: a line that is wider than a narrow panel, so that it has to be scrolled to be read")"""
WRITES = """\
file = open("a_rather_long_name_of_a_file_that_does_not_break.csv", "a")
open("summary_of_all_regions_and_years.csv", "a").write(f"{toatl}")"""
DANGEROUS = "Old files are in the way.\n```python\nimport shutil\nshutil.rmtree('old')\nvalue = total\n```"
CELLS = {
    "tried": SHOWS,
    "run-options": WRITES,
    "dangerous": "value = nothing_like_it()",
    "try": f"%config Reflex.trial = 'on click'\n{MISSPELT}",
    "two-cells": CALL,
}


@pytest.mark.parametrize("kind", ["lab", "lab-without"])
def test_what_was_seen_and_what_is_asked_is_in_the_panel_and_legible(open_notebook: OpenNotebook, kind: str) -> None:
    with ScriptedServer(*[Say([DANGEROUS])] * 5) as server:
        notebook = open_notebook([f"{asking(server)}\n{PLOTS}", *CELLS.values(), WRONG, PROVIDER], kind)
        notebook.run(0)
        for index, name in enumerate(CELLS, start=1):
            if name == "two-cells":
                notebook.run(len(CELLS) + 1)
                notebook.run(len(CELLS) + 2)
            notebook.fail(index)
            unfold(notebook, index)
            look_at(notebook, index, f"{kind}-{name}")


def unfold(notebook: NotebookPage, index: int) -> None:
    """Open what was seen in the trial, if there was one."""
    fold = notebook.panel(index).locator(".rx-preview > summary")
    if fold.count():
        fold.click()
