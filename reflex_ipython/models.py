"""The words of the project: plain, frozen, bounded data that round-trips through JSON.

Nothing in here holds an object of the user's: what is known of a live value is its `ValueSummary`.
`to_json` and `from_json` are the two ways through the wall; a field that an older file lacks has its default.
"""

from __future__ import annotations

import dataclasses
import functools
import secrets
import time
from datetime import datetime, timezone
from typing import Any, Literal, TypeVar, cast

# --------------------------------------------------------------------------------------------- what failed

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
class CellSource:
    """A cell that ran earlier, with the text that ran."""

    cell: CellRef
    source: str


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
    """

    filename: str
    function: str
    lineno: int
    source: str = ""
    first_lineno: int = 1
    cell: CellRef | None = None
    variables: tuple[ValueSummary, ...] = ()
    skipped: int = 0


@dataclasses.dataclass(frozen=True)
class ExceptionInfo:
    """One exception of a chain or group.

    Parameters
    ----------
    ename, evalue : str
        The class's name, and the message (bounded).
    relation : str
        How it hangs together with the one before it in `Failure.exceptions`.
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
        What is really there: names, attributes, keys, columns, modules (bounded).
    """

    kind: Literal["name", "attribute", "key", "column", "module", "import", "argument"]
    wanted: str
    owner: str = ""
    owner_type: str = ""
    available: tuple[str, ...] = ()


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
    """One failed execution: all that the later stages may know of it.

    Parameters
    ----------
    id : str
        Short and random.
    at : str
        When, ISO 8601 in UTC.
    cell : CellRef
        The cell that failed.
    source : str
        Its raw text, magics included.
    stage : str
        "syntax": it did not compile; "run": it raised; "display": its result's formatter raised.
    exceptions : tuple of ExceptionInfo
        The one that was raised comes first.
    lineno : int or None
        The cell's own line that failed, 1-based.
    lookup, syntax : optional
        What is known of a failed look-up, or of a cell that does not parse.
    names : tuple of str
        The user's names in the namespace (bounded).
    meanings : dict of str to str
        The names among those that stand for modules, or for functions and classes of modules: `np` for `numpy`.
    earlier : tuple of CellSource
        The earlier cells that define what this cell reads, and every cell of the traceback that has not run with
        another text since.
    versions : dict of str to str
        The libraries of the traceback and their versions.
    python : str
        Python's version.
    """

    id: str
    at: str
    cell: CellRef
    source: str
    stage: Literal["syntax", "run", "display"]
    exceptions: tuple[ExceptionInfo, ...]
    lineno: int | None = None
    lookup: Lookup | None = None
    syntax: SyntaxProblem | None = None
    names: tuple[str, ...] = ()
    earlier: tuple[CellSource, ...] = ()
    versions: dict[str, str] = dataclasses.field(default_factory=dict)
    python: str = ""
    meanings: dict[str, str] = dataclasses.field(default_factory=dict)

    @property
    def error(self) -> ExceptionInfo:
        """The exception that was raised."""
        return self.exceptions[0]

    @property
    def title(self) -> str:
        """The error in one line, as the end of a traceback has it."""
        first_line = self.error.evalue.strip().partition("\n")[0]
        return f"{self.error.ename}: {first_line}" if first_line else self.error.ename


# --------------------------------------------------------------------------------------------- what is proposed


@dataclasses.dataclass(frozen=True)
class CellEdit:
    """A cell's complete new source, and the source that it must still have for the edit to apply."""

    cell: CellRef
    expected: str
    source: str


@dataclasses.dataclass(frozen=True)
class Usage:
    """What asking a model took.

    Parameters
    ----------
    model : str
        The model's name as the server gives it.
    input_tokens, output_tokens : int or None
        As the server counted them; None where it did not say.
    seconds : float
        From the request to the last piece of text.
    cost_usd : float or None
        US dollars, where the price is known.
    """

    model: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float = 0.0
    cost_usd: float | None = None


@dataclasses.dataclass(frozen=True)
class Fix:
    """A proposed change. It holds complete new sources: diffs and hunks are derived.

    Parameters
    ----------
    id : str
        Short and random.
    edits : tuple of CellEdit
        The failing cell's edit comes last, so that what it needs is there before it runs.
    explanation : str
        Why this fixes the error, in a sentence or two.
    provider : str
        Who proposes it: "rule", or the model's name.
    detail : str
        Which rule, `closest column`; empty for a model.
    usage : Usage or None
        What it took, for a model.
    """

    id: str
    edits: tuple[CellEdit, ...]
    explanation: str
    provider: str
    detail: str = ""
    usage: Usage | None = None

    @property
    def edit(self) -> CellEdit:
        """The edit of the failing cell."""
        return self.edits[-1]

    @property
    def origin(self) -> str:
        """Provider and detail in a few words, `rule: closest column`."""
        return f"{self.provider}: {self.detail}" if self.detail else self.provider


# --------------------------------------------------------------------------------------------- what was found out


