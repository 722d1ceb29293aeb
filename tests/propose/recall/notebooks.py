"""Notebooks without a kernel: a cell fails in a namespace, and other texts of it are tried in fresh ones."""

from __future__ import annotations

import ast
import contextlib
import io
import os
import tempfile
import traceback
import warnings
from typing import Any

from reflex_ipython.capture import capture_failure
from reflex_ipython.models import CellRef, Decision, Edit, Failure, Fix, Repair, Rerun
from reflex_ipython.propose.recall import learnt

CELL = CellRef("c1", 1)


def run(source: str, namespace: dict[str, Any], name: str = "<ipython-input-1>") -> BaseException | None:
    """Run a source as a cell; what it raised."""
    tree = ast.parse(source)
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(tree, name, "exec"), namespace)
    except Exception as error:  # noqa: BLE001 - that is what is wanted
        return error
    return None


@contextlib.contextmanager
def own_folder():
    """Work in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        before = os.getcwd()
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def prepared(setup: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    error = run(setup, namespace, "<setup>")
    assert error is None, "".join(traceback.format_exception(error))
    return namespace


class _Cells:
    """The cell that ran, as the capture asks for it."""

    def __init__(self, source: str) -> None:
        from reflex_ipython.models import CellSource

        self._cell = CellSource(CELL, source)

    def find(self, filename: str) -> Any:
        return self._cell if filename == "<ipython-input-1>" else None

    def all(self) -> list[Any]:
        return [self._cell]


def failure_of(setup: str, cell: str) -> Failure:
    """What is captured when the cell fails behind its setup."""
    namespace = prepared(setup)
    error = run(cell, namespace)
    assert error is not None, f"it does not fail: {cell}"
    return capture_failure(error, source=cell, cell=CELL, namespace=namespace, cells=_Cells(cell))


def runs(setup: str, cell: str) -> bool:
    """Whether the cell runs behind its setup."""
    return run(cell, prepared(setup)) is None


def accepted(
    failure: Failure,
    mended: str,
    *,
    notebook: str = "/work/first.ipynb",
    repair_id: str = "r1",
    at: str = "2026-11-03T10:00:00.000+00:00",
) -> Repair:
    """A repair whose fix was accepted and ran, with what was learnt of it."""
    edit = Edit(failure.situation.place, failure.situation.source, mended)
    fix = Fix("f" + repair_id, (edit,), "", "model")
    decision = Decision("accepted", at, fix.id, fix.steps)
    import dataclasses

    repair = Repair(
        repair_id,
        "s" + repair_id,
        dataclasses.replace(failure, at=at),
        (fix,),
        {},
        decision,
        Rerun(True, at),
        notebook=notebook,
    )
    return learnt(repair)
