"""Recorded calls made again, twice and once more in another process: those that give the same are cases of tests."""

from __future__ import annotations

import dataclasses
import math
import re
from datetime import datetime
from typing import Any

from reflex_ipython.testwriting.calling import DIFFERS
from reflex_ipython.testwriting.literals import Literal
from reflex_ipython.testwriting.parametrised import CallCase, CallSurroundings, ParametrisedTest, merged
from reflex_ipython.testwriting.recorded_calls import DistinctCalls, LeftOut, exact, full_name
from reflex_ipython.testwriting.recorded_requests import asked_in, got_cookies, read_in
from reflex_ipython.testwriting.recorder import literal_of
from reflex_ipython.testwriting.workroom import Workroom
from reflex_ipython.traces.recorded import Call, Trace

ANOTHER = "gives another result each time"
ELSEWHERE = "gives another result in another process or folder"
COOKIES = " (the cookies that it got are not in the trace)"
NO_END = "did not come to its end: {}"
_CODE = "from reflex_ipython.testwriting.calling import make_call\nmake_call({!r}, {!r})"


def cases_of(
    asked: DistinctCalls, room: Workroom, other: Workroom, trace: Trace, libraries: tuple[str, ...]
) -> tuple[list[ParametrisedTest], list[LeftOut]]:
    """The tests of a function's calls, not seen yet, and what is left out.

    Parameters
    ----------
    asked : DistinctCalls
    room, other : Workroom
        With different hash seeds.
    trace : Trace
        That the calls are of.
    libraries : tuple of str
        Packages that are no files of the user's own.
    """
    groups: dict[Any, tuple[dict[str, Any], list[CallCase]]] = {}
    left = []
    started = trace.started
    began = datetime.fromisoformat(started).timestamp() if started else 0.0
    for number, call in enumerate(asked.calls, 1):
        job = {"network": asked_in(trace, call), "environment": read_in(trace, call)}
        told = _repeated({**_job(asked, call, number, began), **job}, room, other)
        if "refused" in told:
            is_another = told["refused"].startswith(DIFFERS.partition("{")[0])
            more = COOKIES if is_another and got_cookies(trace, call) else ""
            left.append(LeftOut(full_name(asked.function), 1, told["refused"] + more))
            continue
        case, staging = _case(told), told["staging"]
        names = tuple(name for name, _ in case.given)
        key = case.manner, told["call"], str(told["imports"]), names, str({**staging, "given": ()})
        groups.setdefault(key, (told, []))[1].append(case)
    words = f"Calls that were recorded on {started[:10]}" if started else "Calls that were recorded"
    tests = [
        ParametrisedTest(
            _name(asked, cases[0].manner),
            "; ".join([words, ", ".join(dict.fromkeys(told["staging"]["words"]))]).removesuffix("; ") + ".",
            told["call"],
            (*told["imports"], *told["staging"]["imports"]),
            tuple(merged(cases)),
            libraries,
            _frame(told["staging"]),
        )
        for told, cases in groups.values()
    ]
    return tests, left


def _repeated(job: dict[str, Any], room: Workroom, other: Workroom) -> dict[str, Any]:
    """What a call came to if that is the same each time, or why there is no test of it.

    What it asks of the world, it is given: answers of the network, the clock, files, environment variables, and in the
    end random numbers from the same start.
    """
    around: dict[str, Any] = {"network": [*range(len(job["network"]))]} if job["network"] else {}
    while True:
        came = _same_each_time({**job, "around": around}, room, other)
        asks = came.pop("asks", {})
        if not asks or ("refused" not in came and "call" in came):
            return came
        around = {**around, **asks}


def _same_each_time(job: dict[str, Any], room: Workroom, other: Workroom) -> dict[str, Any]:
    job = {**job, "elsewhere": False}
    first = _run(room, {**job, "seed": 1})
    if "call" not in first and "refused" not in first:
        return first  # it has to be given something
    for place, another, differs in (
        (room, {"seed": 2}, ANOTHER),
        (other, {"seed": 3, "elsewhere": True}, ELSEWHERE),
    ):
        again = _run(place, {**job, **another})
        if again != first:  # what did not come to its end, as on a busy machine, gave nothing else
            ended = not again.get("refused", "").startswith(NO_END.format(""))
            return {"refused": differs if ended else again["refused"], "asks": first.get("asks", {})}
    return first


def _run(room: Workroom, job: dict[str, Any]) -> dict[str, Any]:
    trial, told = room.run(_CODE.format(room.folder, job))
    if trial.accesses:
        return {"refused": f"wants to {trial.accesses[0].text}"}
    if trial.outcome != "passed" or not told:
        reason = trial.reason or f"{trial.ename}: {trial.evalue}".strip(": ") or trial.outcome
        return {"refused": NO_END.format(reason)}
    return told


def _job(asked: DistinctCalls, call: Call, number: int, started: float) -> dict[str, Any]:
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
        "source": function.source,
        "root": asked.root,
        "moment": float(math.ceil(started + call.start)),  # as a person would write it; never before its arguments
    }


def _case(told: dict[str, Any]) -> CallCase:
    given = tuple((name, _literal(one)) for name, one in (*told["given"].items(), *told["staging"]["given"]))
    return CallCase(given, _literal(told["raises"] if "raises" in told else told["gives"]), "raises" in told)


def _frame(staging: dict[str, Any]) -> CallSurroundings:
    return CallSurroundings(*(tuple(staging[part]) for part in ("fixtures", "setup", "contexts", "inside", "after")))


def _literal(told: dict[str, Any]) -> Literal:
    found = literal_of(told)
    assert found is not None  # what can't be written is refused before
    return found


def _name(asked: DistinctCalls, manner: str) -> str:
    return f"test_{_snake(asked.function.name)}{'' if manner == 'equal' else f'_{manner}'}"


def _snake(name: str) -> str:
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.replace(".", "_"))
    return re.sub(r"_+", "_", words).strip("_").lower()
