"""Makes the README's animation: a cell fails after slow statements, the fix is accepted, and the rest runs."""

from __future__ import annotations

import io
import tempfile
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Locator, expect

from tests.browser.chromium import new_window, started_chromium
from tests.browser.notebook import NotebookPage
from tests.browser.picture import NOTEBOOKS
from tests.browser.server import Server

TARGET = NOTEBOOKS / "images" / "main_job.webp"
SIZE = (860, 640)
PREPARED = """\
%load_ext reflex_ipython
import time
def download(month):
    time.sleep(0.4)
    print(f"downloaded {month}")
    return {"Jan": 1203.5, "Feb": 998.25, "Mar": 1410.0}[month]
"""
TYPED = """\
revenue = {month: download(month) for month in ("Jan", "Feb", "Mar")}
best = max(revenue, key=revenue.get)
print(f"best month: {best}, {revenu[best]:,.2f} EUR")"""
WRITING, MOVING = 85, 45
"""Milliseconds that a frame of each kind is shown."""
POINTER = """() => {
  const pointer = document.createElement('div');
  pointer.id = 'pointer';
  const arrow = 'M3 2 L3 17 L7 13.5 L10 20 L12.7 18.8 L9.8 12.6 L15 12.2 Z';
  const drawn = `<path d="${arrow}" fill="#111" stroke="#fff" stroke-width="1.4"/>`;
  pointer.innerHTML = `<svg width="22" height="22">${drawn}</svg>`;
  pointer.style.cssText = 'position:fixed;z-index:99999;pointer-events:none;left:640px;top:90px';
  document.body.append(pointer);
}"""
"""A page's screenshots have no mouse pointer."""
MOVE = """([x, y]) => Object.assign(document.getElementById('pointer').style, { left: `${x}px`, top: `${y}px` })"""


class Film:
    """Screenshots of a page, each with how long it is shown."""

    def __init__(self, notebook: NotebookPage) -> None:
        self._page = notebook.page
        self._frames: list[Image.Image] = []
        self._shown: list[int] = []

    def take(self, milliseconds: int) -> None:
        """Take a frame; one that looks as the last did only lengthens that."""
        frame = Image.open(io.BytesIO(self._page.screenshot(caret="initial"))).convert("RGB")
        if self._frames and frame.tobytes() == self._frames[-1].tobytes():
            self._shown[-1] += milliseconds
            return
        self._frames.append(frame)
        self._shown.append(milliseconds)

    def take_until(self, reached: Locator) -> None:
        """Take frames until something is there to be seen, which are shown for as long as that took."""
        while not reached.is_visible():
            start = time.monotonic()
            self.take(0)
            self._shown[-1] += round(1000 * (time.monotonic() - start))

    def save(self, target: Path) -> None:
        """Write them all, to be played for ever."""
        first, *others = self._frames
        first.save(target, save_all=True, append_images=others, duration=self._shown, loop=0, quality=90, method=6)
        print(f"{target}: {sum(self._shown) / 1000:.0f} s, {target.stat().st_size / 1e3:.0f} kB")


def main() -> None:
    """Play it in JupyterLab, and keep what is seen."""
    with tempfile.TemporaryDirectory() as folder, started_chromium() as browser:
        server = Server(Path(folder) / "home", "jupyterlab")
        try:
            play(browser, server).save(TARGET)
        finally:
            server.close()


def play(browser: Browser, server: Server) -> Film:
    """Type the cell, run it, look at the panel, accept it, and look at what became of it."""
    notebook = NotebookPage(new_window(browser, *SIZE).new_page(), server, Path())
    notebook.open([PREPARED, ""], "revenue.ipynb")
    notebook.page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
    notebook.run(0)
    notebook.cell(0).evaluate("cell => { cell.style.display = 'none'; }")  # of what is shown, it is no part
    notebook.page.evaluate(POINTER)
    film = Film(notebook)
    notebook.select(1)
    notebook.page.keyboard.press("Enter")
    film.take(500)
    _write(notebook, film)
    film.take(700)
    notebook.forget_run(1)
    notebook.page.keyboard.press("Control+Enter")
    run = notebook.panel(1).get_by_role("button", name="Accept & run")
    film.take_until(run)
    expect(notebook.panel(1).locator(".rx-progress")).to_be_hidden()
    film.take(5_000)
    box = run.bounding_box()
    assert box is not None
    _move(notebook, film, (640, 90), (box["x"] + box["width"] / 3, box["y"] + box["height"] / 2))
    film.take(700)
    run.click()
    film.take_until(notebook.panel(1).get_by_text("Undo"))
    film.take(5_000)
    return film


def _write(notebook: NotebookPage, film: Film) -> None:
    """Type the cell, some letters a frame. As text at once, since the editor would close brackets by itself."""
    for end in range(4, len(TYPED) + 4, 4):
        notebook.rewrite(1, TYPED[:end])
        notebook.page.keyboard.press("Control+End")
        film.take(WRITING)


def _move(notebook: NotebookPage, film: Film, start: tuple[float, float], end: tuple[float, float]) -> None:
    steps = 12
    for step in range(steps + 1):
        share = step / steps
        share *= share * (3 - 2 * share)  # slow at both ends, as a hand is
        place = [a + (b - a) * share for a, b in zip(start, end)]
        notebook.page.evaluate(MOVE, place)
        notebook.page.mouse.move(*place)
        film.take(MOVING)


if __name__ == "__main__":
    main()
