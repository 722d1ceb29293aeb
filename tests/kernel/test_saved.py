"""What a real kernel's panels leave in a notebook's file, and what an export shows of it."""

from __future__ import annotations

import json
import re

import nbformat
import pytest
from nbconvert import HTMLExporter

from tests.kernel.driver import Kernel

MOST = 4_000
SECRET = "only-the-trial-has-printed-this"
FAILS = "print('only-the-trial', 'has-printed-this', sep='-')\nresult = toatl\n'only-the-trial' + '-has-printed-this'"


def of_lines(count: int) -> str:
    return "\n".join([*(f"name_{number} = 'some text' * {number % 3}" for number in range(count - 1)), "print(toatl)"])


def saved(kernel: Kernel, cell: str) -> dict:
    """The bundle of a cell's panel as it is saved once nobody is at work on it; the page has the labextension."""
    kernel.run("%config Reflex.search_time = 60.0\ntotal = 3")
    kernel.hello()
    panel = kernel.settled(kernel.run(cell, "a"))
    assert panel["fixes"]
    return kernel.saved[panel["repair"]]


def as_notebook(cell: str, *bundles: dict) -> nbformat.NotebookNode:
    outputs = [nbformat.v4.new_output("display_data", data=bundle) for bundle in bundles]
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell, id="a", outputs=outputs)])


@pytest.mark.parametrize("lines", [1, 200, 2_000])
def test_a_panel_adds_little_to_the_file(kernel: Kernel, lines: int) -> None:
    cell = of_lines(lines)
    bundle = saved(kernel, cell)
    added = len(nbformat.writes(as_notebook(cell, bundle))) - len(nbformat.writes(as_notebook(cell)))
    assert added <= MOST
    assert "+ print(<strong>total</strong>)" in bundle["text/html"]


def test_what_a_trial_has_printed_is_seen_and_not_saved(kernel: Kernel) -> None:
    bundle = saved(kernel, FAILS)
    [state] = [state for state in kernel.told.values() if state["fixes"]]
    assert SECRET in json.dumps(state["fixes"][0]["preview"]), "what is live shows it"
    assert SECRET not in json.dumps(bundle)


def test_an_export_shows_the_diff_and_what_happened_and_nothing_to_type(kernel: Kernel) -> None:
    cell = of_lines(200)
    page, _ = HTMLExporter().from_notebook_node(as_notebook(cell, saved(kernel, cell)))
    output = page[page.index("Reflex — ") :]
    bare = re.sub(r"<(style|script)\b.*?</\1>| style=\"[^\"]*\"", "", output, flags=re.DOTALL)  # as GitHub strips them
    shown = re.search(r"<pre>(.*?)</pre>", bare, re.DOTALL)
    assert shown, "a fixed-width font"
    lines = re.sub(r"<[^>]+>", "", shown[1]).split("\n")
    assert [line for line in lines if line[:1] in "+-"][:2] == ["- print(toatl)", "+ print(total)"]
    assert "… 197 unchanged lines" in lines
    assert "ran in a copy of the kernel" in bare
    assert "%reflex" not in bare
