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
from reflex_ipython.models.failure import Callee, Cause, ExceptionInfo, Failure, Frame, Lookup, SyntaxProblem, Wish
from reflex_ipython.models.fix import LIKELY, Edit, Fix, Install, RunCell, Step, Usage, is_rival
from reflex_ipython.models.repair import Decision, Repair, Rerun
from reflex_ipython.models.serialized import from_json, to_json
from reflex_ipython.models.situation import (
    CellRef,
    CellSource,
    DefinitionRef,
    FileRef,
    Situation,
    Target,
    ValueKind,
    ValueSummary,
)
from reflex_ipython.models.stamps import moment, new_id, now
from reflex_ipython.models.trial import Access, Effect, NameChange, Outcome, Trial, ValueFacts
from reflex_ipython.models.verdict import Finding, RunOption, Verdict

__all__ = [
    "LIKELY",
    "Access",
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
    "Failure",
    "FileRef",
    "Finding",
    "Fix",
    "Frame",
    "Install",
    "Lookup",
    "NameChange",
    "Outcome",
    "Repair",
    "Rerun",
    "RunCell",
    "RunOption",
    "Situation",
    "Step",
    "SyntaxProblem",
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
    "from_json",
    "is_rival",
    "moment",
    "new_id",
    "now",
    "step_name",
    "target_name",
    "to_json",
    "why_not",
]
