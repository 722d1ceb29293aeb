"""Takes the picture of the panel for the README."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image

from tests.browser.chromium import new_window, started_chromium
from tests.browser.notebook import NotebookPage
from tests.browser.server import Server

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
FAILING = 4
WIDTH, HEIGHT = 1000, 900
TRACEBACK = 7 * 17 + 4
"""CSS pixels of the traceback's end that stay in the picture: so many lines of 17, and the gap below them."""
MARGIN = 4


def main() -> None:
    """Run the first notebook down to its first mistake, and keep the end of the traceback with the panel."""
    with tempfile.TemporaryDirectory() as folder, started_chromium() as browser:
        server = Server(Path(folder) / "home", "jupyterlab")
        try:
            notebook = NotebookPage(new_window(browser, WIDTH, HEIGHT, scale=2).new_page(), server, Path(folder))
            notebook.open(NOTEBOOKS / "01_first_repair.ipynb", "first_repair.ipynb")
            notebook.page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
            for index in (1, 2):
                notebook.run(index)
            panel = notebook.fail(FAILING)
            panel.locator(".rx-progress").wait_for(state="hidden")
            save(crop(notebook), NOTEBOOKS / "images" / "first_repair.png")
        finally:
            server.close()


def crop(notebook: NotebookPage) -> bytes:
    """The panel, as wide as its cell's output, with the end of the traceback above it."""
    panel = notebook.panel(FAILING)
    panel.evaluate("panel => panel.scrollIntoView({ block: 'end' })")
    notebook.page.mouse.move(0, 0)
    box = panel.bounding_box()
    assert box is not None
    area = {
        "x": box["x"] - MARGIN,
        "y": box["y"] - TRACEBACK,
        "width": box["width"] + 2 * MARGIN,
        "height": box["height"] + TRACEBACK + MARGIN,
    }
    return notebook.page.screenshot(clip=area)  # type: ignore[arg-type]  # a FloatRect by its keys


def save(picture: bytes, target: Path) -> None:
    """Write it with a palette: there are few colours, and a README should load fast."""
    target.parent.mkdir(exist_ok=True)
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(target, optimize=True)
    print(f"{target}: {target.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
