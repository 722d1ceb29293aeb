"""What a test of a repair is about: cells and files with their old and new texts, and the mended function."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Iterator, Sequence

from reflex_ipython.base.parsing import parse
from reflex_ipython.capture.dataflow import earlier, python_of
from reflex_ipython.errors import BadInput
from reflex_ipython.models import CellRef, CellSource, Edit, FileRef, Frame, Repair, applied_changes

NOT_ACCEPTED = "{} was not accepted: a test is written of a fix that was, once it has run."
DID_NOT_RUN = "The fix of {} has not run well, so nothing says what its code must give."
NO_FAILURE = "Nothing had failed in {}: a test is written of what failed before and works now."
NOTHING_REWRITTEN = "{} rewrote nothing: no test fails with an old text and passes with a new one."
NOT_READ = "{} did not parse as Python: there was no code yet that a test could run."
NOT_PYTHON = "{} is not Python alone: what its magics do can't be written in a test."


@dataclasses.dataclass(frozen=True)
class MendedText:
    """A cell or file before and after.

    Parameters
    ----------
    name : str
        `In [3]`, `shapes.py`.
    old, new : str
        Python, without magics.
    module : str
        Of a file: the module that it is.
    path : str
        Of a file.
    """

    name: str
    old: str
    new: str
    module: str = ""
    path: str = ""

    def of(self, version: str) -> str:
        """The old or the new one."""
        return self.old if version == "old" else self.new


@dataclasses.dataclass(frozen=True)
class MendedFunction:
    """A function that was mended: the text in which it stands, and its name there, `area`, `Ring.size`."""

    text: MendedText
    qualname: str


@dataclasses.dataclass(frozen=True)
class Subject:
    """What is tested.

    Parameters
    ----------
    repair : Repair
    cells : tuple of MendedText
        Those that the failing one builds upon, in the order in which they ran.
    failing : MendedText
    files : tuple of MendedText
        The files that were rewritten.
    function : MendedFunction or None
        None: the failing cell itself.
    """

    repair: Repair
    cells: tuple[MendedText, ...]
    failing: MendedText
    files: tuple[MendedText, ...]
    function: MendedFunction | None

    @property
    def ename(self) -> str:
        """The class of what was raised."""
        failure = self.repair.failure
        assert failure is not None  # `subject` has seen to it
        return failure.error.ename

    def without_function(self) -> Subject:
        """The same as a test of the failing cell."""
        return dataclasses.replace(self, function=None)


def subject(repair: Repair, others: Sequence[CellSource] = ()) -> Subject:
    """What a test of an accepted repair is about.

    Parameters
    ----------
    repair : Repair
    others : sequence of CellSource
        The cells that ran in its kernel, in their order: the new text may need what the old one did not.

    Raises
    ------
    BadInput
        If there is none, in words.
    """
    failure = repair.failure
    if failure is None:
        raise BadInput(NO_FAILURE.format(repair.id))
    if repair.decision is None or repair.decision.kind != "accepted":
        raise BadInput(NOT_ACCEPTED.format(repair.id))
    if repair.rerun is None or not repair.rerun.succeeded:
        raise BadInput(DID_NOT_RUN.format(repair.id))
    changes = applied_changes(repair)
    if all(edit.source == edit.expected for edit in changes.edits):
        raise BadInput(NOTHING_REWRITTEN.format(repair.id))
    new = {edit.target: edit.source for edit in changes.changed_earlier}
    before = [(one.cell, one.source) for one in repair.situation.earlier if one.cell != repair.situation.cell]
    before += [(step.cell, changes.expected_of(step)) for step in changes.first]
    before = _with_needed(before, [edit.source for edit in changes.edits], repair.situation.cell, others)
    cells = tuple(_cell(ref, source, new.get(ref, source)) for ref, source in before)
    failing = _cell(repair.situation.cell, changes.failing.expected, changes.failing.source)
    files = tuple(_file(repair, edit) for edit in changes.files)
    if failure.stage == "syntax" and parse(failing.old) is None:
        raise BadInput(NOT_READ.format(failing.name))
    if failing.new and (parse(failing.old) is None or parse(failing.new) is None) and failure.stage != "syntax":
        raise BadInput(NOT_PYTHON.format(failing.name))
    texts = (*cells, failing, *files)
    found = _function(texts, [frame for one in failure.exceptions[:1] for frame in one.frames])
    return Subject(repair, cells, failing, files, found)


def _with_needed(
    cells: list[tuple[CellRef, str]], new: Iterable[str], failing: CellRef, others: Sequence[CellSource]
) -> list[tuple[CellRef, str]]:
    """The cells before the failing one, with those that only the new texts need, in the order in which they ran."""
    there = {ref for ref, _ in cells} | {failing}
    last = failing.execution_count or 0
    before = [one for one in others if one.cell not in there and 0 < (one.cell.execution_count or 0) < last]
    more = [(one.cell, one.source) for one in earlier("\n".join(new), before)]
    return sorted([*cells, *more], key=lambda one: one[0].execution_count or 0) if more else cells


def _cell(ref: CellRef, old: str, new: str) -> MendedText:
    name = f"In [{ref.execution_count}]" if ref.execution_count is not None else "a cell"
    return MendedText(name, _plain(old), _plain(new))


def _plain(source: str) -> str:
    return source if parse(source) is not None else python_of(source)


def _file(repair: Repair, edit: Edit) -> MendedText:
    known = next(one for one in repair.situation.files if one.file == edit.target)
    assert isinstance(edit.target, FileRef)
    return MendedText(edit.target.name, edit.expected, edit.source, known.module, edit.target.path)


def _function(texts: Iterable[MendedText], frames: list[Frame]) -> MendedFunction | None:
    """The innermost function of the traceback whose text was changed."""
    changed = {(text.name, name): MendedFunction(text, name) for text in texts for name in _changed(text)}
    for frame in reversed(frames):
        where = f"In [{frame.cell.execution_count}]" if frame.cell else frame.filename.replace("\\", "/").split("/")[-1]
        parts = frame.function.split(".<locals>")[0].split(".")
        for name in (".".join(parts), parts[0]):
            found = changed.get((where, name)) or _by_last_name(changed, where, name)
            if found is not None:
                return found
    return None


def _by_last_name(changed: dict[tuple[str, str], MendedFunction], where: str, name: str) -> MendedFunction | None:
    """Before Python 3.11 a frame knows its function's name alone, not its class's."""
    found = [one for (place, known), one in changed.items() if place == where and known.split(".")[-1] == name]
    return found[0] if len(found) == 1 else None


def _changed(text: MendedText) -> Iterator[str]:
    """The names of the functions and methods that are other ones in the new text."""
    if text.old == text.new:
        return
    old, new = functions(text.old), functions(text.new)
    for name, node in new.items():
        if name in old and ast.dump(old[name]) != ast.dump(node):
            yield name


def functions(source: str) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions and methods at the top of a text, by their qualified names."""
    tree = parse(source)
    found: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
    for node in tree.body if tree is not None else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found[node.name] = node
        elif isinstance(node, ast.ClassDef):
            inner = [one for one in node.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
            found.update({f"{node.name}.{one.name}": one for one in inner})
    return found
