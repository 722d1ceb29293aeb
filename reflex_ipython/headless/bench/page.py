"""The page of a notebook, played: it draws the panels, and accepts a fix as a click does."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from reflex_ipython.headless.bench.kernel import Kernel, Ran
from reflex_ipython.present.panel import MIME
from reflex_ipython.version import __version__

TARGET = "reflex_ipython"
"""The name of the extension's comm."""
OUT_OF_DATE = "Look at the fix again"
"""In the answer to who accepts what has changed meanwhile."""


class Drawn(NamedTuple):
    """A panel as the page got it, and when it was sent, by the kernel's clock."""

    state: dict[str, Any]
    at: datetime


class Declined(Exception):
    """The kernel does not accept a fix; the text says why."""


class Page:
    """A page with the labextension in it, which has said hello.

    Parameters
    ----------
    kernel : Kernel
        It has loaded the extension.
    patience : float
        Seconds for whatever it is asked.
    cells : mapping of str to str
        The sources of the notebook's code cells by their ids, in its order.
    """

    def __init__(self, kernel: Kernel, patience: float, cells: Mapping[str, str]) -> None:
        self._kernel = kernel
        self._patience = patience
        self._cells = dict(cells)
        self._requests = itertools.count(1)
        self._drawn: dict[str, list[Drawn]] = {}
        self._comm = kernel.comm(TARGET)
        kernel.on_message = self._heard
        self._hello()
        self._until(lambda message: _told(message).get("type") == "welcome", "the answer to hello")

    def settled(self, ran: Ran) -> list[Drawn]:
        """All panels of the cell that failed, the last one when nobody is at work on it any more.

        Parameters
        ----------
        ran : Ran
            The failed run.

        Returns
        -------
        list of Drawn
            Empty if it has no panel.
        """
        repair = next((found for message in ran.messages if (found := _repair(message))), "")
        drawn = self._drawn.get(repair, [])
        while drawn and drawn[-1].state["working"]:
            self._until(lambda message: "state" in _told(message), "the end of the repair")
        return list(drawn)

    def accept(self, state: dict[str, Any], index: int) -> Ran:
        """Accept a fix of a panel: its cells are rewritten, those that run first run, and then the failed one again.

        Parameters
        ----------
        state : dict
            The panel.
        index : int
            Which of its `acceptable` fixes, from 0.

        Returns
        -------
        Ran
            Of the rewritten cell; of one that runs first, if that fails.

        Raises
        ------
        Declined
            If the kernel says no.
        """
        answer = self._accept(state, index)
        while OUT_OF_DATE in answer.get("reason", ""):  # something was found meanwhile
            answer = self._accept(self._newest(state["repair"]), index)
        if answer["type"] == "declined":
            raise Declined(answer["reason"])
        self._cells |= {edit["cell"]: edit["source"] for edit in answer["edits"]}
        self._tell("applied", request=answer["request"], status="applied")
        for first in answer["first"]:
            ran = self._kernel.run(self._cells[first["cell"]], first["cell"])
            if not ran.succeeded:
                self._tell("applied", request=answer["request"], status="first-failed")
                return ran
        return self._kernel.run(self._cells[answer["run"]], answer["run"])

    def _heard(self, message: dict[str, Any]) -> None:
        """The kernel tells of a panel; or it asks for the notebook's cells while the failing one runs."""
        told = _told(message)
        if "state" in told:
            drawn = Drawn(told["state"], message["header"]["date"])
            self._drawn.setdefault(told["state"]["repair"], []).append(drawn)
        if told.get("type") == "want-cells" and told["client"] == self._kernel.session:
            cells = [{"id": id, "source": source, "number": n} for n, (id, source) in enumerate(self._cells.items(), 1)]
            self._tell("cells", request=told["request"], cells=cells)

    def _accept(self, state: dict[str, Any], index: int) -> dict[str, Any]:
        request = f"bench-{next(self._requests)}"
        self._tell(
            "accept", session=state["session"], repair=state["repair"], request=request, client=self._kernel.session,
            shown=acceptable(state)[index], sources=[], run=True, whole=False, read=False,
        )  # fmt: skip
        return _told(
            self._until(
                lambda message: _told(message).get("request") == request and "type" in _told(message),
                "the answer to accepting a fix",
            )
        )

    def _newest(self, repair: str) -> dict[str, Any]:
        self._hello()
        told = _told(
            self._until(lambda message: _told(message).get("state", {}).get("repair") == repair, "the panel's state")
        )
        state: dict[str, Any] = told["state"]
        return state

    def _hello(self) -> None:
        self._tell("hello", client=self._kernel.session, version=__version__)

    def _tell(self, kind: str, **fields: Any) -> None:
        self._kernel.tell(self._comm, {"type": kind, **fields})

    def _until(self, holds: Callable[[dict[str, Any]], bool], waiting_for: str) -> dict[str, Any]:
        end = time.monotonic() + self._patience
        while not holds(message := self._kernel.hear(end, waiting_for)):
            pass
        return message


def acceptable(state: dict[str, Any]) -> list[dict[str, Any]]:
    """The fixes of a panel that may be accepted without anybody looking: those that install nothing."""
    return [fix for fix in state["fixes"] if not fix["installs"]]


def _told(message: dict[str, Any]) -> dict[str, Any]:
    """What a message says to the pages; empty if it is not for them."""
    return dict(message["content"].get("data") or {}) if message["msg_type"] == "comm_msg" else {}


def _repair(message: dict[str, Any]) -> str:
    """The id of the repair whose panel a message displays; empty if it displays none."""
    data = message["content"].get("data") or {}
    return str(data[MIME]["repair"]) if MIME in data else ""
