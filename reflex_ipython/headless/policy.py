"""Which fix of a panel is accepted where nobody looks at it: a function of the panel alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

Policy = Literal["proven", "always", "never"]
"""Whom a fix has to convince. "proven": it ran in a copy of the kernel, nothing speaks against it, nothing would happen
twice. "always": the best one is taken as long as it is not dangerous. "never": fixes are looked for, none is taken."""
POLICIES: tuple[Policy, ...] = get_args(Policy)

EXPECTED = "The cell says itself that it is meant to fail."
NO_FIX = "No fix was found."
NEVER = "No fix is to be accepted."


@dataclass(frozen=True)
class PolicyChoice:
    """What a policy makes of a panel. `fix`: the accepted one as the panel has it; None: `why_not` says why."""

    fix: Mapping[str, Any] | None
    why_not: str = ""


def choose(
    panel: Mapping[str, Any], policy: Policy, *, install: bool = False, later: Collection[str] = ()
) -> PolicyChoice:
    """The fix of a panel that is accepted.

    Parameters
    ----------
    panel : mapping
        A settled `PanelState` as JSON.
    policy : Policy
    install : bool
        Whether a well-known package that the error asks for may be installed.
    later : collection of str
        The ids of the cells below the failing one. A notebook that needs one of these first does not run from the top.

    Returns
    -------
    PolicyChoice
    """
    fixes = panel["fixes"]
    if not fixes:
        return PolicyChoice(None, (panel["notice"] or {}).get("text") or NO_FIX)
    if policy == "never":
        return PolicyChoice(None, NEVER)
    if panel["quiet"]:
        return PolicyChoice(None, EXPECTED)
    if policy == "proven" and panel["question"]:
        return PolicyChoice(None, "Several things may be meant: choose one in the notebook.")
    first = ""
    for fix in fixes:
        objection = next(_objections(fix, policy, install, later), "")
        if not objection:
            return PolicyChoice(fix)
        first = first or objection
    return PolicyChoice(None, first)


def _objections(fix: Mapping[str, Any], policy: Policy, install: bool, later: Collection[str]) -> Iterator[str]:
    """What speaks against accepting a fix unseen, in sentences."""
    if fix["refused"]:
        yield fix["refused"]
    if fix["dangerous"]:
        yield "The fix is dangerous: read it in the notebook first."
    files = [edit["label"] for edit in fix["edits"] if edit["file"] and edit["source"] != edit["expected"]]
    if files:
        yield f"It would rewrite {', '.join(files)}: look at that in the notebook, and accept it there."
    if fix["installs"] and not install:
        yield f"It needs {', '.join(fix['installs'])}, and nothing is installed unless --install is given."
    if any(step["cell"]["id"] in later for step in fix["first"]):
        yield "A cell further down would have to run first: the notebook's cells are in the wrong order."
    if policy == "proven":
        yield from _doubts(fix)


def _doubts(fix: Mapping[str, Any]) -> Iterator[str]:
    """What keeps a fix from being proven. What installs something can't be tried before."""
    tone = fix["verdict"]["tone"]
    if tone != "good" and not (fix["installs"] and tone == "plain"):
        yield f"Its best fix is not proven: {fix['verdict']['text'].split(' · ')[0]}."
    if fix["run_options"]:
        yield f"Its run {fix['run_options'][0]['repeats']}. Choose in the notebook how it is to run."
