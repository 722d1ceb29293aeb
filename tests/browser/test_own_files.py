"""A mistake in a module of the user's own: the panel shows the file's change, and accepting it writes the file."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import START, NotebookPage

SHAPES = '''"""Shapes."""
import math


def area(radius):
    return maht.pi * radius ** 2
'''
FIXED = SHAPES.replace("maht", "math")
CELL = "runs = runs + 1\nprint(round(shapes.area(2), 2), runs)"


@pytest.fixture(params=["lab", "lab-without"])
def kind(request: pytest.FixtureRequest) -> str:
    """With the labextension, and with the widget."""
    return str(request.param)


@pytest.fixture
def failed(open_notebook: OpenNotebook, tmp_path: Path, kind: str) -> NotebookPage:
    (tmp_path / "shapes.py").write_text(SHAPES)
    begin = f"{START}\nimport sys; sys.path.insert(0, {str(tmp_path)!r})\nimport shapes\nruns = 0"
    notebook = open_notebook([begin, CELL, "%reflex undo"], kind)
    notebook.run(0)
    notebook.fail(1)
    return notebook


def test_the_change_of_the_file_is_shown_written_on_accept_and_undone(
    failed: NotebookPage, tmp_path: Path, kind: str
) -> None:
    panel = failed.panel(1)
    expect(panel.locator(".rx-label").first).to_contain_text("shapes.py")
    expect(panel).to_contain_text("This cell stays as it is")
    expect(panel.locator(".rx-verdict")).to_contain_text("ran in a copy of your kernel")
    expect(panel).to_contain_text("area in shapes.py")
    write = failed.button(1, "Write shapes.py & run")
    expect(write).to_be_enabled()
    failed.shot(f"own-file-{kind}")
    assert (tmp_path / "shapes.py").read_text() == SHAPES
    failed.forget_run(1)
    write.click()
    failed.until_printed(1, "12.57 1")
    assert (tmp_path / "shapes.py").read_text() == FIXED
    assert failed.source(1) == CELL
    expect(failed.panel(1)).to_contain_text("area runs its new code")
    failed.shot(f"own-file-accepted-{kind}")
    failed.run(2)
    failed.until_printed(2, "the file shapes.py has its old text back")
    assert (tmp_path / "shapes.py").read_text() == SHAPES
