"""What of an accepted run would be done twice, once it is known how the trial went."""

from __future__ import annotations

import dataclasses
import re

from reflex_ipython.models import RunOption, Verdict
from reflex_ipython.state.effect import WORKERS

_HANDED = re.compile(rf"{WORKERS}|.* \((?:distributed\.client\.Client|multiprocessing\.context\.\w+)\)")
"""How that is told: as what was done, or as an object that it goes through and that can't be put back."""


def with_run_options(verdict: Verdict, run_options: tuple[RunOption, ...]) -> Verdict:
    """The verdict, and how the accepted cell can be run.

    Work for other processes that the trial has done in the copy, where it touched nothing outside, may be done again.

    Parameters
    ----------
    verdict : Verdict
    run_options : tuple of RunOption
        What the failed run has done is known here, and not what came of the trial.
    """
    if verdict.outcome == "passed" and verdict.trial is not None and not verdict.trial.accesses:
        run_options = tuple(
            dataclasses.replace(option, repeats=tuple(text for text in option.repeats if not _HANDED.fullmatch(text)))
            for option in run_options
        )
    return dataclasses.replace(verdict, run_options=run_options)
