"""A scripted model over a real socket: its text is seen as it comes; it can be stopped, told more, and it can fail."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from reflex_ipython.testing import Refuse, Reply, Say, ScriptedServer, Silent
from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import FIXED, MISSPELT, PATIENCE, START, NotebookPage, asking

UNKNOWN = "answer = nothing_like_it()\nfirst = 1\nsecond = 2\nthird = 3\nprint(answer)"
ANSWER = "answer = total + 41\nfirst = 1\nsecond = 2\nthird = 3\nprint('the answer is', answer)"
REPLY = f"It needs a value.\n```python\n{ANSWER}\n```\n"

Opened = Callable[..., tuple[NotebookPage, ScriptedServer]]


@pytest.fixture
def opened(open_notebook: OpenNotebook) -> Iterator[Opened]:
    """Opens a notebook that asks a server with this script; its second cell is `cell`."""
    servers: list[ScriptedServer] = []

    def open_it(
        cell: str, *script: Reply, kind: str = "lab", alone: bool = False
    ) -> tuple[NotebookPage, ScriptedServer]:
        server = ScriptedServer(*script)
        servers.append(server.__enter__())
        notebook = open_notebook([asking(server), cell], kind, alone=alone)
        notebook.run(0)
        return notebook, server

    yield open_it
    for server in servers:
        server.close()


@pytest.mark.parametrize("kind", ["lab", "lab-without"])
def test_what_the_model_writes_is_seen_while_it_writes_and_can_be_cancelled(opened: Opened, kind: str) -> None:
    notebook, server = opened(UNKNOWN, Say(["Let me ", "think …"], ending="silent"), Say([REPLY]), kind=kind)
    notebook.run(1)
    panel = notebook.panel(1)
    expect(panel.locator(".rx-who")).to_have_text("asking scripted")
    expect(panel.locator(".rx-written")).to_have_text("Let me think …")
    notebook.shot(f"streaming-{kind}")
    notebook.button(1, "Cancel").click()
    expect(panel.locator(".rx-progress")).to_be_hidden()
    assert server.hung_up.wait(PATIENCE / 1e3)
    notebook.shot(f"cancelled-{kind}")
    panel.get_by_label("A hint for the model").fill("it is 42")
    notebook.button(1, "Ask scripted").click()
    expect(panel.locator(".rx-explanation")).to_have_text("It needs a value.")
    expect(panel.locator(".rx-origin")).to_have_text(re.compile(r"scripted · (under )?[\d.]+ s"))
    assert "it is 42" in str(server.chats[1].json)
    notebook.shot(f"answered-{kind}")


def test_asking_with_a_hint_adds_a_second_fix_to_be_paged_to(opened: Opened) -> None:
    notebook, server = opened(MISSPELT, Say(["Perhaps so.\n```python\nbefore = 1\nprint('paged')\n```"]))
    panel = notebook.fail(1)
    expect(panel.locator(".rx-origin")).to_have_text("rule: closest name")
    expect(panel.locator(".rx-pager")).to_be_hidden()
    hint = panel.get_by_label("A hint for the model")
    hint.fill("print something else")
    hint.press("Enter")
    expect(panel.locator(".rx-count")).to_have_text("2 of 2")
    expect(panel.locator(".rx-explanation")).to_have_text("Perhaps so.")
    expect(panel.locator(".rx-origin")).to_contain_text("scripted")
    notebook.shot("two-fixes")
    panel.get_by_role("button", name="Previous fix").click()
    expect(panel.locator(".rx-origin")).to_have_text("rule: closest name")
    panel.get_by_role("button", name="Next fix").click()
    notebook.accept(1)
    assert notebook.source(1) == "before = 1\nprint('paged')"
    assert len(server.chats) == 1


def test_the_fix_that_was_accepted_is_the_one_that_is_shown_after_a_reload(opened: Opened) -> None:
    answer = Say(["Perhaps so.\n```python\nbefore = 1\nprint('paged')\n```"])
    notebook, _ = opened(MISSPELT, answer, alone=True)
    panel = notebook.fail(1)
    notebook.button(1, "Ask scripted").click()
    expect(panel.locator(".rx-count")).to_have_text("2 of 2")
    notebook.accept_without_running(1)
    expect(panel.locator(".rx-verdict")).to_contain_text("Accepted; the cell was rewritten, not run.")
    notebook.save()
    notebook.page.reload()
    notebook.ready()
    expect(panel.locator(".rx-verdict")).to_contain_text("Accepted; the cell was rewritten, not run.")
    expect(panel.locator(".rx-origin")).to_contain_text("scripted")


def test_a_change_that_is_left_out_is_not_applied(opened: Opened) -> None:
    notebook, _ = opened(UNKNOWN, Say([REPLY]))
    panel = notebook.fail(1)
    expect(panel.locator(".rx-leave")).to_have_count(2)
    notebook.shot("two-hunks")
    panel.locator(".rx-leave").last.click()
    notebook.accept(1)
    assert notebook.source(1) == ANSWER.replace("'the answer is', ", "")
    assert notebook.text(1) == "42\n"


def test_a_change_that_is_left_out_of_the_widget_is_not_run(opened: Opened) -> None:
    notebook, _ = opened(UNKNOWN, Say([REPLY]), kind="lab-without")
    panel = notebook.fail(1)
    checks = panel.get_by_role("checkbox", name="take this change")
    expect(checks).to_have_count(2)
    checks.last.uncheck()
    for key in ["d", "d"]:
        checks.last.press(key)
    assert notebook.cells() == 2
    notebook.shot("two-hunks-widget")
    notebook.button(1, "Accept & run").click()
    notebook.until_printed(1, "42\n")


def test_old_and_new_can_be_shown_side_by_side(opened: Opened) -> None:
    notebook, _ = opened(UNKNOWN, Say([REPLY]))
    panel = notebook.fail(1)
    notebook.button(1, "Side by side").click()
    expect(panel.locator(".cm-merge-a")).to_contain_text("nothing_like_it()")
    expect(panel.locator(".cm-merge-b")).to_contain_text("answer = total + 41")
    notebook.shot("side-by-side")
    panel.get_by_role("button", name="Leave this change out").last.click()
    notebook.button(1, "Side by side").click()
    notebook.accept(1)
    assert notebook.source(1) == ANSWER.replace("'the answer is', ", "")


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Refuse(401, "Incorrect API key provided.", code="invalid_api_key"), "key"),
        (Refuse(404, "The model does not exist.", code="model_not_found"), "scripted"),
        (Refuse(503, "Overloaded.", type="server_error"), "can't answer just now: Overloaded."),
    ],
    ids=["401", "404", "503"],
)
def test_what_goes_wrong_at_the_server_is_said_in_words(opened: Opened, reply: Refuse, words: str) -> None:
    notebook, _ = opened(UNKNOWN, *[reply] * 5)
    panel = notebook.fail(1)
    expect(panel.locator(".rx-verdict")).to_contain_text(words)
    expect(notebook.button(1, "Ask scripted")).to_be_enabled()
    notebook.shot(f"model-error-{reply.status}")


def test_a_rules_fix_stays_usable_while_the_model_is_asked(opened: Opened) -> None:
    notebook, _ = opened(MISSPELT, Silent())
    panel = notebook.fail(1)
    notebook.button(1, "Ask scripted").click()
    expect(panel.locator(".rx-who")).to_have_text("asking scripted")
    notebook.shot("fix-and-asking")
    notebook.accept(1)
    assert notebook.source(1) == FIXED
    assert notebook.text(1) == "1\n"


@pytest.mark.parametrize("kind", ["lab", "lab-without"])
def test_one_click_allows_another_machine_and_asks_it(open_notebook: OpenNotebook, kind: str) -> None:
    with ScriptedServer(Say([REPLY])) as server:  # another machine's by its name: what would go there comes here
        notebook = open_notebook(
            [
                f"{START}\nimport os\n"
                f"os.environ['HTTP_PROXY'] = 'http://127.0.0.1:{server.port}'\n"
                "os.environ.update(NO_PROXY='', no_proxy='', MY_KEY='k')\n"
                "%config Reflex.attempts = 1\n"
                "%reflex model large --base-url http://models.example/v1 --key-variable MY_KEY",
                UNKNOWN,
            ],
            kind,
        )
        notebook.run(0)
        panel = notebook.fail(1)
        expect(panel.locator(".rx-verdict")).to_contain_text("Nothing has been sent. large is at models.example")
        notebook.shot(f"consent-{kind}", 1)
        assert not server.requests
        notebook.button(1, "Allow http://models.example and ask large").click()
        expect(panel.locator(".rx-explanation")).to_have_text("It needs a value.")
        expect(notebook.button(1, "Ask large")).to_be_visible()
        assert len(server.chats) == 1
