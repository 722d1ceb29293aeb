"""From an accepted repair to a test that was seen to fail with the old source and to pass with the new one."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from typing import Any

from reflex_ipython.capture.dataflow import names
from reflex_ipython.errors import BadInput
from reflex_ipython.models import CellSource, Repair
from reflex_ipython.testwriting.attempts import VERSIONS, NoEnd, Version, seen
from reflex_ipython.testwriting.expectations import expectations
from reflex_ipython.testwriting.imports import imported
from reflex_ipython.testwriting.module_text import WrittenTest
from reflex_ipython.testwriting.reproduction import reproduced
from reflex_ipython.testwriting.scripts import Scripts
from reflex_ipython.testwriting.slices import CellStatement
from reflex_ipython.testwriting.subject import Subject, subject
from reflex_ipython.testwriting.workroom import Workroom, libraries

SECONDS = 30.0
"""That each run may take."""
FEW_ROWS = 6
"""Rows of a frame that is too long to be written out: so many are tried first."""
MOST_TRIES = 12
"""Statements that are tried to be left out."""


@dataclasses.dataclass(frozen=True)
class CheckedTest:
    """A test, and what was seen of it.

    Parameters
    ----------
    test : WrittenTest
    before : str
        What it raises with the old source.
    seconds : float
        The run with the new source.
    notes : tuple of str
        What it does not compare, and why; sentences.
    """

    test: WrittenTest
    before: str
    seconds: float
    notes: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """What was seen, in a sentence."""
        return (
            f"Seen to fail with the old source ({self.before}) and to pass with the new one, "
            "each in a process of its own."
        )


def written(repair: Repair, others: Sequence[CellSource] = ()) -> CheckedTest:
    """A test of an accepted repair.

    Parameters
    ----------
    repair : Repair
    others : sequence of CellSource
        The cells that ran in its kernel, in their order.

    Returns
    -------
    CheckedTest

    Raises
    ------
    BadInput
        If none can be made, in words.
    """
    about = subject(repair, others)
    imports = _imported(about)
    with Workroom(imports, SECONDS, hash_seed=1) as room, Workroom(imports, SECONDS, hash_seed=2) as other:
        try:
            return _Writing(about, room, other, imports).evidence()
        except BadInput as reason:
            if about.function is None or isinstance(reason, NoEnd):
                raise
            return _Writing(about.without_function(), room, other, imports).evidence()


class _Writing:
    """The work on one test.

    Parameters
    ----------
    about : Subject
    room : Workroom
        Where it is found out.
    other : Workroom
        Where it is seen to fail and to pass in the end.
    imports : iterable of str
        Modules that the code imports.
    """

    def __init__(self, about: Subject, room: Workroom, other: Workroom, imports: Iterable[str]) -> None:
        self._about = about
        self._room = room
        self._other = other
        self._libraries = tuple({name.partition(".")[0] for name in libraries(imports)})
        self._scripts = Scripts(about)

    def evidence(self) -> CheckedTest:
        """The test, once it was seen. Raises `BadInput` if there is none."""
        found = self._reproduced(None)
        if not any(told.get("files") for told in _told(found)):
            return self._tried(found)
        try:
            return self._tried(self._reproduced(FEW_ROWS))
        except BadInput:
            return self._tried(found)

    def _reproduced(self, rows: int | None) -> dict[str, Any]:
        return reproduced(self._room, self._about, self._scripts.asked(), rows)

    def _tried(self, found: dict[str, Any]) -> CheckedTest:
        scripts = {version: self._scripts.of(version, found) for version in VERSIONS}
        expected = expectations(self._room, self._about, scripts["new"])
        tests: dict[Version, WrittenTest] = {
            version: WrittenTest(
                _name(self._about),
                _words(self._about),
                script,
                expected.values,
                expected.printed,
                self._libraries,
                expected.environment,
            )
            for version, script in scripts.items()
        }
        seen(self._room, self._about, tests)
        tests = self._reduced(tests)
        self._other.took = self._room.took
        before, seconds = seen(self._other, self._about, tests)
        return CheckedTest(tests["new"], before, seconds, expected.notes)

    def _reduced(self, tests: dict[Version, WrittenTest]) -> dict[Version, WrittenTest]:
        """The same without the statements that it does not need, by trying."""
        for tried, one in enumerate(tests["new"].script.definitions):
            if one.kind == "definition" and tried >= MOST_TRIES:
                break
            less = {version: _without(test, one) for version, test in tests.items()}
            if one.kind == "definition" and _is_read(one, less["new"]):
                continue
            try:
                seen(self._room, self._about, less)
            except BadInput:
                continue
            tests = less
        return tests


def _name(about: Subject) -> str:
    what = about.function.qualname.replace(".", "_").strip("_") if about.function else about.failing.name
    what = re.sub(r"\W+", "_", what.replace("In [", "cell_")).strip("_")
    return f"test_{what}_does_not_raise_{re.sub(r'(?<=[a-z0-9])(?=[A-Z])', '_', about.ename)}".lower()


def _words(about: Subject) -> str:
    failure = about.repair.failure
    assert failure is not None
    error = " ".join(failure.title.split())[:200].replace("\\", "\\\\").replace('"', "'")
    return f"{about.failing.name} raised {error.rstrip('.')}."


def _told(recorded: dict[str, Any]) -> list[dict[str, Any]]:
    pairs = [told for _, told in (*recorded.get("positional", ()), *recorded.get("named", ()))]
    return [*recorded.get("values", {}).values(), *pairs]


def _imported(about: Subject) -> list[str]:
    """The modules that the code imports."""
    return imported(source for text in (*about.cells, about.failing, *about.files) for source in (text.old, text.new))


def _without(test: WrittenTest, one: CellStatement) -> WrittenTest:
    left = tuple(each for each in test.script.definitions if each.text != one.text)
    return dataclasses.replace(test, script=dataclasses.replace(test.script, definitions=left))


def _is_read(one: CellStatement, test: WrittenTest) -> bool:
    """Whether a definition is surely needed: what is left reads its name."""
    script = test.script
    texts = [*script.body, script.call, *(each.text for each in script.definitions)]
    return any(one.names.defines & names(text).reads for text in texts if text)
