"""The states that a panel can be in: a cell that fails, and what brings its panel there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from playwright.sync_api import expect

from reflex_ipython.testing import Say
from tests.browser.notebook import MISSPELT, START, NotebookPage

Bring = Callable[[NotebookPage, int], None]

PREPARED = f"""\
{START}
number = 12
import sys, types
from IPython.core.magic import register_line_magic
register_line_magic("pip")(lambda line: print("nothing is installed here"))
"""
UNKNOWN = "nothing_like_it()"
DANGEROUS = "Old files are in the way.\n```python\nimport shutil\nshutil.rmtree('old')\nvalue = total\n```"
TWO = "print(toatl)\nsame = 1\nalso = 2\nprint(toatl, same)"
REPLY = f"Both are misspelt.\n```python\n{TWO.replace('toatl', 'total')}\n```"
SILENT = Say(["The name `nothing_like_it` is ", "not defined in any cell that has run, so"], ending="silent")


@dataclass(frozen=True)
class State:
    """A cell that fails, and how its panel gets into a state.

    Parameters
    ----------
    source : str
        The cell.
    bring : callable
        Takes the notebook and the cell's number once the cell has failed.
    says : tuple of Say
        What a model answers to it; empty where none is asked.
    """

    source: str
    bring: Bring = lambda notebook, index: None
    says: tuple[Say, ...] = ()


def _edited(notebook: NotebookPage, index: int) -> None:
    notebook.button(index, "Edit").click()
    notebook.page.keyboard.press("Control+End")
    notebook.page.keyboard.type("\nafter = 2")
    expect(notebook.panel(index).locator(".rx-verdict")).to_contain_text("ran in a copy")


def _left_out(notebook: NotebookPage, index: int) -> None:
    notebook.button(index, "Ask scripted").click()
    notebook.panel(index).locator(".rx-leave").last.click()
    expect(notebook.panel(index).locator(".rx-verdict")).to_contain_text("raises")


def _accepted(notebook: NotebookPage, index: int) -> None:
    notebook.accept(index)
    expect(notebook.panel(index).locator(".rx-verdict")).to_contain_text("Resumed")


def _undone(notebook: NotebookPage, index: int) -> None:
    _accepted(notebook, index)
    notebook.button(index, "Undo").click()
    expect(notebook.panel(index)).to_have_attribute("data-phase", "ready")


def _rejected(notebook: NotebookPage, index: int) -> None:
    notebook.button(index, "Reject").click()
    expect(notebook.panel(index)).to_have_attribute("data-phase", "rejected")


def _mended(notebook: NotebookPage, index: int) -> None:
    notebook.rewrite(index, "before = 1\nprint(total + 1)")
    expect(notebook.panel(index).locator(".rx-mended")).to_be_visible()


def _click(name: str) -> Bring:
    return lambda notebook, index: notebook.button(index, name).click()


def _unfold(notebook: NotebookPage, index: int) -> None:
    notebook.panel(index).locator(".rx-preview > summary").click()


STATES: Mapping[str, State] = MappingProxyType(
    {
        "proven": State(MISSPELT),
        "tried": State("for name in ['one', 'two']:\n    print(name, toatl)\nlast = name", _unfold),
        "choice": State("total = 0\nfor digit in number:\n    total += int(digit)\ntotal"),
        "expected": State("print(toatl)  # raises a NameError"),
        "no fix": State("first = 1\nbananas = 1 / 0"),
        "model form": State("first = 1\nbananas = 1 / 0", _click("Choose a model…")),
        "repeats something": State("open('once.txt', 'a').write('x')\nprint(open('twice.txt', 'a').write('x'), toatl)"),
        "edited": State(MISSPELT, _edited),
        "side by side": State(MISSPELT, _click("Side by side")),
        "accepted": State(MISSPELT, _accepted),
        "not run": State(MISSPELT, lambda notebook, index: notebook.accept_without_running(index)),
        "undone": State(MISSPELT, _undone),
        "rejected": State(MISSPELT, _rejected),
        "mended": State(MISSPELT, _mended),
        "cells first": State("print(sum(orders))"),
        "package": State("import haversine\nprint(haversine)"),
        "two cells": State("print(double(total))"),
        "dangerous": State(f"value = {UNKNOWN}", says=(Say([DANGEROUS]),)),
        "left out": State(TWO, _left_out, (Say([REPLY]),)),
        "raises": State(f"other = {UNKNOWN}", says=(Say(["It has to be there.\n```python\nother = 1 / 0\n```"]),)),
        "needs": State(
            f"more = {UNKNOWN}", says=(Say(["Needs: `nothing_like_it` is defined in no cell that has run."]),)
        ),
        "writing": State(f"most = {UNKNOWN}", says=(SILENT,)),
    }
)
"""By their names. Those of a model come last: it is chosen before the first of them."""

NOT_RUN = "orders = [1, 2, 3]"
DEFINES = "def double(number):\n    return nubmer * 2"
"""Cells that stand before the others: one that is not run, and one that is."""
