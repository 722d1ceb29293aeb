"""Words become code: a scripted model writes it, a copy of the kernel runs it, Accept puts it in the words' place."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from reflex_ipython.testing import Reply, Say, ScriptedServer
from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import NotebookPage, asking

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "03_words_to_code.ipynb"
SALES = "sales = [('north', 3), ('south', 4), ('north', 5)]"
WORDS = "sum the sales by region"
WRONG_CODE = "totals = {}\nfor place, amount in sales:\n    totals[place] += amount\ntotals"
WRONG = f"Reason: adds them up.\n```python\n{WRONG_CODE}\n```"
GOOD_CODE = "totals = {}\nfor place, amount in sales:\n    totals[place] = totals.get(place, 0) + amount\ntotals"
GOOD = f"Reason: adds up the amounts of each region.\n```python\n{GOOD_CODE}\n```"
YES = "yes: it adds up the amounts of each region"

Opened = Callable[..., tuple[NotebookPage, ScriptedServer]]


@pytest.fixture
def opened(open_notebook: OpenNotebook) -> Iterator[Opened]:
    """Opens a notebook that asks a server with this script; its second cell is `cell`."""
    servers: list[ScriptedServer] = []

    def open_it(cell: str, *script: Reply, kind: str = "lab") -> tuple[NotebookPage, ScriptedServer]:
        server = ScriptedServer(*script)
        servers.append(server.__enter__())
        notebook = open_notebook([f"{asking(server)}\n{SALES}", cell], kind)
        notebook.run(0)
        return notebook, server

    yield open_it
    for server in servers:
        server.close()


def test_words_become_code_that_was_tried_and_accept_puts_it_in_their_place(opened: Opened) -> None:
    notebook, server = opened(f"%%reflex {WORDS}", Say([WRONG]), Say([GOOD], ending="silent"), Say([YES]))
    notebook.run(1)
    panel = notebook.panel(1)
    expect(panel.locator(".rx-attempts li")).to_contain_text(["raises KeyError on line 4: 'north'"])
    notebook.shot("request-attempt")
    server.release()
    expect(panel.locator(".rx-attempts li")).to_have_count(2)
    expect(panel.locator(".rx-progress")).to_be_hidden()
    expect(panel.locator(".rx-verdict")).to_contain_text("ran in a copy of your kernel")
    expect(panel).to_contain_text("does what you asked for, says scripted: it adds up the amounts of each region")
    assert notebook.value("'totals' in globals()") == "False", "nothing ran in the user's kernel"
    notebook.shot("request-ready")
    notebook.accept(1)
    assert notebook.source(1) == f"# {WORDS}\n{GOOD_CODE}"
    assert notebook.value("totals") == "{'north': 8, 'south': 4}"
    notebook.shot("request-accepted")
    told = ast.literal_eval(notebook.value("__import__('dataclasses').asdict(reflex.last)"))
    assert [one["success"] for one in told["attempts"]] == [False, True]
    assert told["attempts"][0]["error"] == "KeyError: 'north' (line 4)"
    assert told["success"]
    assert told["final"] == f"# {WORDS}\n{GOOD_CODE}"
    asked = server.chats[0].json["messages"][1]["content"]
    assert "sales: list" in asked
    assert WORDS in asked
    panel.get_by_role("button", name="Undo").click()
    notebook.until_source(1, f"%%reflex {WORDS}")
    expect(panel).to_contain_text("state restored exactly")
    assert notebook.value("'totals' in globals()") == "False"
    notebook.shot("request-undone")


def test_without_a_model_the_line_says_what_to_choose(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(["%load_ext reflex_ipython", f"%%reflex\n{WORDS}"])
    notebook.run(0)
    notebook.run(1)
    said = "".join(str(output.get("traceback", "")) for output in notebook.outputs(1))
    assert "No model is chosen, so nobody can write this code. `%reflex model NAME` chooses one" in said
    notebook.shot("request-no-model")


def test_the_notebook_turns_words_into_code_with_its_own_model(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(NOTEBOOK)
    for index in (1, 2):
        notebook.run(index)
    for index, first in ((4, "raises KeyError"), (6, "runs, but does not do what you asked for")):
        notebook.run(index)
        panel = notebook.panel(index)
        expect(panel.locator(".rx-attempts li")).to_contain_text([first, "ran in a copy of your kernel"])
        expect(panel.locator(".rx-progress")).to_be_hidden()
        notebook.shot(f"words-{index}")
        notebook.accept(index)
    assert notebook.source(4).startswith("# which region grew most from 2024 to 2025?\nwide = ")
    assert ".mean()" in notebook.source(6)
    for index in (8, 10):
        notebook.run(index)
    notebook.until_printed(10, "[4, 7, 9]")
    assert "success after 2 attempts" in notebook.text(8)
    assert "success after 1 attempt" in notebook.text(10)
    notebook.shot("words-end")
