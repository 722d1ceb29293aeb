"""How a trial runs a cell: the door between the copy of a process and whoever knows what a cell is there."""

from __future__ import annotations

from typing import Any, Protocol

from reflex_ipython.check.trial.outputs import Outputs
from reflex_ipython.models import CellChanges, Edit, Lookup, Replay


class Runner(Protocol):
    """Knows the user's namespace, and how a cell runs in it. All methods are called in a copy of the process."""

    @property
    def namespace(self) -> dict[str, Any]:
        """The namespace that the cell runs in."""

    @property
    def own_files(self) -> tuple[str, ...]:
        """Paths of files that the shell itself has open, and no cell: a copy of the process can only read them."""

    def detach(self) -> None:
        """Cut what leads to the front end: messages, displays, hooks. Called once, before anything else."""

    def rewind(self, changes: CellChanges) -> None:
        """Bring the namespace to the state that an accepted run of the failing cell would start from."""

    def watch(self) -> list[tuple[Any, str]]:
        """Have it told at once when an exception leaves a cell, where other code than ours could hide it.

        Returns
        -------
        list of (object, str)
            Modules, classes or objects, and the name there that running a cell relies on.
        """

    def forget(self, edit: Edit) -> None:
        """Take away the names that an earlier cell's new text gives no more, before that cell runs again."""

    async def apply(self, edit: Edit, outputs: Outputs) -> BaseException | None:
        """Put an earlier cell's or a file's new source into effect as accepting it would. Awaited as `run` is.

        Parameters
        ----------
        edit : Edit
        outputs : Outputs

        Returns
        -------
        BaseException or None
            What it raised.
        """

    async def run(self, source: str, outputs: Outputs) -> BaseException | None:
        """Run a cell. It is awaited in a running event loop if the user's cells run in one, else driven without.

        Parameters
        ----------
        source : str
            The cell's text, magics included.
        outputs : Outputs
            Takes what is displayed. What is printed is taken care of.

        Returns
        -------
        BaseException or None
            What the cell raised.
        """

    def look_up(self, error: BaseException) -> Lookup | None:
        """What an exception that ended a cell says was looked up in vain, and what is there; None if it says nothing.

        Nothing of the user's runs for it.
        """

    async def replay(self, seconds: float) -> Replay | None:
        """Make recorded calls of the functions that the fix has changed again, once it has run. Awaited as `run` is.

        Parameters
        ----------
        seconds : float
            For all of them together.

        Returns
        -------
        Replay or None
            What came of it; None: no call of them was recorded.
        """
