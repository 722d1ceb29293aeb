"""What was seen when a fix was tried in a copy of the kernel."""

from __future__ import annotations

import dataclasses
from typing import Literal

from reflex_ipython.models.failure import Lookup
from reflex_ipython.models.replay import Replay

Outcome = Literal["passed", "other_error", "blocked", "timed_out", "inconclusive", "not_tried"]


@dataclasses.dataclass(frozen=True)
class ValueFacts:
    """What can be measured of a value without looking inside.

    Parameters
    ----------
    type : str
        The qualified name of its type, `pandas.DataFrame`.
    shape : tuple of int, or None
        Of an array or table.
    dtype : str
        Of an array; empty for what has none, or several.
    length : int or None
        What `len` gives, for the types whose `len` is known to be harmless.
    text : str
        A small plain value as Python writes it; empty for any other.
    """

    type: str
    shape: tuple[int, ...] | None = None
    dtype: str = ""
    length: int | None = None
    text: str = ""


MOST_CHANGES = 200
"""Names that a trial tells of: those that were there before come first."""


@dataclasses.dataclass(frozen=True)
class NameChange:
    """What a trial did to one name of the namespace.

    Parameters
    ----------
    name : str
        The user's name.
    kind : str
        "rebound": it is another object now; "changed": it is the same object with another content.
    before, after : ValueFacts or None
        None where the name was not there.
    """

    name: str
    kind: Literal["added", "removed", "rebound", "changed"]
    before: ValueFacts | None = None
    after: ValueFacts | None = None


@dataclasses.dataclass(frozen=True)
class Access:
    """Something outside the kernel that a trial wanted to change or reach, and was not allowed to.

    Parameters
    ----------
    kind : str
        The family.
    text : str
        In words that follow "wants to": "write to out.csv", "connect to example.org:443".
    """

    kind: Literal["file", "network", "process", "signal", "thread", "input"]
    text: str


@dataclasses.dataclass(frozen=True)
class Effect:
    """Something that a trial did to a stand-in, and a real run does outside the kernel; or that a trial can't judge.

    Parameters
    ----------
    text : str
        In words that follow "it": "writes 12 bytes to the open file out.txt", "commits to sales.db".
    names : tuple of str
        The user's names that lead there, sorted, where they are known.
    """

    text: str
    names: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Trial:
    """What happened when a fix ran in a copy of the kernel. Every text in it is bounded.

    Parameters
    ----------
    outcome : str
        One of `Outcome`.
    reason : str
        In words, for every outcome but "passed" and "other_error".
    ename, evalue : str
        The exception that ended the run; empty if none did.
    lineno : int or None
        The line of the failing cell's new source that raised it, or that still ran when time was up; 1-based.
    statement : str
        The text of that line.
    stdout : str
        What was printed, errors included.
    result : str
        The last expression's text.
    mime_types : tuple of str
        The MIME types of all that was displayed, each once.
    figures : int
        How many PNG images were displayed.
    image : str
        The first of them, base64; empty if there was none, or too large a one.
    changes : tuple of NameChange
        What it did to the user's names, in the order of their names.
    accesses : tuple of Access
        What it wanted to touch outside.
    effects : tuple of Effect
        What it did to what was open before, on stand-ins.
    seconds, cpu_seconds : float
        Of the run alone: on the wall, and of the processor.
    peak_bytes : int
        The memory that it needed on top of what there was.
    missing : tuple of str
        The protections that this system does not offer.
    digest : str
        Equal for trials in copies of one kernel that came to the same, as far as can be told.
    replay : Replay or None
        What came of recorded calls of the changed functions; None: none were recorded.
    lookup : Lookup or None
        What the exception that ended the run says was looked up in vain, and the nearest of what is there.
    """

    outcome: Outcome = "not_tried"
    reason: str = ""
    ename: str = ""
    evalue: str = ""
    lineno: int | None = None
    statement: str = ""
    stdout: str = ""
    result: str = ""
    mime_types: tuple[str, ...] = ()
    figures: int = 0
    image: str = ""
    changes: tuple[NameChange, ...] = ()
    accesses: tuple[Access, ...] = ()
    effects: tuple[Effect, ...] = ()
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0
    missing: tuple[str, ...] = ()
    digest: str = ""
    replay: Replay | None = None
    lookup: Lookup | None = None
