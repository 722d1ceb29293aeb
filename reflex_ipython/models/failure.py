"""Why code is wanted: something failed, or somebody asks for it."""

from __future__ import annotations

import dataclasses
import re
from typing import Literal

from reflex_ipython.models.situation import CellRef, CellSource, Situation, ValueSummary

_PLACE = re.compile(r" \([^()]*, line \d+\)$")
"""Behind the message of a `SyntaxError`: a file that nobody has seen, and a line."""


@dataclasses.dataclass(frozen=True)
class Frame:
    """One frame of a traceback, outermost first in its list.

    Parameters
    ----------
    filename : str
        As Python has it; for a cell, the name that IPython gave to its code.
    function : str
        The qualified name of the function, `<module>` at the top of a cell.
    lineno : int
        The failing line, 1-based, in its file or cell.
    source : str
        Some lines around the failing one.
    first_lineno : int
        The line number of the first line of `source`, 1-based.
    cell : CellRef or None
        The cell that this code came from, if any.
    variables : tuple of ValueSummary
        The variables that the shown lines use.
    skipped : int
        How many frames after this one were left out, of a long recursion.
    span : tuple of int or None
        First line, last line, first column, last column (UTF-8 bytes, from 0) of the failing expression in the cell's
        raw text, or in a file of the user's, as in `ast`. None where it is not known, or the cell ran as another text.
    """

    filename: str
    function: str
    lineno: int
    source: str = ""
    first_lineno: int = 1
    cell: CellRef | None = None
    variables: tuple[ValueSummary, ...] = ()
    skipped: int = 0
    span: tuple[int, ...] | None = None


@dataclasses.dataclass(frozen=True)
class ExceptionInfo:
    """One exception of a chain or group.

    Parameters
    ----------
    ename, evalue : str
        The class's name, and the message (bounded).
    relation : str
        How it is related to the one before it in `Failure.exceptions`.
    notes : tuple of str
        What `add_note` added.
    frames : tuple of Frame
        Outermost first; long recursions are shortened.
    """

    ename: str
    evalue: str
    relation: Literal["raised", "cause", "context", "member"] = "raised"
    notes: tuple[str, ...] = ()
    frames: tuple[Frame, ...] = ()


@dataclasses.dataclass(frozen=True)
class Lookup:
    """A look-up that found nothing, and what is really there.

    Parameters
    ----------
    kind : str
        What was looked up.
    wanted : str
        What was asked for. For a key that is no string, its `repr`.
    owner : str
        The expression or type that was asked: `df`, `math`, `dict`. Empty for a plain name.
    owner_type : str
        The qualified type of the owner: `pandas.DataFrame`. Empty for a plain name.
    available : tuple of str
        What is really there: names, attributes, keys, columns, modules, paths, magics with their signs (bounded). A
        folder ends in a slash.
    holders : dict of str to str
        Of a name: the user's names that have something called so, and as what: "member" of a module, "column" of a
        table, "key" of a mapping, "attribute" of an object. And the tables that have not: "table" (bounded).
        Of a module: the files near the working folder that are called so, "file"; where there are none, the user's own
        modules with a name like it, "alike", and the files that have what was to be imported from it, "defines". Of
        what a loaded module of the user's lacks: its "file", if that has it by now.
    setters : tuple of CellSource
        Of a name: the earlier cells that would have set it, but failed. The last one that ran comes last.
    others : tuple of str
        The keys or labels there that are no strings, as their `repr` (bounded).
    levels : tuple of str
        The names of a table's index, level by level; empty for a level without a name.
    requirement : str
        Of a module: what a file beside the notebook asks to be installed for it; empty if none does.
    hiding : str
        The path of a file beside the notebook that was asked in place of the library whose name it has.
    """

    kind: Literal["name", "attribute", "key", "column", "module", "import", "argument", "path", "magic"]
    wanted: str
    owner: str = ""
    owner_type: str = ""
    available: tuple[str, ...] = ()
    holders: dict[str, str] = dataclasses.field(default_factory=dict)
    setters: tuple[CellSource, ...] = ()
    others: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    requirement: str = ""
    hiding: str = ""


