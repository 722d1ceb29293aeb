"""The function that refused its arguments, and the parameters that it really has."""

from __future__ import annotations

import ast
import re
from typing import Any

from reflex_ipython.capture import chain, safe_inspection, signatures, statement
from reflex_ipython.capture.bounds import SummaryDeadline, clip
from reflex_ipython.capture.safe_repr import ReprBudget, safe_repr
from reflex_ipython.capture.trace import Step, user_step
from reflex_ipython.models import Callee

_REFUSED = re.compile(
    r"(?:([\w.<>]+)\(\) )?(?:missing \d+ required|takes [\w ]*argument|got multiple values for|missing required arg"
    r"|got an unexpected keyword|got some positional-only)|'\w+' is an invalid keyword"
    r"|expected at (?:most|least) \d+ arg"
)
_MOST = 60  # parameters
# Where classes live whose objects are got from a property, which is not computed here.
_HOMES = {
    "StringMethods": "pandas.core.strings.accessor",
    "DataFrameGroupBy": "pandas.core.groupby.generic",
    "SeriesGroupBy": "pandas.core.groupby.generic",
    "GroupBy": "pandas.core.groupby.groupby",
    "NDFrame": "pandas.core.generic",
    "Rolling": "pandas.core.window.rolling",
    "PlotAccessor": "pandas.plotting._core",
    "Axes": "matplotlib.axes._axes",
    "Figure": "matplotlib.figure",
}


def callee(exc: BaseException, steps: list[Step]) -> Callee | None:
    """The function as the user wrote it, and its parameters; None if no call was refused, or which is not known.

    Parameters
    ----------
    exc : BaseException
    steps : list of Step
        Its traceback.
    """
    step = user_step(steps)
    match = _REFUSED.search(chain.message(exc)) if safe_inspection.is_a(exc, TypeError, AttributeError) else None
    if step is None or match is None:
        return None
    name = match[1] or ""
    call = _call(step, name)
    function = statement.evaluate(call.func, step) if call else safe_inspection.MISSING
    if function is safe_inspection.MISSING:
        function = _by_name(name, step)
    if function is safe_inspection.MISSING:
        return None
    written = statement.write(call.func) if call else name
    return Callee(clip(written, 200), clip(safe_inspection.type_name(function), 200), _parameters(function))


def _call(step: Step, name: str) -> ast.Call | None:
    """The call in the failing statement: of a function of that name, else the only one."""
    parts = name.split(".")
    last = parts[-2] if parts[-1] in ("__init__", "__new__", "__call__") and len(parts) > 1 else parts[-1]
    calls = [node for node in statement.failing(step) if isinstance(node, ast.Call)]
    named = [node for node in calls if statement.write(node.func).rpartition(".")[2] == last]
    found = named or calls[:1]
    return found[0] if found else None


def _by_name(name: str, step: Step) -> Any:
    """A method of the user's class or of a well-known one, by the name that the message gives: `DataFrame.drop`."""
    owner, _, method = name.rpartition(".")
    if not owner.isidentifier():
        return safe_inspection.MISSING
    cls = step.variable(owner)
    if cls is safe_inspection.MISSING:
        cls = safe_inspection.loaded(_HOMES.get(owner, "pandas"), owner)
    return safe_inspection.attribute(cls, method) if safe_inspection.is_a(cls, type) else safe_inspection.MISSING


def _parameters(function: Any) -> tuple[str, ...]:
    found = signatures.parameters(function)
    if found is None:
        return ()
    told: list[str] = []
    budget = ReprBudget(SummaryDeadline(0.02, 0.02), text=40, depth=1)
    for position, one in enumerate(found[:_MOST]):
        if position == 0 and one.name in ("self", "cls"):
            continue  # found as its class has it
        if one.kind == "keyword" and not any(text.startswith("*") and not text.startswith("**") for text in told):
            told.append("*")
        mark = one.kind if one.kind in ("*", "**") else ""
        default = "" if one.default is safe_inspection.MISSING else f"={safe_repr(one.default, budget)}"
        told.append(f"{mark}{one.name}{default}")
    return tuple(told)
