"""A window that was used and emptied is as a new one, but for the files that it has loaded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Page

from tests.browser.chromium import emptied, new_window
from tests.browser.server import Server

KEEP = """async () => {
  document.cookie = 'kept=1; path=/';
  window.name = 'kept';
  localStorage.setItem('kept', '1');
  sessionStorage.setItem('kept', '1');
  await new Promise(kept => { indexedDB.open('kept').onsuccess = kept; });
  await (await caches.open('kept')).put('/kept', new Response('1'));
  await (await navigator.storage.getDirectory()).getFileHandle('kept', { create: true });
}"""
LOOK = """async () => ({
  cookies: document.cookie,
  name: window.name,
  stored: [localStorage.length, sessionStorage.length],
  databases: await indexedDB.databases(),
  caches: await caches.keys(),
  files: await Array.fromAsync((await navigator.storage.getDirectory()).keys()),
  screen: [innerWidth, innerHeight, devicePixelRatio],
  media: ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(prefers-reduced-motion)', 'print']
    .map(asked => matchMedia(asked).matches),
  history: history.length,
  pages: window.opener,
  clipboard: (await navigator.permissions.query({ name: 'clipboard-read' })).state
})"""
LOADED = """() => performance.getEntriesByType('resource')
  .filter(({ name }) => name.includes('/static/lab/jlab_core')).map(({ transferSize }) => transferSize > 0)"""


def seen(page: Page, server: Server) -> dict[str, Any]:
    """What a page finds as it begins."""
    page.goto(f"{server.url}/api")
    return page.evaluate(LOOK)


def test_of_what_was_kept_shown_or_heard_nothing_is_there(chromium: Browser, servers: Callable[[str], Server]) -> None:
    server = servers("plain")
    page = new_window(chromium).new_page()
    new = seen(page, server)
    page.evaluate(KEEP)
    page.set_viewport_size({"width": 480, "height": 300})
    page.emulate_media(color_scheme="dark", forced_colors="active", reduced_motion="reduce", media="print")
    other = page.context.new_page()
    other.goto(f"{server.url}/api")
    other.evaluate("() => { onbeforeunload = event => event.preventDefault(); }")
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    used = page.evaluate(LOOK)
    assert not [what for what in new if what not in ("history", "pages", "clipboard") and used[what] == new[what]]
    page = emptied(page.context, server.url)
    assert page.context.pages == [page]
    assert seen(page, server) == new
    page.evaluate("() => console.log('heard')")
    assert heard == []
    page.context.close()


def test_a_file_that_was_loaded_is_not_loaded_again(chromium: Browser, servers: Callable[[str], Server]) -> None:
    server = servers("lab")
    page = new_window(chromium).new_page()
    page.goto(f"{server.url}/lab?reset")
    assert page.evaluate(LOADED) == [True]
    page = emptied(page.context, server.url)
    page.goto(f"{server.url}/lab?reset")
    assert page.evaluate(LOADED) == [False]
    page.context.close()
