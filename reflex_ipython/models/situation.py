"""What is known when code is wanted: where it stands, its text, and what is there for it to use."""

from __future__ import annotations

import dataclasses
import re
from typing import Literal

ValueKind = Literal["table", "array", "mapping", "sequence", "function", "module", "scalar", "object", "unknown"]


@dataclasses.dataclass(frozen=True)
class CellRef:
    """Which cell is meant.

    Parameters
    ----------
    id : str or None
        The cell's id as the front end gives it; None where it gives none (nbclient, a terminal).
    execution_count : int or None
        The number in `In [n]`.
    """

    id: str | None = None
    execution_count: int | None = None


@dataclasses.dataclass(frozen=True)
class DefinitionRef:
    """A function or class that lives in memory.

    Parameters
    ----------
    module : str
        The module that it was defined in, `__main__` for one of a notebook's own.
    qualname : str
        Its qualified name there, `Model.fit`.
    """

    module: str
    qualname: str

    @property
    def name(self) -> str:
        """Its qualified name."""
        return self.qualname


@dataclasses.dataclass(frozen=True)
class FileRef:
    """A file of the user's own project.

    Parameters
    ----------
    path : str
        Absolute.
    """

    path: str

    @property
    def name(self) -> str:
        """The last part of its path, `model.py`."""
        return re.split(r"[/\\]", self.path)[-1]


Target = FileRef | DefinitionRef | CellRef
"""What an edit rewrites. `CellRef` comes last: all of its fields may be missing from a JSON object."""


@dataclasses.dataclass(frozen=True)
class CellSource:
    """A cell that ran earlier, with the text that ran.

    Parameters
    ----------
    cell : CellRef
    source : str
    error : str
        What ended that run, in one line, as the end of a traceback has it; empty if nothing did, or it is not known.
    error_line : int or None
        The line of the cell (1-based) on which that was.
    runs : tuple of int
        The numbers of the runs of this very text before this one, the latest last (bounded).
    edited : bool
        Whether the cell has run with another text since.
    """

    cell: CellRef
    source: str
    error: str = dataclasses.field(default="", compare=False)
    error_line: int | None = dataclasses.field(default=None, compare=False)
    runs: tuple[int, ...] = dataclasses.field(default=(), compare=False)
    edited: bool = dataclasses.field(default=False, compare=False)

    @property
    def target(self) -> CellRef:
        """What an edit of it rewrites."""
        return self.cell


@dataclasses.dataclass(frozen=True)
class FileSource:
    """A file of the user's own in which something failed, or one function, with the text that ran.

    Parameters
    ----------
    file : FileRef or DefinitionRef
    source : str
        Its text, with plain line feeds.
    filename : str
        The name of the file as its code has it.
    module : str
        The name of the module that was made of it.
    """

    file: FileRef | DefinitionRef
    source: str
    filename: str
    module: str = ""

    @property
    def target(self) -> FileRef | DefinitionRef:
        """What an edit of it rewrites."""
        return self.file


@dataclasses.dataclass(frozen=True)
class ValueSummary:
    """What is known of a live value: bounded text, never the value.

    Parameters
    ----------
    name : str
        The variable's name in its frame.
    type : str
        The qualified name of the value's type, `pandas.DataFrame`.
    text : str
        A few lines that describe it: shape, dtypes, some rows, a signature.
    kind : str
        The family of the value: one of `ValueKind`. "unknown" when it could not be looked at.
    labels : tuple of str
        The columns, keys or public attributes that are really there (bounded).
    """

    name: str
    type: str
    text: str
    kind: ValueKind = "object"
    labels: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class SimilarCode:
    """A function or cell that is like the code in question.

    Parameters
    ----------
    place : str
        Where it stands: `In [3]`, or the path of a file from the working folder on.
    name : str
        The function's; empty for the statements of a cell.
    source : str
        Its text (bounded).
    """

    place: str
    name: str
    source: str


@dataclasses.dataclass(frozen=True)
class Situation:
    """All that the later stages may know of the place where code is wanted, whether something failed there or not.

    Parameters
    ----------
    place : Target
        Where the code stands, or is to stand.
    source : str
        Its raw text, magics included; empty if there is none yet.
    names : tuple of str
        The user's names in the namespace (bounded).
    meanings : dict of str to str
        The names among those that stand for modules, or for functions and classes of modules: `np` for `numpy`.
    values : tuple of ValueSummary
        What is known of names in play that no frame of a failure tells of.
    earlier : tuple of CellSource
        The earlier cells that define what this code reads, and every cell of a failure's traceback that has not run
        with another text since.
    versions : dict of str to str
        The libraries in play and their versions.
    python : str
        Python's version.
    types : dict of str to str
        The user's latest names and the qualified types of their values, without modules (bounded).
    runs : tuple of int
        The numbers of the runs of this very text before this one (bounded).
    files : tuple of FileSource
        The files of the user's own in which it failed, if they still have the text that ran.
    similar : tuple of SimilarCode
        What is most like it elsewhere; found only where somebody is asked who takes their time.
    """

    place: Target
    source: str
    names: tuple[str, ...] = ()
    meanings: dict[str, str] = dataclasses.field(default_factory=dict)
    values: tuple[ValueSummary, ...] = ()
    earlier: tuple[CellSource, ...] = ()
    versions: dict[str, str] = dataclasses.field(default_factory=dict)
    python: str = ""
    types: dict[str, str] = dataclasses.field(default_factory=dict)
    runs: tuple[int, ...] = ()
    files: tuple[FileSource, ...] = ()
    similar: tuple[SimilarCode, ...] = ()

    @property
    def cell(self) -> CellRef:
        """The cell that the code is; a reference to no cell where it is none."""
        return self.place if isinstance(self.place, CellRef) else CellRef()
