"""Tests with parameters that were seen to pass, in the file where they will stand; and the lines that they reach."""

from __future__ import annotations

import ast
import base64
import dataclasses
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from reflex_ipython.base.syntax_trees import syntax_tree
from reflex_ipython.errors import BadInput
from reflex_ipython.testwriting.known_cases import without_known
from reflex_ipython.testwriting.parametrised import ParametrisedTest
from reflex_ipython.testwriting.saving import text_with
from reflex_ipython.testwriting.workroom import Workroom

THERE = "is tested with these arguments already"
FAILS = "does not pass as a test: {}"
NO_END = "no test run of it comes to its end: {}"
_RAN = (0, 1)  # pytest's exit codes: all passed, some failed


class Passing:
    """Runs tests.

    Parameters
    ----------
    room : Workroom
    files : iterable of str
        Whose lines are told.
    """

    def __init__(self, room: Workroom, files: Iterable[str]) -> None:
        self._room = room
        self._files = list(files)
        self._passed: dict[Path, list[str]] = {}
        self.lines: set[tuple[str, int]] = set()
        """Files and lines that the tests reach which passed."""

    def lines_of_folder(self, folder: Path) -> set[tuple[str, int]] | None:
        """The lines that the tests of a folder reach as it is; None: they can't be run in a sandbox."""
        if not any(folder.glob("**/test_*.py")) and not any(folder.glob("**/*_test.py")):
            return set()
        told, _ = self._run(str(folder), [])
        return _lines(told) if told.get("code") in _RAN else None

    def seen(self, test: ParametrisedTest, path: Path) -> tuple[ParametrisedTest | None, str]:
        """The test with those of its cases that pass and that its file lacks, and why not the others, in words."""
        known = without_known(test, path.read_text(encoding="utf-8", errors="replace")) if path.exists() else test
        if known is None:
            return None, THERE
        why = THERE if len(known.cases) < len(test.cases) else ""
        failed = self._why_not(known, path)
        if failed and len(known.cases) > 1:
            alone = [dataclasses.replace(known, cases=(case,)) for case in known.cases]
            cases = tuple(one.cases[0] for one in alone if not self._why_not(one, path))
            again = dataclasses.replace(known, cases=cases)
            if cases and not self._why_not(again, path):
                return self._kept(again, path), failed
        return (None, failed) if failed else (self._kept(known, path), why)

    def _kept(self, test: ParametrisedTest, path: Path) -> ParametrisedTest:
        """The next tests of the file have to pass behind it."""
        self._passed.setdefault(path, []).append(_last_test(text_with(test, path).decode("utf-8", "replace")))
        return test

    def _why_not(self, test: ParametrisedTest, path: Path) -> str:
        """Why a test is not seen to pass behind those that were; empty: it is."""
        try:
            text = text_with(test, path)
        except BadInput as error:
            return str(error)
        for name, data in test.files.items():
            Path(self._room.folder, name).write_bytes(base64.b64decode(data))
        file = Path(self._room.folder, path.name)
        file.write_bytes(text)
        told, why = self._run(str(file), [*self._passed.get(path, ()), _last_test(text.decode("utf-8", "replace"))])
        file.unlink()
        if why:
            return NO_END.format(why)
        if told["failed"] or told["code"]:
            return FAILS.format(told["failed"][0]["error"] if told["failed"] else "nothing was run")
        self.lines |= _lines(told)
        return ""

    def _run(self, path: str, tests: list[str]) -> tuple[dict[str, Any], str]:
        code = "from reflex_ipython.testwriting.pytest_run import run_tests\n"
        code += f"run_tests({self._room.folder!r}, {path!r}, {{}}, {tests!r}, {self._files!r})"
        trial, told = self._room.run(code)
        if trial.outcome == "passed" and told:
            return told, ""
        return {}, trial.reason or f"{trial.ename}: {trial.evalue}".strip(": ") or trial.outcome


def _last_test(text: str) -> str:
    return next(node.name for node in reversed(syntax_tree(text).body) if isinstance(node, ast.FunctionDef))


def _lines(told: dict[str, Any]) -> set[tuple[str, int]]:
    return {(file, line) for file, line in told.get("reached", ())}
