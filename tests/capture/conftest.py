"""A notebook without a kernel: cells are compiled and cached under names of their own, as IPython does it."""

from __future__ import annotations

import ast
import linecache
import logging
import sys
from collections.abc import Iterator
from typing import Any, Literal

import pytest

from reflex_ipython.capture import capture_failure
from reflex_ipython.models import CellRef, CellSource, Failure
from reflex_ipython.settings import Settings


class Notebook:
    """Runs cells in one namespace, and captures the one that fails."""

    def __init__(self) -> None:
        self.namespace: dict[str, Any] = {"__name__": "__main__", "In": [], "Out": {}, "_": ""}
        self.cells: dict[str, CellSource] = {}
        self.settings = Settings()

    def find(self, filename: str) -> CellSource | None:
        return self.cells.get(filename)

    def all(self) -> list[CellSource]:
        return list(self.cells.values())

    def run(self, source: str, transformed: str | None = None) -> CellSource:
        """Run a cell. What IPython made of it may be given."""
        text = source if transformed is None else transformed
        count = len(self.cells) + 1
        name = f"<ipython-input-{count}-{id(self):x}>"
        cell = self.cells[name] = CellSource(CellRef(f"cell-{count}", count), source)
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        for node in compile(text, name, "exec", ast.PyCF_ONLY_AST).body:  # one by one, as IPython does it
            exec(compile(ast.Module([node], []), name, "exec"), self.namespace)
        return cell

    def fail(
        self, source: str, transformed: str | None = None, *, stage: Literal["syntax", "run", "display"] = "run"
    ) -> Failure:
        """Run a cell that fails; its failure."""
        return self.capture(self.error(source, transformed), source, stage=stage)

    def error(self, source: str, transformed: str | None = None) -> BaseException:
        """Run a cell that fails; its exception."""
        try:
            self.run(source, transformed)
        except Exception as error:  # noqa: BLE001 - that is what a cell does
            entry = BaseException.__dict__["__traceback__"].__get__(error)
            return BaseException.with_traceback(error, entry.tb_next.tb_next)  # without `error` and `run`
        raise AssertionError("the cell did not fail")

    def capture(
        self, error: BaseException, source: str, *, stage: Literal["syntax", "run", "display"] = "run"
    ) -> Failure:
        return capture_failure(
            error,
            source=source,
            cell=self.all()[-1].cell,
            namespace=self.namespace,
            cells=self,
            settings=self.settings,
            stage=stage,
        )


@pytest.fixture
def notebook() -> Iterator[Notebook]:
    made = Notebook()
    yield made
    for name in made.cells:
        linecache.cache.pop(name, None)


@pytest.fixture
def may_give_up() -> None:
    """For a test in which a part of the capture is expected to give up."""


@pytest.fixture(autouse=True)
def no_part_gave_up(request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """What raises inside a capture is left out of it: a test must not take a bug for an object that can't be told."""
    caplog.set_level(logging.DEBUG, "reflex_ipython.capture")
    yield
    if "may_give_up" not in request.fixturenames:
        assert [record.exc_info for record in caplog.get_records("call") if "gave up" in record.message] == []


@pytest.fixture(autouse=True)
def no_trace_function_is_left() -> Iterator[None]:
    before = sys.gettrace()
    yield
    assert sys.gettrace() is before


def variable(failure: Failure, name: str) -> Any:
    """The summary of a variable in the innermost frame that has it."""
    return next(one for frame in reversed(failure.error.frames) for one in frame.variables if one.name == name)
