"""What is asked of a history, and its answers: which repairs, in a line each, and how many came to what."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class RepairFilter:
    """Which repairs are meant: those that fit all that is given.

    Parameters
    ----------
    text : str
        Words that begin so in the error, the cell or the explanation, all of them.
    ename : str
        The exception's class, `KeyError`.
    notebook : str
        The end of the notebook's path: its name will do.
    since, until : str
        ISO 8601 in UTC: from this moment on, and before that one. A date is its first moment.
    accepted : bool or None
        True: only accepted ones; False: only ones that were not accepted; None: all.
    outcome, provider, rule, model, session, id, revised : str
        Exactly so.
    """

    text: str = ""
    ename: str = ""
    notebook: str = ""
    since: str = ""
    until: str = ""
    accepted: bool | None = None
    outcome: str = ""
    provider: str = ""
    rule: str = ""
    model: str = ""
    session: str = ""
    id: str = ""
    revised: str = ""


@dataclasses.dataclass(frozen=True)
class RepairSummary:
    """One repair in a line.

    Parameters
    ----------
    id, session, at, notebook, author : str
        As in `Repair`; `at` is the failure's.
    cell_id : str or None
    execution_count : int or None
    ename : str
        Empty for a wish.
    title : str
    provider, rule, model : str
        Of the fix that was decided on, else of the first; the rule's name and the model's, where it was one.
    outcome : str
    succeeded : bool or None
        Of the run after it; None if there was none.
    seconds : float
        What models took.
    tokens : int
        What models took and gave.
    """

    id: str
    session: str
    at: str
    notebook: str
    author: str
    cell_id: str | None
    execution_count: int | None
    ename: str
    title: str
    provider: str
    rule: str
    model: str
    outcome: str
    succeeded: bool | None
    seconds: float
    tokens: int


@dataclasses.dataclass(frozen=True)
class Tally:
    """How many repairs came to one outcome in some time.

    Parameters
    ----------
    dimension : str
        What is counted by: "all", "ename", "provider", "rule" or "model".
    value : str
        Of that dimension: `KeyError`. Empty for "all".
    period : str
        The day, `2026-11-03`, for "all"; the month, `2026-11`, for the others.
    outcome : str
    repairs : int
    seconds : float
        What models took for all of them.
    tokens : int
    """

    dimension: str
    value: str
    period: str
    outcome: str
    repairs: int
    seconds: float = 0.0
    tokens: int = 0
