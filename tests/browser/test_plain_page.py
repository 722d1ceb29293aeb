"""The panel where there is no JupyterLab at all: the widget alone, as VS Code, Colab and Voilà have it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from reflex_ipython.testing import Say, ScriptedServer
from tests.browser.chromium import new_window
from tests.browser.conftest import FAILED, SHOTS
from tests.browser.notebook import FIXED, MISSPELT, START, asking
from tests.browser.plain_page import PlainPage
from tests.browser.server import Server
from tests.browser.test_looks import DANGEROUS, misfits
from tests.browser.test_two_cells import CALL, PROVIDER, WRONG
from tests.browser.themes import THEMES
from tests.browser.timers import VOUCHED, held

OpenPage = Callable[..., PlainPage]


@pytest.fixture
def open_page(
    servers: Callable[[str], Server], chromium: Browser, request: pytest.FixtureRequest
) -> Iterator[OpenPage]:
    """Opens a page with these cells."""
    opened: list[PlainPage] = []

    def open_it(*cells: str, width: int = 1000) -> PlainPage:
        page = PlainPage(new_window(chromium, width).new_page(), servers("plain"), SHOTS, THEMES["light"])
        opened.append(page)
        page.open(cells)
        return page

    yield open_it
    for page in opened:
        if request.node.stash.get(FAILED, False):
            page.shot(f"FAILED-{request.node.name[5:55]}")
        page.leave()
        page.page.context.close()
    assert not [problem for page in opened for problem in page.problems]


ASKED = "value = nothing_like_it()"
STATES = {
    "proven": MISSPELT,
    "choice": "total = 0\nfor digit in number:\n    total += int(digit)\ntotal",
    "expected": "print(toatl)  # raises a NameError",
    "no-fix": "first = 1\nbananas = 1 / 0",
    "run-options": "file = open('seen.csv', 'a')\nopen('seen.csv', 'a').write(f'{toatl}')",
    "dangerous": ASKED,
    "asking": ASKED,
}

STRANGE = """panel => {
  const own = getComputedStyle(panel);
  const page = getComputedStyle(document.body);
  const found = [];
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const isDark = color => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data.slice(0, 3).reduce((sum, part) => sum + part, 0) < 3 * 128;
  };
  const plain = page.backgroundColor === 'rgba(0, 0, 0, 0)';
  const around = plain ? matchMedia('(prefers-color-scheme: dark)').matches : isDark(page.backgroundColor);
  if (isDark(own.backgroundColor) !== around) found.push(`the panel is ${own.backgroundColor}`);
  for (const key of panel.querySelectorAll('kbd')) {
    if (getComputedStyle(key).borderStyle !== 'none') found.push('a key has a border');
  }
  return found;
}"""


def strange(panel: Locator) -> list[str]:
    """What is not as the page around it: its light or dark, or the page's rules in it."""
    return panel.evaluate(STRANGE)


def wrong(page: PlainPage, picture: str) -> dict[str, list[str]]:
    """What is hard to read or strange in any panel, in any theme; with a picture of each."""
    found = {}
    for name, theme in THEMES.items():
        page.show(theme)
        page.shot(f"page-{name}-{picture}")
        for index, state in enumerate(STATES, start=1):
            found[f"{name}, {state}"] = misfits(page.panel(index)) + strange(page.panel(index))
    return {where: problems for where, problems in found.items() if problems}


def test_every_state_is_in_the_panel_and_legible_in_every_theme(open_page: OpenPage) -> None:
    said = [Say([DANGEROUS]), Say(["Let me ", "think …"], ending="silent")]
    with ScriptedServer(*said) as server:
        once = f"{asking(server)}\n%config Reflex.attempts = 1"
        page = open_page(f"{START}\nnumber = 12", *STATES.values(), once)
        page.run(0)
        for index in range(1, 6):
            page.fail(index)
        expect(page.panel(2).locator("button.rx-alternative")).to_have_count(2)
        expect(page.panel(4).locator(".rx-by-hand")).to_contain_text("run %reflex edit in a new cell")
        expect(page.panel(5).locator(".rx-run-options")).to_be_visible()
        page.run(8)
        expect(page.fail(6).get_by_label("I have read it")).to_be_visible()
        page.run(7)
        expect(page.panel(7).locator(".rx-written")).to_have_text("Let me think …")
        assert wrong(page, "open") == {}
        page.button(7, "Cancel").click()
        page.button(1, "Accept & run").click()
        page.button(2, "None of these").click()
        page.button(3, "Expected to fail · Show").click()
        page.button(5, "Side by side").click()
        page.button(6, "Edit").click()
        expect(page.panel(2)).to_have_attribute("data-phase", "rejected")
        expect(page.panel(1)).to_have_attribute("data-phase", "accepted")
        expect(page.panel(7).locator(".rx-progress")).to_be_hidden()
        assert wrong(page, "decided") == {}


