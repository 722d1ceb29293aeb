"""Of cells that run nothing is foreseen: the notebooks of this project, the repaired cells of its bench, documentation.

`make test-health` looks at all of them, `make test` at an even sample.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.headless.bench.cases import read_cases
from tests.foreseen.alarms import Looked, looked
from tests.health.docstrings import notebooks, sample

ROOT = Path(__file__).parents[2]
SAMPLED = 1_500
"""Examples of documentation of which `make test` makes cells, one of each docstring."""
_STARTS = ("%%", "%load_ext", "%reflex", "!", "reflex.", "import reflex_ipython", "from reflex_ipython")


@pytest.fixture(scope="module")
def came() -> Looked:
    """What came of looking ahead in all those cells."""
    documented, bench = notebooks("pandas", "sklearn"), _of_the_bench()
    if not os.environ.get("HEALTH_WHOLE"):
        documented, bench = sample(documented, SAMPLED), bench[::2]
    cells = [{"cells": ["\n".join(one.cells)]} for one in documented]
    return looked([*_of_the_project(), *bench, *cells])


def _of_the_project() -> list[dict[str, Any]]:
    found = []
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
        sources = ["".join(cell["source"]) for cell in cells]
        found.append({"cells": [source for source in sources if not source.startswith(_STARTS)]})
    return found


def _of_the_bench() -> list[dict[str, Any]]:
    """Each repaired cell with its earlier ones, as one cell."""
    cases = read_cases(sorted((ROOT / "tests" / "cases").glob("*.jsonl")))
    right = [case for case in cases if case.correct]
    return [{"cells": ["\n".join([*case.setup, case.correct])], "files": case.files} for case in right]


def test_of_five_hundred_cells_that_run_none_is_told_to_fail(came: Looked) -> None:
    assert came.cells >= 500
    assert not came.alarms, "\n\n".join(came.alarms)


def test_some_of_those_that_fail_were_told_to(came: Looked) -> None:
    assert came.right
