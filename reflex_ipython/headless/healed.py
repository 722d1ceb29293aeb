"""What came of healing a notebook: plain data that travels between processes and is written down."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Status = Literal[
    "clean", "healed", "failed", "unverified", "invalid", "no-kernel", "kernel-died", "out-of-memory", "timeout",
    "input", "too-much-output", "unwritten", "interrupted",
]  # fmt: skip
EXIT_CODES: dict[Status, int] = {
    "clean": 0, "healed": 0, "failed": 1, "invalid": 2, "unwritten": 2, "unverified": 3, "no-kernel": 4,
    "kernel-died": 5, "out-of-memory": 6, "timeout": 7, "input": 8, "too-much-output": 9, "interrupted": 130,
}  # fmt: skip
"""What a process ends with whose notebook came to this; 2 is what can't be done as it was asked for."""
GOOD: frozenset[Status] = frozenset(("clean", "healed"))
METADATA = "reflex_ipython"
"""Where the metadata of a changed cell say what was changed."""


@dataclass(frozen=True)
class CellChange:
    """A cell that a repair has rewritten. `number`: its place among all cells, from 1."""

    number: int
    before: str
    after: str


@dataclass(frozen=True)
class CellRepair:
    """What failed in a notebook and what became of it.

    Parameters
    ----------
    id : str
        The repair's id, as in the history.
    number : int
        The place of the failing cell among all cells, from 1.
    error : str
        In one line.
    accepted : bool
        Whether a fix was accepted.
    origin, explanation : str
        Of the accepted fix; of the best one that was not.
    verdict : str
        What was known of it before, in a line.
    outcome : str
        What became of it, in a line: how the accepted run went, or why none was accepted.
    changes : tuple of CellChange
        The cells that the accepted fix has rewritten.
    succeeded : bool
        Whether the accepted run raised nothing.
    """

    id: str
    number: int
    error: str
    accepted: bool = False
    origin: str = ""
    explanation: str = ""
    verdict: str = ""
    outcome: str = ""
    changes: tuple[CellChange, ...] = ()
    succeeded: bool = False

    @property
    def error_class(self) -> str:
        """The class of the exception."""
        return self.error.partition(":")[0]


@dataclass(frozen=True)
class Difference:
    """A cell that shows something else when the healed notebook runs from the top. `lines`: of a unified diff."""

    number: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Verification:
    """How a healed notebook ran from the top, in a fresh kernel, without anything of ours in it.

    Parameters
    ----------
    error : str
        Why it did not run to its end, in a sentence; empty: it did.
    differences : tuple of Difference
        The cells that show something else there.
    """

    error: str = ""
    differences: tuple[Difference, ...] = ()

    @property
    def words(self) -> str:
        """What there is to say of it."""
        if self.error:
            return f"A run from the top fails: {self.error}"
        if not self.differences:
            return "Verified: a run from the top shows the same."
        cells = ", ".join(str(one.number) for one in self.differences)
        return f"A run from the top ends well, and shows something else in cell {cells}."


@dataclass(frozen=True)
class HealedNotebook:
    """A notebook that ran, with what was repaired on the way.

    Parameters
    ----------
    notebook : NotebookNode or None
        As far as it came, with the outputs; None if it could not even be read.
    status : str
        One of `Status`.
    left : str
        What is left to be done by a person, in a sentence; empty: nothing.
    repairs : tuple of CellRepair
        In their order.
    verification : Verification or None
        None: nothing was healed, or it was not asked for.
    seconds : float
        For all of it.
    traceback : str
        Of the cell that failed in the end, as the kernel coloured it.
    """

    notebook: Any
    status: Status
    left: str = ""
    repairs: tuple[CellRepair, ...] = ()
    verification: Verification | None = None
    seconds: float = 0.0
    traceback: str = ""

    @property
    def exit_code(self) -> int:
        """What a process ends with that has healed this."""
        return EXIT_CODES[self.status]

    @property
    def accepted(self) -> tuple[CellRepair, ...]:
        """The repairs whose fix was accepted."""
        return tuple(repair for repair in self.repairs if repair.accepted)

    @property
    def words(self) -> str:
        """What came of it, in a sentence or two."""
        if self.status == "clean":
            return "Ran without an error."
        cells = len({repair.number for repair in self.repairs if repair.succeeded})
        healed = f"{cells} cell{'s' if cells != 1 else ''} healed." if cells else ""
        verified = self.verification.words if self.verification is not None and self.status == "healed" else ""
        return " ".join(filter(None, (healed, verified, self.left)))

    def summary(self) -> dict[str, Any]:
        """All of it but the notebook, as a JSON object."""
        document = {name: value for name, value in vars(self).items() if name != "notebook"}
        document["repairs"] = [dataclasses.asdict(repair) for repair in self.repairs]
        document["verification"] = dataclasses.asdict(self.verification) if self.verification else None
        return document


def from_summary(document: Mapping[str, Any], notebook: Any = None) -> HealedNotebook:
    """What `HealedNotebook.summary` has told; fields that are missing have their defaults."""
    known = {field.name for field in dataclasses.fields(HealedNotebook)} - {"notebook"}
    fields = {name: value for name, value in document.items() if name in known}
    fields["repairs"] = tuple(
        CellRepair(**{**repair, "changes": tuple(CellChange(**one) for one in repair.get("changes", ()))})
        for repair in fields.get("repairs", ())
    )
    told = fields.get("verification")
    if told is not None:
        differences = tuple(Difference(one["number"], tuple(one["lines"])) for one in told.get("differences", ()))
        fields["verification"] = Verification(told.get("error", ""), differences)
    return HealedNotebook(notebook, **fields)
