"""What a person is asked where several things may be meant (`Repair.is_choice`)."""

from __future__ import annotations

from reflex_ipython.models import Repair

SEVERAL_RUN = "Several fixes run, with different results. Which one is meant?"
SEVERAL = "Several fixes are possible. Which one is meant?"
ONE_RUNS = "This runs, but nothing else says that it is meant."
ONE = "This may be meant. It has not been tried."
ONE_STOPPED = "This may be meant. Its trial did not come to its end."
_RECORDS = {
    SEVERAL_RUN: "Several fixes ran, with different results: it was asked which one is meant.",
    SEVERAL: "Several fixes were possible: it was asked which one is meant.",
    ONE_RUNS: "It ran, but nothing else said that it is meant.",
    ONE: "It may have been meant; it had not been tried.",
    ONE_STOPPED: "It may have been meant; its trial did not come to its end.",
}


def question(repair: Repair) -> str:
    """The question in plain words, or why a single fix is not an answer; empty where there is nothing to choose."""
    if not repair.is_choice:
        return ""
    passed = sum(repair.verdict(fix).outcome == "passed" for fix in repair.fixes)
    if len(repair.fixes) == 1:
        tried = repair.verdict(repair.fixes[0]).outcome != "not_tried"
        return ONE_RUNS if passed else ONE_STOPPED if tried else ONE
    return SEVERAL_RUN if passed > 1 else SEVERAL


def was_asked(repair: Repair) -> str:
    """The same as a record."""
    return _RECORDS.get(question(repair), "")
