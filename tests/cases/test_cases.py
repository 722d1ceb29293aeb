"""The cases are what they say: each fails with its exception, and its correct cell runs and satisfies its check.

`make test` verifies one of each file; `make test-cases` all of them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict

import pytest

from reflex_ipython.headless.bench.cases import Case
from tests.cases.verify import FILES, all_cases

pytest.importorskip("pandas", minversion="3", reason="the cases are about its newest errors")
pytest.importorskip("sklearn")
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="each runs in a copy of a process")

WHOLE = bool(os.environ.get("CASES_WHOLE"))
DATA_SCIENCE = {"pandas_columns", "pandas_values", "numpy_shapes", "sklearn", "plots", "files_dates"}


def by_family() -> dict[str, list[Case]]:
    found = defaultdict(list)
    for case in all_cases():
        found[case.family].append(case)
    return found


def test_each_fails_as_it_says_and_its_correct_cell_is_right() -> None:
    ids = [] if WHOLE else [cases[len(cases) // 2].id for cases in by_family().values()]
    ran = subprocess.run([sys.executable, "-m", "tests.cases.verify", *ids], stdout=subprocess.PIPE, text=True)
    found = json.loads(ran.stdout)
    assert found == {"verified": len(ids) or len(all_cases()), "problems": {}}


def test_there_are_cases_of_every_family_and_half_are_data_science() -> None:
    counts = {family: len(cases) for family, cases in by_family().items()}
    assert len(counts) == len(FILES)
    assert min(counts.values()) >= 8
    assert sum(counts.values()) >= 250
    assert sum(counts[family] for family in DATA_SCIENCE) / sum(counts.values()) == pytest.approx(0.5, abs=0.1)


def test_each_says_what_would_be_right_or_what_the_reason_is() -> None:
    assert [case.id for case in all_cases() if not (case.check or case.correct or case.says)] == []
