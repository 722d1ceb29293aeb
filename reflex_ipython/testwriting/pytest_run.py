"""Runs in a sandbox: pytest on one file, and what came of each of its tests."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.testwriting.reached import ReachedLines
from reflex_ipython.testwriting.recorder import OUT
from reflex_ipython.testwriting.texts import ModuleTexts

PLAIN = ("-q", "-c", "/dev/null", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-p", "no:doctest")
"""Nothing of the project's own settings: they may ask for plugins, other processes, reports."""


class _Outcomes:
    def __init__(self) -> None:
        self.seen: list[dict[str, str]] = []

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        """What a part of a test raised."""
        if call.excinfo is not None:
            error = f"{call.excinfo.typename}: {' '.join(str(call.excinfo.value).split())[:300]}"
            self.seen.append({"test": item.name, "ename": call.excinfo.typename, "error": error})

    def pytest_collectreport(self, report: Any) -> None:
        """What could not even be imported."""
        if report.failed:
            text = str(report.longrepr).strip().split("\n")[-1].removeprefix("E").strip()
            self.seen.append({"test": "", "ename": text.partition(":")[0], "error": text[:300]})


class _Measuring:
    """Watches the tests alone: pytest's own work is not slowed down."""

    def __init__(self, reached: ReachedLines) -> None:
        self._reached = reached

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        """A test with its fixtures."""
        with self._reached.watching():
            yield


def run_tests(
    folder: str, path: str, modules: dict[str, tuple[str, str]], tests: Sequence[str] = (), measured: Sequence[str] = ()
) -> None:
    """Run the tests of a file or folder, and write what failed to `out.json` in a folder.

    Parameters
    ----------
    folder, path : str
    modules : dict of str to tuple of str
        Texts of modules other than those of their files.
    tests : sequence of str
        The tests of the file that are run; none: all.
    measured : sequence of str
        Files: which lines of their functions are reached is written as well.
    """
    ModuleTexts(modules).install()
    outcomes, reached = _Outcomes(), ReachedLines(measured)
    chosen = [f"{path}::{test}" for test in tests] or [path]
    code = int(
        pytest.main(
            [*PLAIN, f"--rootdir={folder}", f"--basetemp={folder}/tmp", *chosen],
            plugins=[outcomes, _Measuring(reached)],
        )
    )
    done = {"code": code, "failed": outcomes.seen, "reached": reached.lines}
    Path(folder, OUT).write_text(json.dumps(done), encoding="utf-8")


def warm_up(folder: str) -> None:
    """Have pytest import what it needs to show a failure: in a sandbox that takes many times as long."""
    path = Path(folder, "test_warm_up.py")
    path.write_text("def test():\n    assert [1] == [2]\n", encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main([*PLAIN, f"--rootdir={folder}", str(path)])
    path.unlink()
