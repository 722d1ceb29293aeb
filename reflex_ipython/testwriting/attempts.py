"""Runs for a test in a process of its own: what is recorded, and pytest on both versions of the test."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from reflex_ipython.errors import BadInput
from reflex_ipython.models import Trial
from reflex_ipython.testwriting.module_text import WrittenTest
from reflex_ipython.testwriting.subject import MendedText, Subject
from reflex_ipython.testwriting.workroom import Workroom

Version = Literal["old", "new"]
VERSIONS: tuple[Version, ...] = ("old", "new")

PATIENCE = 10.0
"""Seconds that a test may take at least, and how many times as long as its code took when it was recorded."""
NO_END = "No test can be made: {} did not come to its end in a process of its own: {}."
DOES_NOT_FAIL = "No test can be made: it passes with the old source as well."
OTHER_ERROR = "No test can be made: with the old source it fails otherwise, {} instead of {}."
DOES_NOT_PASS = "No test can be made: with the new source it fails: {}."


class NoEnd(BadInput):
    """What was run did not come to its end, and won't in another form."""


def recorded(room: Workroom, job: Mapping[str, Any]) -> dict[str, Any]:
    """What `recorder.record` saw. Raises `BadInput` if the code did not come to its end."""
    code = "from reflex_ipython.testwriting.recorder import record\n"
    trial, written = _ended(*room.run(f"{code}record({room.folder!r}, {dict(job)!r})"), "the code")
    room.took = max(room.took, trial.seconds)
    return written


def seen(room: Workroom, about: Subject, tests: Mapping[Version, WrittenTest]) -> tuple[str, float]:
    """What a test raises with the old source, and the seconds that it takes with the new one.

    Parameters
    ----------
    room : Workroom
    about : Subject
    tests : dict of str to WrittenTest
        The test with the old and with the new source.

    Raises
    ------
    BadInput
        If it passes with the old source or fails otherwise, or fails with the new one.
    """
    _, old = _pytest(room, about, tests["old"], "old")
    if not old["failed"]:
        raise BadInput(DOES_NOT_FAIL)
    error = old["failed"][0]
    if error["ename"] != about.ename:
        raise BadInput(OTHER_ERROR.format(error["error"], about.ename))
    trial, new = _pytest(room, about, tests["new"], "new")
    if new["failed"] or new["code"]:
        raise BadInput(DOES_NOT_PASS.format(new["failed"][0]["error"] if new["failed"] else "nothing was run"))
    return error["error"], trial.seconds


def put(room: Workroom, files: Iterable[Mapping[str, str]]) -> None:
    """Write what a test reads, base64 by name, into the room's folder."""
    for each in files:
        for name, data in each.items():
            Path(room.folder, name).write_bytes(base64.b64decode(data))


def modules(files: Iterable[MendedText], version: Version) -> dict[str, tuple[str, str]]:
    """The files and texts of modules, in one version, by their names."""
    return {one.module: (one.path, one.of(version)) for one in files if one.module}


def _pytest(room: Workroom, about: Subject, test: WrittenTest, version: Version) -> tuple[Trial, dict[str, Any]]:
    path = Path(room.folder, "test_it.py")
    path.write_text(test.text, encoding="utf-8")
    put(room, [test.files])
    code = "from reflex_ipython.testwriting.pytest_run import run_tests\n"
    code += f"run_tests({room.folder!r}, {str(path)!r}, {modules(about.files, version)!r})"
    return _ended(*room.run(code, PATIENCE * max(1.0, room.took)), "the test")


def _ended(trial: Trial, written: dict[str, Any], what: str) -> tuple[Trial, dict[str, Any]]:
    if not written or trial.outcome != "passed":
        reason = trial.reason or f"{trial.ename}: {trial.evalue}".strip(": ") or trial.outcome
        raise (NoEnd if trial.outcome == "timed_out" else BadInput)(NO_END.format(what, reason))
    return trial, written
