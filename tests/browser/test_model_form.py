"""Choosing a model in the panel: what runs here is found, tested and used; by mouse, and by the keyboard alone."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from reflex_ipython.testing import Raw, Refuse, Reply, Say, ScriptedServer, Silent
from tests.browser.conftest import OpenNotebook
from tests.browser.looks import looks
from tests.browser.notebook import PATIENCE, START, NotebookPage
from tests.browser.test_looks import misfits
from tests.browser.test_next_steps import unnamed

OLLAMA = {"/api/version": Raw('{"version": "0.9"}', "application/json")}
HOSTILE = "<img src=x onerror=alert(1)>"
UNKNOWN = "answer = nothing_like_it()"
REPLY = "It needs a value.\n```python\nanswer = total + 41\n```\n"
CHOSEN = "get_ipython().reflex_extension.config.model"


def beside(server: ScriptedServer | None) -> str:
    """The first cell: the scripted server is all that is found on this machine, however long it takes to answer."""
    found = f"servers.PORTS['Ollama'] = {server.port}" if server else "None"
    return f"""\
{START}
from reflex_ipython.propose import servers
servers.PORTS.clear()
{found}
servers.find_local_servers.__defaults__ = (60.0, servers.PORTS)
servers.list_models.__defaults__ = (60.0,)"""


def opened(
    open_notebook: OpenNotebook, server: ScriptedServer | None, kind: str = "lab", width: int = 1440
) -> tuple[NotebookPage, Locator]:
    """A notebook whose second cell has failed, with the form open, and its panel."""
    notebook = open_notebook([beside(server), UNKNOWN], kind, width=width)
    notebook.resize(width, 1000)
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.button(1, "Choose a model…").click()
    expect(form(panel)).to_be_visible()
    return notebook, panel


def form(panel: Locator) -> Locator:
    return panel.get_by_role("form", name="Choose a model")


def field(panel: Locator, name: str) -> Locator:
    return panel.get_by_label(name, exact=True)


def said(panel: Locator) -> Locator:
    """The line with what came of a test or of the choice."""
    return panel.locator(".rx-model-said").last


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(Say(["ready"]), Say([REPLY]), models=("tiny", HOSTILE), routes=OLLAMA) as started:
        yield started


@pytest.mark.parametrize("kind", ["lab", "lab-without"])
def test_a_model_that_runs_here_is_found_tested_used_and_asked(
    open_notebook: OpenNotebook, server: ScriptedServer, kind: str
) -> None:
    notebook, panel = opened(open_notebook, server, kind)
    expect(field(panel, "Model")).to_have_value("tiny")
    expect(field(panel, "Address")).to_have_value(server.base_url)
    expect(form(panel)).to_contain_text("OPENAI_API_KEY is not sent to a server on this machine.")
    expect(field(panel, "Available").locator("option")).to_have_text(["another model", "tiny", HOSTILE])
    assert not server.chats
    notebook.button(1, "Test").click()
    expect(said(panel)).to_have_text(
        re.compile(rf"tiny at {re.escape(server.base_url)} answered in \d+\.\d s\."), use_inner_text=True
    )
    assert "nothing_like_it" not in str(server.chats[0].json)
    assert notebook.value(CHOSEN) == "None"
    notebook.button(1, "Use").click()
    expect(form(panel)).to_be_hidden()
    expect(notebook.button(1, "Ask tiny")).to_be_focused()
    expect(said(panel)).to_contain_text(f"In this kernel, tiny at {server.base_url} is asked when no rule fits.")
    notebook.shot(f"model-form-{kind}-used", 1)
    notebook.page.keyboard.press("Enter")
    expect(panel.locator(".rx-explanation")).to_have_text("It needs a value.")
    expect(said(panel)).to_be_hidden()
    assert len(server.chats) == 2


@pytest.mark.parametrize("kind", ["lab", "lab-without"])
def test_all_of_it_can_be_done_by_the_keyboard_alone(
    open_notebook: OpenNotebook, server: ScriptedServer, kind: str
) -> None:
    notebook, panel = opened(open_notebook, server, kind)
    keyboard = notebook.page.keyboard
    expect(field(panel, "Model")).to_be_focused()
    expect(field(panel, "Model")).to_have_value("tiny")
    keyboard.press("Escape")
    expect(form(panel)).to_be_hidden()
    opener = notebook.button(1, "Choose a model…")
    expect(opener).to_be_focused()
    assert opener.get_attribute("aria-expanded") == "false"
    keyboard.press("Enter")
    expect(field(panel, "Model")).to_have_value("tiny")
    order = []
    for _ in range(5):
        keyboard.press("Tab")
        order.append(notebook.page.evaluate("() => document.activeElement.textContent || document.activeElement.value"))
    assert order == [server.base_url, "OPENAI_API_KEY", "Use", "Test", "Cancel"]
    keyboard.press("Shift+Tab")
    keyboard.press("Space")
    expect(said(panel)).to_contain_text("answered in")
    expect(notebook.button(1, "Test")).to_be_focused()
    field(panel, "Model").focus()
    keyboard.press("Control+a")
    keyboard.type("dd large")  # in command mode, Lab would delete the cell
    keyboard.press("Enter")
    expect(notebook.button(1, "Ask dd large")).to_be_focused()
    assert notebook.value(CHOSEN) == "'dd large'"
    assert notebook.cells() == 2


def test_what_is_wrong_is_said_and_nothing_is_chosen(open_notebook: OpenNotebook) -> None:
    slow = threading.Event()

    def answer(asked: Mapping[str, Any]) -> Reply:
        if asked["model"] == "slow":
            slow.set()
            return Silent()
        return Refuse(404, "model 'tiny' not found")

    with ScriptedServer(answer=answer, models=("a", "b"), routes=OLLAMA) as server:
        notebook, panel = opened(open_notebook, server)
        expect(field(panel, "Model")).to_have_value("a")
        field(panel, "Model").fill("tiny")
        notebook.button(1, "Test").click()
        expect(said(panel)).to_contain_text("has no model tiny. It has: a, b.")
        notebook.shot("model-form-no-such-model", 1)
        field(panel, "Model").fill("slow")
        notebook.button(1, "Test").click()
        assert slow.wait(PATIENCE / 1e3)
        expect(said(panel)).to_contain_text("Asking slow…")
        notebook.button(1, "Stop the test").click()
        assert server.hung_up.wait(PATIENCE / 1e3)
        expect(said(panel)).to_contain_text("The test was stopped.")
        field(panel, "Address").fill("https://models.example/v1")
        expect(form(panel)).to_contain_text("What is asked is sent to models.example.")
        field(panel, "Key variable").fill("MY_KEY")
        expect(form(panel)).to_contain_text("MY_KEY is not set in the kernel's environment.")
        notebook.button(1, "Test").click()
        expect(said(panel)).to_contain_text("MY_KEY is not set in the kernel's environment.")
        notebook.shot("model-form-no-key", 1)
        field(panel, "Key variable").fill("sk-abcdefghij0123456789abcdefghij")
        field(panel, "Key variable").press("Enter")
        expect(said(panel)).to_contain_text("The key itself does not go here.")
        field(panel, "Model").fill("")
        expect(notebook.button(1, "Use")).to_be_disabled()
        expect(notebook.button(1, "Test")).to_be_disabled()
        assert notebook.value(CHOSEN) == "None"


def test_a_choice_in_one_panel_is_told_to_the_others_and_a_key_does_not_go_to_another_server(
    open_notebook: OpenNotebook, server: ScriptedServer
) -> None:
    notebook = open_notebook([beside(server), UNKNOWN, "another_one()"], width=1440)
    notebook.run(0)
    notebook.fail(1)
    other = notebook.fail(2)
    for index in (1, 2):
        notebook.button(index, "Choose a model…").click()
    panel = notebook.panel(1)
    expect(field(panel, "Model")).to_have_value("tiny")
    field(panel, "Address").fill("https://models.example/v1")
    field(panel, "Key variable").fill("MY_KEY")
    field(panel, "Available").select_option("tiny")
    expect(field(panel, "Address")).to_have_value(server.base_url)
    expect(field(panel, "Key variable")).to_have_value("OPENAI_API_KEY")
    field(panel, "Address").fill("https://models.example/v1")
    notebook.button(1, "Use").click()
    expect(said(panel)).to_contain_text("What is asked is sent to models.example.")
    notebook.shot("model-form-used-elsewhere", 1)
    expect(form(other)).to_be_hidden()
    expect(notebook.button(2, "Allow models.example and ask tiny")).to_be_visible()


@pytest.mark.parametrize("known", [True, False])
def test_a_saved_panel_offers_the_form_if_the_history_knows_its_repair(
    open_notebook: OpenNotebook, server: ScriptedServer, known: bool
) -> None:
    forgets = "" if known else "\n%config Reflex.history = False"
    notebook = open_notebook([beside(server) + forgets, UNKNOWN, "another_one()"], alone=True)
    notebook.run(0)
    panel = notebook.fail(1)
    expect(notebook.button(1, "Choose a model…")).to_be_visible()
    notebook.save()
    notebook.page.evaluate("() => window.jupyterapp.serviceManager.sessions.shutdownAll()")
    notebook.page.reload()
    notebook.ready()
    notebook.run(0)
    notebook.fail(2)
    expect(notebook.button(2, "Choose a model…")).to_be_visible()  # the new kernel has spoken
    expect(panel).to_be_visible()
    expect(panel.locator(".rx-choose-model:visible")).to_have_count(1 if known else 0)
    expect(form(panel)).to_be_hidden()


@pytest.mark.parametrize("kind", ["lab", "lab-without", "notebook"])
def test_the_form_is_in_the_panel_legible_and_named(
    open_notebook: OpenNotebook, server: ScriptedServer, kind: str
) -> None:
    notebook = open_notebook([beside(server), UNKNOWN], kind)
    notebook.run(0)
    panel = notebook.fail(1)
    notebook.button(1, "Choose a model…").click()
    expect(field(panel, "Model")).to_have_value("tiny")
    expect(form(panel)).to_contain_text("OPENAI_API_KEY is not sent to a server on this machine.")
    notebook.button(1, "Test").click()
    expect(said(panel)).to_contain_text("answered in")
    assert unnamed(panel) == []
    for look in looks(notebook, (1440, 420), 1000):
        assert misfits(panel) == [], look
        notebook.shot(f"model-form-{kind}-{look}", 1)
    field(panel, "Address").fill("https://models.example/v1/a-rather-long-path-that-does-not-fit-into-its-field")
    expect(form(panel)).to_contain_text("What is asked is sent to models.example.")
    notebook.button(1, "Test").click()
    expect(said(panel)).to_contain_text("is not set")
    for look in looks(notebook, (1440, 420), 1000):
        assert misfits(panel) == [], look
        notebook.shot(f"model-form-{kind}-elsewhere-{look}", 1)


def test_where_nothing_runs_here_that_is_said(open_notebook: OpenNotebook) -> None:
    notebook, panel = opened(open_notebook, None, width=420)
    expect(form(panel)).to_contain_text("No model server was found on this machine")
    expect(field(panel, "Address")).to_have_value("https://api.openai.com/v1")
    expect(form(panel)).to_contain_text("OPENAI_API_KEY is not set in the kernel's environment.")
    assert misfits(panel) == []
    notebook.shot("model-form-none-found", 1)
