"""Repairs to remember, and stores to remember them in."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from reflex_ipython.models import (
    CellRef,
    CellSource,
    Decision,
    Edit,
    ExceptionInfo,
    Failure,
    Finding,
    Fix,
    Frame,
    Lookup,
    Repair,
    Rerun,
    Situation,
    SyntaxProblem,
    Usage,
    ValueSummary,
    Verdict,
)
from reflex_ipython.protocols import StoreContext
from reflex_ipython.remember.store import SqliteStore
from reflex_ipython.settings import Settings

NOBODY = 65534


def full_repair(
    repair_id: str = "1a2b3c4d",
    at: str = "2026-11-21T10:00:00.000+00:00",
    *,
    source: str = "total(df.prise)",
    message: str = "'DataFrame' object has no attribute 'prise'",
    decided: str | None = "accepted",
) -> Repair:
    """A repair with every field in use."""
    cell = CellRef("cell-3", 7)
    value = ValueSummary("df", "pandas.DataFrame", "price  int64", "table", ("price",))
    frame = Frame("<ipython-input-7>", "<module>", 1, source, 1, cell, (value,))
    failure = Failure(
        id="f" + repair_id,
        at=at,
        situation=Situation(
            cell,
            source,
            names=("df", "total"),
            earlier=(CellSource(CellRef("cell-1", 2), "df = load()"),),
            versions={"pandas": "3.0.1"},
            python="3.11.9",
        ),
        stage="run",
        exceptions=(
            ExceptionInfo("AttributeError", message, notes=("see the docs",), frames=(frame,)),
            ExceptionInfo("KeyError", "'prise'", "context"),
        ),
        lineno=1,
        lookup=Lookup("attribute", "prise", "df", "pandas.DataFrame", ("price",)),
        syntax=SyntaxProblem("invalid syntax", 1, 2, 1, 3),
    )
    edit = Edit(cell, source, "total(df.price)")
    rule = Fix("r" + repair_id, (edit,), "`df` has no 'prise'.", "rule", "closest attribute")
    asked = Fix("m" + repair_id, (edit,), "Use price.", "qwen2.5", usage=Usage("qwen2.5", 900, 40, 1.5, 0.0012))
    return Repair(
        repair_id,
        "session1",
        failure,
        (rule, asked),
        {rule.id: Verdict("passed", "", (Finding("shape", "the result's shape changes", "note"),))},
        Decision(decided, at, asked.id, asked.steps) if decided else None,  # type: ignore[arg-type]  # one of the four
        Rerun(True, at, seconds=0.2) if decided == "accepted" else None,
        trouble="",
    )


@pytest.fixture(scope="session")
def make_repair() -> Callable[..., Repair]:
    return full_repair


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "history.sqlite"


@pytest.fixture(scope="session")
def sqlite() -> Callable[..., SqliteStore]:
    """Opens a store on a file."""

    def opened(path: Path, **options: object) -> SqliteStore:
        return SqliteStore(StoreContext(lambda: Settings(history_file=str(path))), **options)  # type: ignore[arg-type]  # passed on

    return opened


@pytest.fixture
def unprivileged() -> Callable[[], object]:
    """A context in which file permissions count, also where the tests run as root."""

    @contextmanager
    def without_privileges() -> Iterator[None]:
        if os.geteuid() != 0:
            yield
            return
        os.seteuid(NOBODY)
        try:
            yield
        finally:
            os.seteuid(0)

    return without_privileges


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that everybody may read and only its owner may write to."""
    folder = Path(tempfile.mkdtemp(prefix="history-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)
