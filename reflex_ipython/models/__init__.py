"""The data of the project: plain, frozen and bounded, and it round-trips through JSON.

Nothing in here holds a user's object: what is known about a live value is its `ValueSummary`.
"""

from reflex_ipython.models.cell_changes import (
    CellChanges,
    applied_changes,
    cell_changes,
    step_name,
    target_name,
    why_not,
)
from reflex_ipython.models.execution import Execution, ExecutionAttempt, execution, is_as_asked
from reflex_ipython.models.failure import (
    LONGEST_HINT,
    LONGEST_WISH,
    Callee,
    Cause,
    ExceptionInfo,
    Failure,
    Frame,
    Lookup,
    SyntaxProblem,
    Wish,
)
from reflex_ipython.models.fix import LIKELY, Edit, Exchange, Fix, Install, RunCell, Step, Usage, is_rival
from reflex_ipython.models.history import RepairFilter, RepairSummary, Tally
from reflex_ipython.models.lesson import Lesson, Precedent
from reflex_ipython.models.repair import Asked, Decision, Repair, RepairOutcome, Rerun, StaleCell
from reflex_ipython.models.replay import REPLAYED, Replay
from reflex_ipython.models.serialized import from_json, to_json
from reflex_ipython.models.situation import (
    CellRef,
    CellSource,
    DefinitionRef,
    FileRef,
    FileSource,
    SimilarCode,
    Situation,
    Target,
    ValueKind,
    ValueSummary,
)
from reflex_ipython.models.stamps import moment, new_id, now
from reflex_ipython.models.trial import MOST_CHANGES, Access, Effect, NameChange, Outcome, Trial, ValueFacts
from reflex_ipython.models.verdict import Finding, RunOption, Verdict

__all__ = [
    "LIKELY",
    "LONGEST_HINT",
    "LONGEST_WISH",
    "MOST_CHANGES",
    "REPLAYED",
    "Access",
    "Asked",
    "Callee",
    "Cause",
    "CellChanges",
    "CellRef",
    "CellSource",
    "Decision",
    "DefinitionRef",
    "Edit",
    "Effect",
    "ExceptionInfo",
    "Exchange",
    "Execution",
    "ExecutionAttempt",
    "Failure",
    "FileRef",
    "FileSource",
    "Finding",
    "Fix",
    "Frame",
    "Install",
    "Lesson",
    "Lookup",
    "NameChange",
    "Outcome",
    "Precedent",
    "Repair",
    "RepairFilter",
    "RepairOutcome",
    "RepairSummary",
    "Replay",
    "Rerun",
    "RunCell",
    "RunOption",
    "SimilarCode",
    "Situation",
    "StaleCell",
    "Step",
    "SyntaxProblem",
    "Tally",
    "Target",
    "Trial",
    "Usage",
    "ValueFacts",
    "ValueKind",
    "ValueSummary",
    "Verdict",
    "Wish",
    "applied_changes",
    "cell_changes",
    "execution",
    "from_json",
    "is_as_asked",
    "is_rival",
    "moment",
    "new_id",
    "now",
    "step_name",
    "target_name",
    "to_json",
    "why_not",
]
