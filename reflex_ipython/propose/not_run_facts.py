"""What a model is told of cells that have not run: their text, why, and what came of running them first. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from reflex_ipython.models import RunCell, Situation
from reflex_ipython.propose.fences import fenced, section
from reflex_ipython.propose.limits import PromptLimits
from reflex_ipython.propose.shorten import one_line, shorten
from reflex_ipython.propose.turns import OF_RULES, what_came
from reflex_ipython.protocols import Attempt

_MOST = 5


def cells_not_run(attempts: Sequence[Attempt], situation: Situation, limits: PromptLimits) -> str:
    """The cells that would give what the failing one lacked, as they were found without a model.

    Parameters
    ----------
    attempts : sequence of Attempt
        What was proposed before; of it those repairs that run cells and change none.
    situation : Situation
    limits : PromptLimits
    """
    found = [attempt for attempt in attempts if attempt.fix.provider == OF_RULES and not attempt.fix.edits]
    told: list[str] = []
    for attempt in found[:_MOST]:
        runs = [step for step in attempt.fix.steps if isinstance(step, RunCell)][:_MOST]
        if runs:
            names = ", ".join(step.name for step in runs)
            told += [_told(step, limits.earlier_size or 300) for step in runs]
            told.append(f"When {names} ran before the failing cell: {what_came(attempt.verdict, situation)}")
    return section("Cells of the notebook that have not run as they stand", *told) if told else ""


def _told(step: RunCell, size: int) -> str:
    why = f"# It {shorten(one_line(step.why), 300)}.\n" if step.why else ""  # inside: it may quote an error's message
    return f"{step.name}:\n{fenced(why + shorten(step.source.strip(), size), 'python')}"