FRAMES = """() => {
  window.strange = [];
  window.phases = [];
  const look = () => {
    for (const panel of document.querySelectorAll('.rx-panel')) {
      if (!panel.checkVisibility({ visibilityProperty: true })) continue;
      const { borderTopStyle, backgroundColor } = getComputedStyle(panel);
      if (borderTopStyle === 'none' || backgroundColor === 'rgba(0, 0, 0, 0)') window.strange.push(panel.outerHTML);
      if (panel.dataset.phase !== window.phases.at(-1)) window.phases.push(panel.dataset.phase);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


def test_accept_runs_the_fix_and_no_frame_shows_a_panel_without_style_or_in_a_state_that_it_is_not_in(
    open_page: OpenPage,
) -> None:
    page = open_page(START, MISSPELT)
    page.page.evaluate(FRAMES)
    with held(page.page, VOUCHED):
        page.run(0)
        page.fail(1)
        expect(page.cell(1).locator(".error")).to_contain_text("NameError")
        page.button(1, "Accept & run").click()
        expect(page.printed(1)).to_have_text("1\n")
        panel = page.panel(1)
        expect(panel.locator(".rx-verdict")).to_contain_text("Resumed at line 2")
        expect(page.cell(1).locator(".error")).to_have_count(0)
        expect(panel).to_contain_text("it still has its old text")
        assert page.source(1) == MISSPELT
        page.page.wait_for_function("() => window.phases.at(-1) === 'accepted'")  # at the next frame
        assert page.page.evaluate("() => window.strange") == []
        assert "picture" not in page.page.evaluate("() => window.phases")


def test_reject_leaves_everything_as_it_is_and_the_keyboard_in_the_panel(open_page: OpenPage) -> None:
    page = open_page(START, MISSPELT)
    page.run(0)
    panel = page.fail(1)
    page.button(1, "Reject").press("Enter")
    expect(panel.locator(".rx-verdict")).to_contain_text("Rejected. The cell is as it was.")
    page.until_keyboard_in(1)
    assert page.source(1) == MISSPELT


def test_by_the_keyboard_alone_a_fix_is_edited_accepted_copied_and_undone(open_page: OpenPage) -> None:
    page = open_page(START, MISSPELT, "%reflex undo")
    page.run(0)
    page.fail(1)
    page.tab_to("Edit")
    page.page.keyboard.press("Enter")
    page.page.keyboard.press("Control+End")
    page.page.keyboard.type("\nafter = 2")
    page.page.keyboard.press("Control+Enter")
    expect(page.printed(1)).to_have_text("1\n")
    panel = page.panel(1)
    expect(panel.locator(".rx-verdict")).to_contain_text("Resumed at line 2")
    page.until_keyboard_in(1)
    page.tab_to("Copy fixed source")
    page.page.keyboard.press("Enter")
    expect(page.button(1, "Copied")).to_be_focused()
    assert page.page.evaluate("() => navigator.clipboard.readText()") == f"{FIXED}\nafter = 2"
    assert page.value("after") == "2"
    page.run(2)
    expect(panel).not_to_have_attribute("data-phase", "accepted")
    page.shot("page-undone")
    assert page.value("'after' in globals()") == "False"


REPLY = "It needs a value.\n```python\nanswer = total + 41\nprint('the answer is', answer)\n```\n"


def test_a_hint_goes_to_the_model_and_what_it_writes_is_seen(open_page: OpenPage) -> None:
    with ScriptedServer(Say(["Let me ", "think …"], ending="silent"), Say([REPLY])) as server:
        page = open_page(asking(server), "answer = nothing_like_it()\nprint(answer)")
        page.run(0)
        page.run(1)
        panel = page.panel(1)
        expect(panel.locator(".rx-written")).to_have_text("Let me think …")
        page.button(1, "Cancel").click()
        expect(panel.locator(".rx-progress")).to_be_hidden()
        hint = panel.get_by_label("A hint for the model")
        hint.fill("it is 42")
        hint.press("Enter")
        expect(panel.locator(".rx-explanation")).to_have_text("It needs a value.")
        page.until_keyboard_in(1)
        assert "it is 42" in str(server.chats[1].json)
        page.button(1, "Accept & run").click()
        expect(page.printed(1)).to_have_text("the answer is 42\n")


def test_nothing_goes_to_another_machine_before_a_click_allows_it(open_page: OpenPage) -> None:
    with ScriptedServer(Say([REPLY])) as server:
        page = open_page(
            f"{START}\nimport os\n"
            f"os.environ['HTTP_PROXY'] = 'http://127.0.0.1:{server.port}'\n"
            "os.environ.update(NO_PROXY='', no_proxy='', MY_KEY='k')\n"
            "%reflex model large --base-url http://models.example/v1 --key-variable MY_KEY",
            "answer = nothing_like_it()\nprint(answer)",
        )
        page.run(0)
        panel = page.fail(1)
        expect(panel.locator(".rx-verdict")).to_contain_text("Nothing has been sent. large is at models.example")
        assert misfits(panel) == []
        assert not server.requests
        page.button(1, "Allow http://models.example and ask large").click()
        expect(panel.locator(".rx-explanation")).to_have_text("It needs a value.")


def test_a_fix_of_two_cells_runs_as_one_and_both_keep_their_text(open_page: OpenPage) -> None:
    page = open_page(f"{START}\n{PROVIDER}", WRONG, CALL)
    page.run(0)
    page.run(1)
    panel = page.fail(2)
    expect(panel.locator(".rx-label")).to_have_text(["In [2], an earlier cell", "This cell stays as it is."])
    assert misfits(panel) == []
    page.button(2, "Accept & run").click()
    expect(page.printed(2)).to_have_text("2\n")
    expect(page.panel(2).locator(".rx-notices")).to_contain_text("old text")
    assert (page.source(1), page.source(2)) == (WRONG, CALL)
