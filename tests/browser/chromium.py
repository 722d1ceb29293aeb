"""Starting Chromium, and the windows in it."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
HEIGHT = 900


@contextlib.contextmanager
def started_chromium() -> Iterator[Browser]:
    """Debian's Chromium, or another one that is installed."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next((found for name in names if (found := shutil.which(name))), None)
    assert path is not None, "the browser tests need Chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


def new_window(browser: Browser, width: int = 1200, height: int = HEIGHT, scale: float = 1) -> BrowserContext:
    """A window that shares nothing with the others, and may use the clipboard.

    Parameters
    ----------
    browser : Browser
    width, height : int
        CSS pixels.
    scale : float
        Device pixels for each of them.
    """
    return browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        permissions=["clipboard-read", "clipboard-write"],
    )


def emptied(window: BrowserContext, origin: str) -> Page:
    """Make a window as a new one but for the files that it has loaded, which it need not load again.

    Parameters
    ----------
    window : BrowserContext
        What is open in it is closed, and what was stored is forgotten.
    origin : str
        Of all pages that it had open.

    Returns
    -------
    Page
        The window's only one, which is empty.
    """
    used = window.pages
    page = window.new_page()
    for each in used:
        each.close()
    session = window.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    session.detach()
    window.clear_cookies()
    return page
