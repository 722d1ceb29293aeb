"""The cases: notebook cells that fail, with what would have been right."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reflex_ipython.errors import BadInput


@dataclass(frozen=True)
class Case:
    """A cell that fails.

    Parameters
    ----------
    id : str
        Its name; no other case has it.
    cell : str
        The source that fails.
    ename : str
        The class of the exception that it raises.
    setup : tuple of str
        The cells before it, in their order.
    check : str
        A Python expression over the namespace and `OUT` (the text that the repaired cell shows) that is true if the
        repair is right. Empty: what `correct` comes to is right.
    correct : str
        A cell that is right. Empty: there is none.
    notebook : tuple of str
        The sources of all code cells, as they stand in the notebook, in its order. Those of `setup` among them ran, and
        `cell` did; the others did not. Empty: the notebook has `setup` and `cell`, and no other cells.
    says : str
        A regular expression that the words about the error match if they name its true reason. Empty: not judged.
    files : dict of str to str
        The texts of the files in the folder where it runs, by their paths in it.
    family : str
        The name of the file that it stands in.
    """

    id: str
    cell: str
    ename: str
    setup: tuple[str, ...] = ()
    check: str = ""
    correct: str = ""
    notebook: tuple[str, ...] = ()
    says: str = ""
    files: dict[str, str] = field(default_factory=dict)
    family: str = ""


TEXTS = ("id", "cell", "ename", "check", "correct", "says")
NEEDED = ("id", "cell", "ename")
LISTS = ("setup", "notebook")
KNOWN = {*TEXTS, *LISTS, "files"}


def read_cases(paths: Iterable[Path]) -> list[Case]:
    """The cases of some files, each of JSON lines.

    Parameters
    ----------
    paths : iterable of Path

    Returns
    -------
    list of Case
        In the order of the files and their lines.

    Raises
    ------
    BadInput
        If a file can't be read, a line is no case, or two cases have the same id; the text says which line and why.
    """
    cases: dict[str, Case] = {}
    for path in paths:
        for place, case in _in_file(path):
            if case.id in cases:
                raise BadInput(f"{place}: there is another case with the id {case.id!r}.")
            cases[case.id] = case
    if not cases:
        raise BadInput("There is no case in these files.")
    return list(cases.values())


def _in_file(path: Path) -> Iterator[tuple[str, Case]]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BadInput(f"{path} can't be read: {reason}.") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            place = f"{path}, line {number}"
            yield place, _case(line, place, path.stem)


def _case(line: str, place: str, family: str) -> Case:
    try:
        found = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadInput(f"{place}: this is not JSON ({error.msg}, column {error.colno}).") from None
    problem = _problem(found)
    if problem:
        raise BadInput(f"{place}: {problem}.")
    setup, notebook = (tuple(found.pop(name, ())) for name in LISTS)
    others = {name: value for name, value in found.items() if name in KNOWN}
    return Case(setup=setup, notebook=notebook, family=family, **others)


def _problem(found: Any) -> str:
    """What is wrong with a JSON value that should be a case, in words; empty if nothing is."""
    if not isinstance(found, dict):
        return "a case is a JSON object"
    missing = [name for name in NEEDED if name not in found]
    if missing:
        return f"`{missing[0]}` is missing"
    wrong = [name for name in TEXTS if not isinstance(found.get(name, ""), str)]
    if wrong:
        return f"`{wrong[0]}` has to be a text"
    for name in LISTS:
        if not isinstance(found.get(name, []), list) or not all(isinstance(one, str) for one in found.get(name, [])):
            return f"`{name}` has to be a list of texts"
    if found.get("notebook") and found["cell"] not in found["notebook"]:
        return "`notebook` has to have `cell` in it"
    files = found.get("files", {})
    if not isinstance(files, dict) or not all(isinstance(text, str) for text in files.values()):
        return "`files` has to be an object of texts"
    outside = [name for name in files if Path(name).is_absolute() or ".." in Path(name).parts]
    return f"the file {outside[0]!r} is outside the folder of the case" if outside else ""