@dataclasses.dataclass(frozen=True)
class Callee:
    """What refused the number of its arguments, or one of them.

    Parameters
    ----------
    written : str
        The function as the user wrote it: `df.drop`.
    type : str
        Its qualified type: `function`, `type` for a class.
    parameters : tuple of str
        As a signature has them, without `self`: `x`, `scale=1.0`, `*`, `*args`, `**options`.
    """

    written: str
    type: str
    parameters: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class SyntaxProblem:
    """Where and why a cell does not parse.

    Lines and columns are 1-based, and refer to the raw cell; None where they would not (a magic moved the lines).
    """

    message: str
    lineno: int | None = None
    offset: int | None = None
    end_lineno: int | None = None
    end_offset: int | None = None


@dataclasses.dataclass(frozen=True)
class Failure:
    """One failed execution: where, and what went wrong.

    Parameters
    ----------
    id : str
        Short and random.
    at : str
        When, ISO 8601 in UTC.
    situation : Situation
        Of the code that failed.
    stage : str
        "syntax": it did not compile; "run": it raised; "display": its result's formatter raised.
    exceptions : tuple of ExceptionInfo
        The one that was raised comes first.
    lineno : int or None
        The line of the failing code itself, 1-based.
    lookup, syntax, callee : optional
        What is known of a failed look-up, of code that does not parse, or of a function that was called wrongly.
    expected : bool
        Whether the cell was meant to fail: its tag says so, or a comment on the failing statement.
    remarks : tuple of str
        What was found out about this error besides, a line each.
    foreseen : bool
        Whether it was told before its statement began, while the cell ran.
    """

    id: str
    at: str
    situation: Situation
    stage: Literal["syntax", "run", "display"]
    exceptions: tuple[ExceptionInfo, ...]
    lineno: int | None = None
    lookup: Lookup | None = None
    syntax: SyntaxProblem | None = None
    callee: Callee | None = None
    expected: bool = False
    remarks: tuple[str, ...] = ()
    foreseen: bool = False

    @property
    def error(self) -> ExceptionInfo:
        """The exception that was raised."""
        return self.exceptions[0]

    @property
    def title(self) -> str:
        """The error in one line, as the end of a traceback has it, without the name that a cell has as a file."""
        first_line = self.error.evalue.strip().partition("\n")[0]
        if self.stage == "syntax":
            first_line = _PLACE.sub("", first_line)
        told = f"{self.error.ename}: {first_line}" if first_line else self.error.ename
        return f"Line {self.lineno} will fail: {told}" if self.foreseen and self.lineno else told


LONGEST_WISH = 8_000
"""Characters of a request in words: a model is told all of it."""
LONGEST_HINT = 2_000
"""The same of what the user adds when a model is asked."""


@dataclasses.dataclass(frozen=True)
class Wish:
    """Code that somebody asks for, though nothing failed.

    Parameters
    ----------
    id : str
        Short and random.
    at : str
        When, ISO 8601 in UTC.
    situation : Situation
        Of the place where it is wanted.
    words : str
        What it is to do.
    request : str
        The part of the source that is the request itself, as a magic has it: the code takes its place, with the words
        above it as a comment. Empty: the source is code that is to be changed.
    """

    id: str
    at: str
    situation: Situation
    words: str
    request: str = ""

    @property
    def title(self) -> str:
        """What is wanted, in one line."""
        return self.words.strip().partition("\n")[0]

    @property
    def code(self) -> str:
        """The code as it stands; empty where there is none yet."""
        return "" if self.request else self.situation.source

    def with_code(self, code: str) -> str:
        """The whole source once the code stands in the place of what is there."""
        if not self.request:
            return code
        before, _, after = self.situation.source.partition(self.request)
        indent = before[before.rfind("\n") + 1 :] if before else ""
        indent = indent if not indent.strip() else ""
        text = "\n".join([*(f"# {line}".rstrip() for line in self.words.strip().split("\n")), code.strip("\n")])
        return before + text.replace("\n", f"\n{indent}") + after


Cause = Failure | Wish
"""Why a fix is wanted."""
