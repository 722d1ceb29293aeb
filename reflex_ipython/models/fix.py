"""What is proposed: an ordered list of steps. Texts are complete; diffs and hunks are derived."""

from __future__ import annotations

import dataclasses

from reflex_ipython.models.lesson import Lesson
from reflex_ipython.models.situation import CellRef, Target


@dataclasses.dataclass(frozen=True)
class Edit:
    """A step: the complete new source of something, and the source that it must still have for that to apply."""

    target: Target
    expected: str
    source: str

    @property
    def cell(self) -> CellRef:
        """The cell that it rewrites.

        Raises
        ------
        TypeError
            If it rewrites something else: `cell_changes` has let nothing else through.
        """
        if not isinstance(self.target, CellRef):
            raise TypeError(f"not a cell: {self.target}")
        return self.target


@dataclasses.dataclass(frozen=True)
class RunCell:
    """A step: another cell runs as it is.

    Parameters
    ----------
    cell : CellRef
        Without an execution count if it has not run.
    source : str
        The text that it must still have.
    number : int or None
        Its place in the notebook, from 1; None where the notebook is not known.
    why : str
        What was not given yet, in words that follow its name: "was not run in this session".
    """

    cell: CellRef
    source: str
    number: int | None = None
    why: str = ""

    @property
    def name(self) -> str:
        """The cell as a person finds it: `In [3]`, `cell 5`."""
        if self.cell.execution_count is not None:
            return f"In [{self.cell.execution_count}]"
        return f"cell {self.number}" if self.number is not None else "another cell"


@dataclasses.dataclass(frozen=True)
class Install:
    """A step: a distribution is installed.

    Parameters
    ----------
    requirement : str
        As `pip install` takes it, `pyarrow>=15`.
    """

    requirement: str


Step = Edit | RunCell | Install

LIKELY = 0.5
"""The prior from which on a candidate that runs may be shown as an answer, not as one of several possibilities."""


def is_rival(prior: float, likeliest: float) -> bool:
    """Whether a candidate of that prior, if it comes to something else than the likeliest, makes that a question."""
    return prior >= likeliest / 2


@dataclasses.dataclass(frozen=True)
class Usage:
    """What it took to ask a model.

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
class Exchange:
    """What a model was asked for a fix, and what it answered. Each text is bounded.

    Parameters
    ----------
    question : str
        All messages as they were sent, without secrets, the model's earlier answers of the same chat among them.
    answer : str
        As it came.
    reasoning : str
        What it thought before it answered, where its server gives that.
    """

    question: str
    answer: str
    reasoning: str = ""


@dataclasses.dataclass(frozen=True)
class Fix:
    """A proposed change.

    Parameters
    ----------
    id : str
        Short and random.
    steps : tuple of Step
        In the order in which they are done. The run of the failing code ends them, whether one of them edits it or not.
    explanation : str
        Why this fixes the error, in a sentence or two.
    provider : str
        Who proposes it: "rule", or the model's name.
    detail : str
        Which rule, `closest column`; empty for a model.
    usage : Usage or None
        What it took, for a model.
    prior : float
        How likely it is meant, given that it runs. 1: it is shown at once. Less: it is a candidate, which is tried
        first, and shown if that says for it. Below `LIKELY` nothing but its running speaks for it.
    lesson : Lesson or None
        What was remembered, if that is where it comes from.
    exchange : Exchange or None
        For a model.
    """

    id: str
    steps: tuple[Step, ...]
    explanation: str
    provider: str
    detail: str = ""
    usage: Usage | None = None
    prior: float = 1.0
    lesson: Lesson | None = None
    exchange: Exchange | None = None

    @property
    def is_candidate(self) -> bool:
        """Whether it has to be tried before it is shown."""
        return self.prior < 1

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The steps that rewrite something."""
        return tuple(step for step in self.steps if isinstance(step, Edit))

    @property
    def runs_first(self) -> tuple[RunCell, ...]:
        """The cells that run as they are, before the failing code does."""
        return tuple(step for step in self.steps if isinstance(step, RunCell))

    @property
    def texts(self) -> list[str]:
        """What runs, whole: the cells that run first, and what the edits make."""
        return [*(step.source for step in self.runs_first), *(edit.source for edit in self.edits)]

    def source_of(self, target: Target, otherwise: str) -> str:
        """The source that the target has in the end; `otherwise` if no step rewrites it."""
        return next((edit.source for edit in reversed(self.edits) if edit.target == target), otherwise)

    @property
    def origin(self) -> str:
        """Provider and detail in a few words, `rule: closest column`."""
        return f"{self.provider}: {self.detail}" if self.detail else self.provider
