"""Notebooks that were tampered with on their way: what a file, or somebody who changes it, can bring into a page."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat

MIME = "application/vnd.reflex-ipython.repair+json"

Panel = dict[str, Any]


def panels(notebook: nbformat.NotebookNode) -> list[Panel]:
    """The panels in a notebook's outputs, to be changed in place."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return [output["data"][MIME] for output in outputs if MIME in output.get("data", {})]


def forged(file: Path, change: Callable[[nbformat.NotebookNode], Any], name: str) -> Path:
    """A copy of a saved notebook in which something was changed; nothing is checked, as by whoever does that."""
    notebook = copy.deepcopy(nbformat.read(file, as_version=4))
    change(notebook)
    target = file.with_name(name)
    target.write_text(nbformat.writes(notebook), encoding="utf-8")
    return target


def in_panel(change: Callable[[Panel], Any]) -> Callable[[nbformat.NotebookNode], Any]:
    """Changes the notebook's panels."""

    def change_all(notebook: nbformat.NotebookNode) -> None:
        for panel in panels(notebook):
            change(panel)

    return change_all
