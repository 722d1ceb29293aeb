"""Other runners of notebooks: a failure is not masked where nobody asked to heal, and is healed where somebody did."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import papermill
import pytest
from nbconvert.exporters import get_exporter
from nbconvert.exporters.html import HTMLExporter

from tests.headless.notebooks import MENDABLE, MENDED, notebook, sources, written

LOADED = "c.InteractiveShellApp.extensions = ['reflex_ipython']\n"
PREPROCESSOR = "reflex_ipython.headless.nbconvert_exporter.HealPreprocessor"


@pytest.mark.parametrize(
    "command",
    [["jupyter", "execute"], ["pytest", "-p", "no:cacheprovider", "--nbmake", "-q"]],
    ids=["jupyter", "nbmake"],
)
def test_a_failure_is_not_masked_by_the_extension(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    configuration = tmp_path / "ipython" / "profile_default" / "ipython_kernel_config.py"
    configuration.parent.mkdir(parents=True)
    configuration.write_text(LOADED)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    path = written(tmp_path / "a.ipynb", "assert 'reflex_ipython' in __import__('sys').modules", *MENDABLE)
    ran = subprocess.run(
        [sys.executable, "-m", *command, str(path)], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    said = re.sub(r"\x1b\[[0-9;]*m", "", ran.stdout + ran.stderr)
    assert ran.returncode == 1
    assert "NameError: name 'totl' is not defined" in said
    assert "AssertionError" not in said


def test_papermill_heals_with_our_engine(tmp_path: Path) -> None:
    path, out = written(tmp_path / "a.ipynb", *MENDABLE), tmp_path / "out.ipynb"
    papermill.execute_notebook(path, out, engine_name="reflex", kernel_name="python3", progress_bar=False)
    healed = nbformat.read(out, as_version=4)
    assert sources(healed) == [MENDABLE[0], MENDED, MENDABLE[2]]
    assert healed.cells[1].metadata.reflex_ipython.repairs[0]["before"] == MENDABLE[1]
    path = written(tmp_path / "b.ipynb", "1 / 0")
    with pytest.raises(papermill.PapermillExecutionError, match="ZeroDivisionError"):
        papermill.execute_notebook(
            path, out, engine_name="reflex", kernel_name="python3", progress_bar=False, accept="never"
        )


def test_nbconvert_heals_by_an_exporter_and_by_a_preprocessor() -> None:
    healed, _ = get_exporter("healed")().from_notebook_node(notebook(*MENDABLE))
    assert sources(nbformat.reads(healed, as_version=4)) == [MENDABLE[0], MENDED, MENDABLE[2]]
    page, _ = HTMLExporter(preprocessors=[PREPROCESSOR]).from_notebook_node(notebook(*MENDABLE))
    assert "of 3" in page
