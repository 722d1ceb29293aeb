"""The panel where there is no JupyterLab at all: the widget alone, as VS Code, Colab and Voilà have it."""

from __future__ import annotations

import re
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

OpenPage = Callable[..., PlainPage]


@pytest.fixture
def open_page(
    servers: Callable[[str], Server], chromium: Browser, request: pytest.FixtureRequest
) -> Iterator[OpenPage]:
    """Opens a page with these cells, in a host's theme."""
    opened: list[PlainPage] = []

    def open_it(*cells: str, theme: str = "light", width: int = 1000) -> PlainPage:
        page = PlainPage(new_window(chromium, width).new_page(), servers("plain"), SHOTS, THEMES[theme])
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
QUIET = "print(toatl)  # raises a NameError"
SEVERAL = "total = 0\nfor digit in number:\n    total += int(digit)\ntotal"
STATES = [f"{START}\nnumber = 12", MISSPELT, SEVERAL, QUIET, "row = {'region': 1, 'sales': 2}\nrow['area']"]


@pytest.mark.parametrize("theme", THEMES)
def test_every_state_is_in_the_panel_and_legible(open_page: OpenPage, theme: str) -> None:
    said = [Say([DANGEROUS]), Say(["Let me ", "think …"], ending="silent")]
    with ScriptedServer(*said) as server:
        page = open_page(*STATES, asking(server), ASKED, ASKED, theme=theme)
        page.run(0)
        seen = {name: page.fail(index) for index, name in enumerate(["proposal", "choice", "quiet", "steps"], start=1)}
        expect(seen["choice"].locator("button.rx-alternative")).to_have_count(2)
        page.run(5)
        seen["dangerous"] = page.fail(6)
        expect(seen["dangerous"].get_by_label("I have read it")).to_be_visible()
        page.run(7)
        seen["asking"] = page.panel(7)
        expect(seen["asking"].locator(".rx-written")).to_have_text("Let me think …")
        page.shot(f"page-{theme}-1")
        assert {name: misfits(panel) for name, panel in seen.items()} == {name: [] for name in seen}
        assert {name: strange(panel) for name, panel in seen.items()} == {name: [] for name in seen}
        page.button(7, "Cancel").click()
        page.button(1, "Side by side").click()
        page.button(2, "None of these").click()
        page.button(3, "Expected to fail · Show").click()
        page.button(6, "Edit").click()
        expect(page.panel(2)).to_have_attribute("data-phase", "rejected")
        expect(seen["asking"].locator(".rx-progress")).to_be_hidden()
        page.shot(f"page-{theme}-2")
        assert {name: misfits(panel) for name, panel in seen.items()} == {name: [] for name in seen}
        page.button(1, "Accept & run").click()
        expect(page.printed(1)).to_have_text("1\n")
        expect(page.panel(1)).to_have_attribute("data-phase", "accepted")
        page.shot(f"page-{theme}-3")
        assert misfits(page.panel(1)) == []


STRANGE = """panel => {
  const own = getComputedStyle(panel);
  const page = getComputedStyle(document.body);
  const found = [];
  const dark = own.colorScheme === 'dark' || (
    own.colorScheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches
  );
  const parts = color => color.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const isDark = color => parts(color).reduce((sum, part) => sum + part, 0) < 3 * 128;
  if (isDark(own.backgroundColor) !== isDark(page.backgroundColor)) found.push(`the panel is ${own.backgroundColor}`);
  if (isDark(own.backgroundColor) !== dark) found.push(`its scheme is ${own.colorScheme}`);
  for (const key of panel.querySelectorAll('kbd')) {
    if (getComputedStyle(key).borderStyle !== 'none') found.push('a key has a border');
  }
  return found;
}"""


def strange(panel: Locator) -> list[str]:
    """What the page around it has done to the panel."""
    return panel.evaluate(STRANGE)


