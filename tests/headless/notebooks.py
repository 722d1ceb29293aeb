"""Notebooks for the tests, in a few words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

MENDABLE = ("total = [1, 2, 3]", "print('once')\ncount = len(totl)\nprint('of', count)", "count + 1")
MENDED = "print('once')\ncount = len(total)\nprint('of', count)"


def notebook(*sources: str) -> Any:
    return new_notebook(cells=[new_code_cell(source) for source in sources])


def written(path: Path, *sources: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook(*sources), path)
    return path


def sources(notebook: Any) -> list[str]:
    return [cell.source for cell in notebook.cells]


def shown(cell: Any) -> str:
    texts = (output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs)
    return "".join(texts)
