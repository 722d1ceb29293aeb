"""Reports of our own processes, read without pydantic."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from reflex_ipython.models import CellRef, CellSource, Lookup, Replay, Trial, from_json, to_json
from reflex_ipython.models.own_json import from_own_json
from reflex_ipython.models.trial import Access, Effect, NameChange, ValueFacts

FULL = Trial(
    "other_error",
    ename="NameError",
    lineno=3,
    mime_types=("image/png", "text/html"),
    figures=1,
    changes=(
        NameChange("df", "changed", ValueFacts("pandas.DataFrame", (2, 3), length=2), None),
        NameChange("n", "added", None, ValueFacts("int", text="3")),
    ),
    accesses=(Access("file", "write to out.csv"),),
    effects=(Effect("commits to sales.db", ("con",)),),
    seconds=1.5,
    peak_bytes=12,
    replay=Replay(("total",), same=2),
    lookup=Lookup(
        "name",
        "toatl",
        holders={"df": "column"},
        setters=(CellSource(CellRef("c1", 4), "total = 1", "KeyError: 1", 1, (2, 3)),),
    ),
)


@pytest.mark.parametrize("trial", [Trial(), FULL], ids=["empty", "full"])
def test_a_report_is_read_as_it_was_written_and_as_pydantic_reads_it(trial: Trial) -> None:
    written = json.loads(json.dumps(to_json(trial)))
    assert from_own_json(Trial, written) == from_json(Trial, written) == trial


def test_a_missing_field_has_its_default_an_unknown_one_is_left_out_and_a_whole_number_is_a_float() -> None:
    found = from_own_json(Trial, {"outcome": "passed", "seconds": 2, "later": [1]})
    assert found == Trial("passed", seconds=2.0)
    assert type(found.seconds) is float


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"outcome": "splendid"},
        {"outcome": 1},
        {"lineno": "3"},
        {"lineno": True},
        {"lineno": 1.0},
        {"seconds": "1"},
        {"mime_types": "text"},
        {"mime_types": [1]},
        {"changes": [{"kind": "added"}]},
        {"changes": [{"name": "x", "kind": "added", "before": {"type": "int", "shape": [1, None]}}]},
        {"lookup": {"kind": "name", "wanted": "x", "holders": {"df": 1}}},
        {"replay": 1},
    ],
)
def test_what_is_no_report_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match=r"is no|it is|there is no|not what belongs"):
        from_own_json(Trial, data)


def test_pydantic_is_not_imported_for_it() -> None:
    code = (
        "import sys\n"
        "from reflex_ipython.models import Trial, to_json\n"
        "from reflex_ipython.models.own_json import from_own_json\n"
        "assert from_own_json(Trial, {'outcome': 'passed', 'lookup': {'kind': 'name', 'wanted': 'x'}}).lookup\n"
        "print('pydantic' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False\n"
