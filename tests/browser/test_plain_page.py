"""The panel where there is no JupyterLab at all: the widget alone, as VS Code, Colab and Voilà have it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chromium import new_window
from tests.browser.conftest import FAILED, SHOTS
from tests.browser.notebook import MISSPELT, START
from tests.browser.plain_page import PlainPage
from tests.browser.server import Server
from tests.browser.test_looks import misfits
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
