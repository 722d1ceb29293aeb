"""What a test must find: the result of a call, or what a cell's names are in the end."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from reflex_ipython.capture import held_secrets
from reflex_ipython.errors import BadInput
from reflex_ipython.testwriting.another_time import may_ask
from reflex_ipython.testwriting.attempts import modules, put, recorded
from reflex_ipython.testwriting.literals import Literal
from reflex_ipython.testwriting.module_text import Expected, Script
from reflex_ipython.testwriting.recorder import literal_of
from reflex_ipython.testwriting.slices import statements
from reflex_ipython.testwriting.subject import Subject
from reflex_ipython.testwriting.workroom import Workroom

NEW_FAILS = "No test can be made: with what could be written down the new source does not run: {}."
NOT_THE_SAME = "No test can be made: {} gives another result each time."
SECRET = "It reads the environment variable {}, which holds a secret: it has to be set where the test runs."
LONGEST = 500
"""Characters that are compared with what is printed."""


@dataclasses.dataclass(frozen=True)
class Expectations:
    """What a test compares.

    Parameters
    ----------
    values : tuple of Expected
    printed : str
        What it prints, if it does nothing else; empty: that is not compared.
    notes : tuple of str
        What is not compared, and why; sentences.
    environment : tuple of (str, str or None)
        Environment variables that it reads, and their values; None: it is not set.
    """

    values: tuple[Expected, ...]
    printed: str
    notes: tuple[str, ...]
    environment: tuple[tuple[str, str | None], ...] = ()


def expectations(room: Workroom, about: Subject, script: Script) -> Expectations:
    """What a script comes to with the new source, in two runs that draw other random numbers, and one at another time.

    Raises
    ------
    BadInput
        If it does not run, or the result of a call is another one each time.
    """
    asked = ["result", *(one.name for one in script.given), *sorted(_bound(script.body))]
    job: dict[str, Any] = {"kind": "after", "code": script.flat, "names": [*dict.fromkeys(asked)], "rows": None}
    job["modules"] = modules(about.files, "new")
    put(room, [one.files for one in script.literals])
    first, second = (recorded(room, {**job, "seed": seed}) for seed in (1, 2))
    if first["error"]:
        raise BadInput(NEW_FAILS.format(first["error"]))
    texts = [script.flat, *(text for _, text in job["modules"].values())]
    later = recorded(room, {**job, "seed": 1, "later": True}) if any(map(may_ask, texts)) else first
    if later["error"]:  # what stands for another time is not the same to all code
        later = first
    values, notes = _compared(script, first["values"], second["values"], later["values"])
    same = first["printed"] == second["printed"] == later["printed"]
    printed = first["printed"] if same and len(first["printed"]) <= LONGEST else ""
    only_prints = script.body and all(one.literal.text == "None" for one in values)
    environment, hidden = _environment(first["environment"])
    return Expectations(values, printed if only_prints else "", (*notes, *hidden), environment)


def _environment(read: dict[str, str | None]) -> tuple[tuple[tuple[str, str | None], ...], list[str]]:
    """The environment variables that a test sets, and in sentences which it does not."""
    secret = {name for name, value in read.items() if value is not None and held_secrets({}, {name: value})}
    hidden = [SECRET.format(name) for name in secret]
    return tuple((name, value) for name, value in read.items() if name not in secret), hidden


def _compared(
    script: Script, first: dict[str, Any], second: dict[str, Any], later: dict[str, Any]
) -> tuple[tuple[Expected, ...], tuple[str, ...]]:
    before = {one.name: one.literal.text for one in script.given}
    found, notes = [], []
    for name, told in first.items():
        value, is_result = literal_of(told), name == "result"
        why_not = _why_not(value, told, second.get(name), later.get(name))
        if value is None or why_not:
            if is_result and script.call and told != second.get(name):
                raise BadInput(NOT_THE_SAME.format(script.call.partition("(")[0]))
            notes.append(f"{'The result' if is_result else f'`{name}`'} is not compared: it {why_not}.")
        elif before.get(name) != value.text and not (is_result and script.body and value.text == "None"):
            found.append(Expected(name, _renamed_files(value, "expected_")))
    others = tuple(one for one in found if one.name != "result")
    gives_nothing = any(one.name == "result" and one.literal.text == "None" for one in found)
    return others if others and gives_nothing else tuple(found), tuple(notes)


def _why_not(
    value: Literal | None, told: dict[str, Any], again: dict[str, Any] | None, later: dict[str, Any] | None
) -> str:
    """Why a value is not compared, in words behind "it"; empty: it is."""
    if told != again:
        return "is another one each time"
    if told != later:
        return "depends on the time"
    if value is None:
        return str(told["refused"])
    return "holds objects that equal only themselves" if value.kind == "never" else ""


def _bound(body: Iterable[str]) -> set[str]:
    """The names that statements bind or change, but for functions and classes."""
    found: set[str] = set()
    for text in body:
        for one in statements([text]):
            if one.kind != "definition":
                found |= one.names.defines | one.names.changes
    return {name for name in found if not name.startswith("_")}


def _renamed_files(value: Literal, prefix: str) -> Literal:
    """The same with other names of its files: those of what is given have them already."""
    text, files = value.text, {}
    for name, data in value.files.items():
        text = text.replace(f'"{name}"', f'"{prefix}{name}"')
        files[f"{prefix}{name}"] = data
    return dataclasses.replace(value, text=text, files=files)
