"""The notebooks, run from top to bottom in a real kernel; what fails is repaired by its first fix."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from tests.kernel.driver import Kernel

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
REPAIRED = {"01_first_repair": 5, "02_state_kept": 4}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_mistake_of_the_notebook_is_repaired_without_a_model(plain_kernel: Kernel, path: Path) -> None:
    repaired = 0
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        if plain_kernel.run(cell.source, cell.id).status == "error":
            again = plain_kernel.run("%reflex accept")
            assert again.status == "ok", again.reply
            repaired += 1
    assert repaired == REPAIRED[path.stem]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook_is_kept_without_outputs(path: Path) -> None:
    assert not any(cell.get("outputs") for cell in nbformat.read(path, as_version=4).cells)
