"""What a candidate is given to do."""

from __future__ import annotations

from dataclasses import dataclass

from reflex_ipython.check.trial.inheritance import Inheritance
from reflex_ipython.check.trial.limits import Limits
from reflex_ipython.check.trial.sandbox import Sandbox
from reflex_ipython.models import CellChanges


@dataclass(frozen=True)
class Task:
    """What one copy is to do.

    Parameters
    ----------
    changes : CellChanges
    limits : Limits
    sandbox : Sandbox
        The walls to put up.
    scratch : str
        The folder where it may write.
    in_loop : bool
        Whether cells run inside an event loop here.
    result, trace : int
        Descriptors: where the result goes, and where it hangs when time is up.
    line : int
        A socket: who reads at its other end is asked about what the cell opens.
    inheritance : Inheritance
        What was there before the copy.
    """

    changes: CellChanges
    limits: Limits
    sandbox: Sandbox
    scratch: str
    in_loop: bool
    result: int
    trace: int
    line: int
    inheritance: Inheritance

    @property
    def source(self) -> str:
        """The failing cell's new source."""
        return self.changes.failing.source