def test_accept_runs_the_fix_and_says_that_the_cell_keeps_its_text(open_page: OpenPage) -> None:
    page = open_page(START, MISSPELT)
    page.run(0)
    panel = page.fail(1)
    expect(page.cell(1).locator(".error")).to_contain_text("NameError")
    assert misfits(panel) == []
    page.shot("page-proposal")
    page.button(1, "Accept & run").click()
    expect(page.printed(1)).to_have_text("1\n")
    panel = page.panel(1)
    expect(panel.locator(".rx-verdict")).to_contain_text("the cell ran")
    expect(page.cell(1).locator(".error")).to_have_count(0)
    expect(panel).to_contain_text("it still has its old text")
    assert page.source(1) == MISSPELT
    page.shot("page-accepted")


def test_reject_leaves_everything_as_it_is(open_page: OpenPage) -> None:
    page = open_page(START, MISSPELT)
    page.run(0)
    panel = page.fail(1)
    page.button(1, "Reject").press("Enter")
    expect(panel.locator(".rx-verdict")).to_contain_text("Rejected. The cell is as it was.")
    assert page.source(1) == MISSPELT
    page.shot("page-rejected")


def test_by_the_keyboard_alone_a_fix_is_reached_accepted_and_copied(open_page: OpenPage) -> None:
    page = open_page(START, MISSPELT)
    page.run(0)
    page.fail(1)
    page.tab_to("Accept & run")
    page.page.keyboard.press("Control+Enter")
    expect(page.printed(1)).to_have_text("1\n")
    panel = page.panel(1)
    expect(panel.locator(".rx-verdict")).to_contain_text("the cell ran")
    assert panel.evaluate("panel => panel.contains(document.activeElement)")
    page.tab_to("Copy fixed source")
    page.page.keyboard.press("Enter")
    expect(page.button(1, "Copied")).to_be_focused()
    assert page.page.evaluate("() => navigator.clipboard.readText()") == FIXED


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
        assert panel.evaluate("panel => panel.contains(document.activeElement)")
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
        page.shot("page-consent")
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
    page.shot("page-two-cells")
    page.button(2, "Accept & run").click()
    expect(page.printed(2)).to_have_text("2\n")
    expect(page.panel(2).locator(".rx-notices")).to_contain_text("old text")
    page.shot("page-two-cells-accepted")
    assert (page.source(1), page.source(2)) == (WRONG, CALL)


def test_what_can_only_be_done_in_jupyterlab_is_said_with_what_can_be_done_here(open_page: OpenPage) -> None:
    page = open_page(START, "first = 1\nbananas = 1 / 0", "bananas + 1", "%reflex undo", MISSPELT)
    page.run(0)
    panel = page.fail(1)
    expect(panel.locator(".rx-by-hand")).to_contain_text("run %reflex edit in a new cell")
    expect(panel.locator(".rx-step")).to_have_count(0)
    page.shot("page-by-hand")
    page.fail(4)
    page.button(4, "Accept & run").click()
    expect(page.printed(4)).to_have_text("1\n")
    page.run(3)
    expect(page.panel(4)).to_contain_text(re.compile("[Uu]ndone|undid"))
    page.shot("page-undone")


FRAMES = """() => {
  window.unstyled = [];
  window.frames_seen = 0;
  const look = () => {
    for (const panel of document.querySelectorAll('.rx-panel')) {
      const { borderTopStyle, backgroundColor } = getComputedStyle(panel);
      window.frames_seen += 1;
      if (borderTopStyle === 'none' || backgroundColor === 'rgba(0, 0, 0, 0)') window.unstyled.push(panel.outerHTML);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


def test_no_frame_shows_the_panel_without_its_style(open_page: OpenPage) -> None:
    page = open_page(START, MISSPELT)
    page.page.evaluate(FRAMES)
    page.run(0)
    page.fail(1)
    page.button(1, "Accept & run").click()
    expect(page.printed(1)).to_have_text("1\n")
    expect(page.panel(1).locator(".rx-verdict")).to_contain_text("the cell ran")
    assert page.page.evaluate("() => window.frames_seen") > 0
    assert page.page.evaluate("() => window.unstyled") == []