@dataclasses.dataclass(frozen=True)
class Finding:
    """Something that a careful reviewer would want to know of a fix."""

    code: str
    text: str
    severity: Literal["note", "warning", "danger"] = "warning"


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
    """

    type: str
    shape: tuple[int, ...] | None = None
    dtype: str = ""
    length: int | None = None


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


@dataclasses.dataclass(frozen=True)
class RunOption:
    """One way to run an accepted cell.

    Parameters
    ----------
    line : int or None
        The line of its new source where it goes on, 1-based; None: all of it runs.
    repeats : tuple of str
        What would happen a second time, or starts from what can't be put back: worth a person's yes.
    restores : bool
        Whether the state is put back first. Not once another cell has run.
    first : str
        The lines above that one which run in front of it, in words: they were inserted before what has run.
    """

    line: int | None = None
    repeats: tuple[str, ...] = ()
    restores: bool = True
    first: str = ""


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What is known of a fix before anybody accepts it.

    Parameters
    ----------
    outcome : str
        What happened when it was tried: one of `Outcome`.
    reason : str
        In words, where the outcome needs them.
    findings : tuple of Finding
        From all checkers, in their order.
    run_options : tuple of RunOption
        How an accepted cell can be run: the first is what happens if nobody says otherwise. Empty: it just runs.
    trial : Trial or None
        What was seen when it ran in a copy of the kernel; None where nobody tried yet.
    """

    outcome: Outcome = "not_tried"
    reason: str = ""
    findings: tuple[Finding, ...] = ()
    run_options: tuple[RunOption, ...] = ()
    trial: Trial | None = None

    @property
    def dangerous(self) -> bool:
        """Whether a finding says that running this needs a person's explicit yes."""
        return any(finding.severity == "danger" for finding in self.findings)

    @property
    def repeats(self) -> tuple[str, ...]:
        """What would happen a second time if it runs as it does by itself."""
        return self.run_options[0].repeats if self.run_options else ()


# --------------------------------------------------------------------------------------------- what became of it


@dataclasses.dataclass(frozen=True)
class Decision:
    """What became of a proposal.

    Parameters
    ----------
    kind : str
        "accepted" and "rejected" are the user's; "superseded": the cell ran again or was changed meanwhile.
    at : str
        When, ISO 8601 in UTC.
    fix_id : str or None
        Which fix, for an accepted one.
    source : str or None
        The failing cell's source as it was applied: hunks left out, edits included.
    run : bool
        Whether it was to be run at once.
    earlier : tuple of str
        The new sources of the fix's other cells as they were applied; empty: as the fix has them.
    whole : bool
        Whether all of it was to run, even where it could have been resumed.
    reason : str
        In words, where it needs them.
    """

    kind: Literal["accepted", "rejected", "superseded", "undone"]
    at: str
    fix_id: str | None = None
    source: str | None = None
    run: bool = True
    earlier: tuple[str, ...] = ()
    whole: bool = False
    reason: str = ""


@dataclasses.dataclass(frozen=True)
class Rerun:
    """How the accepted fix went in the user's kernel.

    Parameters
    ----------
    succeeded : bool
    at : str
        When it ended, ISO 8601 in UTC.
    ename, evalue : str
        What it raised, if it did.
    seconds : float
        How long it ran.
    state : str
        What was put back and where it went on, in words; empty if it just ran.
    """

    succeeded: bool
    at: str
    ename: str = ""
    evalue: str = ""
    seconds: float = 0.0
    state: str = ""


@dataclasses.dataclass(frozen=True)
class Repair:
    """One failure with all that came of it: the unit of history."""

    id: str
    session: str
    failure: Failure
    fixes: tuple[Fix, ...] = ()
    verdicts: dict[str, Verdict] = dataclasses.field(default_factory=dict)
    decision: Decision | None = None
    rerun: Rerun | None = None
    trouble: str = ""

    @property
    def applied(self) -> tuple[CellEdit, ...]:
        """The edits of the fix that was accepted, with the sources that were decided for; empty if none was."""
        decision = self.decision
        fix = self.fix(decision.fix_id) if decision is not None else None
        if fix is None or decision is None or decision.source is None:
            return ()
        sources = (*(decision.earlier or (edit.source for edit in fix.edits[:-1])), decision.source)
        return tuple(dataclasses.replace(edit, source=source) for edit, source in zip(fix.edits, sources))

    def verdict(self, fix: Fix) -> Verdict:
        """The verdict on `fix`; a fix that nobody looked at was not tried."""
        return self.verdicts.get(fix.id, Verdict())

    def fix(self, fix_id: str | None) -> Fix | None:
        """The fix with that id, if it is one of this repair's."""
        return next((fix for fix in self.fixes if fix.id == fix_id), None)


# --------------------------------------------------------------------------------------------- through the wall

T = TypeVar("T")


def new_id() -> str:
    """A short random id that a person can type: 8 hexadecimal digits."""
    return secrets.token_hex(4)


def now() -> str:
    """The time now, as `moment` has it."""
    return moment(time.time())


def moment(seconds: float) -> str:
    """A time, ISO 8601 in UTC with milliseconds. `seconds`: since 1970."""
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="milliseconds")


def to_json(value: Any) -> dict[str, Any]:
    """A dataclass of this module as plain dicts, lists, strings, numbers and None."""
    return dataclasses.asdict(value, dict_factory=dict)


def from_json(kind: type[T], data: Any) -> T:
    """The other way: validate `data` and build a `kind`.

    Raises
    ------
    pydantic.ValidationError
        If `data` is not of that shape.
    """
    return cast(T, _adapter(kind).validate_python(data))  # type: ignore[arg-type]  # mypy: a class is hashable


@functools.lru_cache(maxsize=None)
def _adapter(kind: type[Any]) -> Any:
    import pydantic  # 0.1 s to import: only who reads JSON pays

    return pydantic.TypeAdapter(kind)
