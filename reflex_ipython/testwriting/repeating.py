"""Recorded calls made again, twice and once more in another process: those that give the same are cases of tests."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from typing import Any

from reflex_ipython.testwriting.literals import Literal
from reflex_ipython.testwriting.parametrised import Case, ParametrisedTest, merged
from reflex_ipython.testwriting.recorded_calls import Asked, LeftOut, exact, full_name
from reflex_ipython.testwriting.recorder import literal_of
from reflex_ipython.testwriting.workroom import Workroom
from reflex_ipython.traces.recorded import Call

ANOTHER = "gives another result each time"
NO_END = "did not come to its end: {}"
_CODE = "from reflex_ipython.testwriting.calling import make_call\nmake_call({!r}, {!r})"


def cases_of(
    asked: Asked, room: Workroom, other: Workroom, day: str, libraries: tuple[str, ...]
) -> tuple[list[ParametrisedTest], list[LeftOut]]:
    """The tests of a function's calls, not seen yet, and what is left out.

    Parameters
    ----------
    asked : Asked
    room, other : Workroom
        With different hash seeds.
    day : str
        On which the calls were recorded.
    libraries : tuple of str
        Packages that are no files of the user's own.
    """
    groups: dict[Any, list[Case]] = {}
    left = []
    for number, call in enumerate(asked.calls, 1):
        told = _repeated(_job(asked, call, number), room, other)
        if "refused" in told:
            left.append(LeftOut(full_name(asked.function), 1, told["refused"]))
            continue
        case = _case(told)
        names = tuple(name for name, _ in case.given)
        groups.setdefault((case.manner, told["call"], tuple(told["imports"]), names), []).append(case)
    words = f"Calls that were recorded on {day}." if day else "Calls that were recorded."
    tests = [
        ParametrisedTest(_name(asked, manner), words, call, imports, tuple(merged(cases)), libraries)
        for (manner, call, imports, _), cases in groups.items()
    ]
    return tests, left


def _repeated(job: dict[str, Any], room: Workroom, other: Workroom) -> dict[str, Any]:
    """What a call came to if that is the same each time, or why there is no test of it."""
    runs: Iterable[tuple[Workroom, int]] = ((room, 1), (room, 2), (other, 3))
    first, *more = [_run(one, {**job, "seed": seed}) for one, seed in runs]
    return first if all(one == first for one in more) else {"refused": ANOTHER}


def _run(room: Workroom, job: dict[str, Any]) -> dict[str, Any]:
    trial, told = room.run(_CODE.format(room.folder, job))
    if trial.accesses:
        return {"refused": f"wants to {trial.accesses[0].text}"}
    if trial.outcome != "passed" or not told:
        reason = trial.reason or f"{trial.ename}: {trial.evalue}".strip(": ") or trial.outcome
        return {"refused": NO_END.format(reason)}
    return told


def _job(asked: Asked, call: Call, number: int) -> dict[str, Any]:
    function = asked.function
    arguments = [
        (one.kind, one.name, one.value.payload, None if one.value.payload else exact(one.value, redacted=False)[1])
        for one in call.arguments
    ]
    return {
        "module": function.module,
        "file": function.file,
        "name": function.name,
        "kind": function.kind,
        "arguments": arguments,
        "result": None if call.result is None else dataclasses.asdict(call.result),
        "exception": "" if call.exception is None else call.exception.type,
        "yielded": call.yielded,
        "label": f"{_snake(function.name)}_{number}",
    }


def _case(told: dict[str, Any]) -> Case:
    given = tuple((name, _literal(one)) for name, one in told["given"].items())
    return Case(given, _literal(told["raises"] if "raises" in told else told["gives"]), "raises" in told)


def _literal(told: dict[str, Any]) -> Literal:
    found = literal_of(told)
    assert found is not None  # what can't be written is refused before
    return found


def _name(asked: Asked, manner: str) -> str:
    return f"test_{_snake(asked.function.name)}{'' if manner == 'equal' else f'_{manner}'}"


def _snake(name: str) -> str:
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.replace(".", "_"))
    return re.sub(r"_+", "_", words).strip("_").lower()
