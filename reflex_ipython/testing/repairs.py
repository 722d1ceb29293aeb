"""Repairs to test with."""

from __future__ import annotations

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


def full_repair(
    repair_id: str = "1a2b3c4d",
    at: str = "2026-11-21T10:00:00.000+00:00",
    *,
    source: str = "total(df.prise)",
    message: str = "'DataFrame' object has no attribute 'prise'",
    decided: str | None = "accepted",
) -> Repair:
    """A repair with every field in use: a misspelt column, and a rule's and a model's fix for it.

    Parameters
    ----------
    repair_id : str
    at : str
        When the cell failed, ISO 8601 in UTC.
    source : str
        The cell.
    message : str
        The exception's.
    decided : str or None
        "accepted", "rejected", "superseded" or "undone": the model's fix. None: nothing is decided yet.
    """
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
