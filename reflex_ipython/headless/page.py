"""The page of a notebook, played: it draws the panels, and accepts a fix as a click does."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from reflex_ipython.present.panel import MIME
from reflex_ipython.version import __version__

TARGET = "reflex_ipython"
"""The name of the extension's comm."""
BROUGHT = "reflex"
"""Where a display brings what would else come over the comm."""
OUT_OF_DATE = "Look at the fix again"
"""In the answer to who accepts what has changed meanwhile."""


class Drawn(NamedTuple):
    """A panel as the page got it, and when it was sent, by the kernel's clock."""

    state: dict[str, Any]
    at: datetime


class CellOutcome(Protocol):
    """What came of running a cell."""

    @property
    def succeeded(self) -> bool:
        """Whether it raised nothing."""


AnyRan = TypeVar("AnyRan", bound=CellOutcome, covariant=True)


class PageKernel(Protocol[AnyRan]):
    """What a page needs of its kernel."""

    @property
    def session(self) -> str:
        """The id of this client's connection."""

    async def comm(self, target: str) -> str:
        """The id of the comm that has that name; raises if there is none."""

    def tell(self, comm: str, data: dict[str, Any]) -> None:
        """Send a message over a comm."""

    async def hear(self, end: float, waiting_for: str) -> dict[str, Any]:
        """The next message to all front ends, until a time of the monotonic clock; the page has heard it by then."""

    async def run(self, source: str, cell: str) -> AnyRan:
        """Run a cell to its end, with that source."""


class FixDeclined(Exception):
    """The kernel does not accept a fix; the text says why."""


class Page(Generic[AnyRan]):
    """A page with the labextension in it.

    Parameters
    ----------
    kernel : PageKernel
        It has loaded the extension, and hands each message to `heard`.
    patience : float
        Seconds for whatever it is asked.
    cells : mapping of str to str
        The sources of the notebook's code cells by their ids, in its order.
    """

    def __init__(self, kernel: PageKernel[AnyRan], patience: float, cells: Mapping[str, str]) -> None:
        self._kernel = kernel
        self._patience = patience
        self._cells = dict(cells)
        self._requests = itertools.count(1)
        self._drawn: dict[str, list[Drawn]] = {}
        self._comm = ""

    @property
    def cells(self) -> dict[str, str]:
        """The sources of the notebook's code cells by their ids, as accepted fixes have made them."""
        return dict(self._cells)

    def state(self, repair: str) -> dict[str, Any] | None:
        """The newest panel of a repair; None if it has none."""
        drawn = self._drawn.get(repair)
        return drawn[-1].state if drawn else None

    async def open(self) -> None:
        """Say hello."""
        self._comm = await self._kernel.comm(TARGET)
        await self.catch_up()

    async def catch_up(self) -> None:
        """Hear all that was said of the repairs up to now, in the outputs as well: pages are told of a change first.

        A kernel changes no repair while it answers, so that whatever it shows of a change is out by then.
        """
        self._hello()
        await self._until(lambda message: self._told(message).get("type") == "welcome", "the answer to hello")

    async def settled(self, repair: str) -> list[Drawn]:
        """All panels of a repair, the last one when nobody is at work on it any more.

        Parameters
        ----------
        repair : str
            The repair's id.

        Returns
        -------
        list of Drawn
            Empty if it has no panel.
        """
        drawn = self._drawn.get(repair, [])
        while drawn and drawn[-1].state["working"]:
            await self._until(lambda message: "state" in self._told(message), "the end of the repair")
        return list(drawn)

    async def accept(self, state: dict[str, Any], fix: str) -> AnyRan:
        """Accept a fix of a panel: its cells are rewritten, those that run first run, and then the failed one again.

        Parameters
        ----------
        state : dict
            The panel.
        fix : str
            The id of one of its fixes.

        Returns
        -------
        CellOutcome
            Of the rewritten cell; of one that runs first, if that fails.

        Raises
        ------
        FixDeclined
            If the kernel says no.
        """
        answer = await self._accept(state, fix)
        while OUT_OF_DATE in answer.get("reason", ""):  # something was found meanwhile
            answer = await self._accept(await self._newest(state["repair"]), fix)
        if answer["type"] == "declined":
            raise FixDeclined(answer["reason"])
        self._cells |= {edit["cell"]: edit["source"] for edit in answer["edits"]}
        self._tell("applied", request=answer["request"], status="applied")
        for first in answer["first"]:
            ran = await self._kernel.run(self._cells[first["cell"]], first["cell"])
            if not ran.succeeded:
                self._tell("applied", request=answer["request"], status="first-failed")
                return ran
        return await self._kernel.run(self._cells[answer["run"]], answer["run"])

    def heard(self, message: dict[str, Any]) -> None:
        """The kernel tells of a panel; or it asks for the notebook's cells while the failing one runs."""
        told = self._told(message)
        if "state" in told:
            drawn = Drawn(told["state"], message["header"]["date"])
            self._drawn.setdefault(told["state"]["repair"], []).append(drawn)
        if told.get("type") == "want-cells" and told["client"] == self._kernel.session:
            cells = [{"id": id, "source": source, "number": n} for n, (id, source) in enumerate(self._cells.items(), 1)]
            self._tell("cells", request=told["request"], cells=cells)

    async def _accept(self, state: dict[str, Any], fix: str) -> dict[str, Any]:
        shown = next((one for one in state["fixes"] if one["id"] == fix), None)
        if shown is None:
            raise FixDeclined("The fix is not proposed any more.")
        request = f"accept-{next(self._requests)}"
        self._tell(
            "accept", session=state["session"], repair=state["repair"], request=request, client=self._kernel.session,
            shown=shown, sources=[], run=True, whole=False, read=False,
        )  # fmt: skip
        return self._told(
            await self._until(
                lambda message: self._told(message).get("request") == request and "type" in self._told(message),
                "the answer to accepting a fix",
            )
        )

    async def _newest(self, repair: str) -> dict[str, Any]:
        self._hello()
        told = self._told(
            await self._until(
                lambda message: self._told(message).get("state", {}).get("repair") == repair, "the panel's state"
            )
        )
        state: dict[str, Any] = told["state"]
        return state

    def _hello(self) -> None:
        self._tell("hello", client=self._kernel.session, version=__version__)

    def _tell(self, kind: str, **fields: Any) -> None:
        self._kernel.tell(self._comm, {"type": kind, **fields})

    def _told(self, message: dict[str, Any]) -> dict[str, Any]:
        """What a message says to the pages; empty if it is not for them, but of a widget."""
        content = message["content"]
        if message["msg_type"] == "display_data":
            return dict((content.get("transient") or {}).get(BROUGHT) or {})
        ours = message["msg_type"] == "comm_msg" and content["comm_id"] == self._comm
        return dict(content.get("data") or {}) if ours else {}

    async def _until(self, holds: Callable[[dict[str, Any]], bool], waiting_for: str) -> dict[str, Any]:
        end = time.monotonic() + self._patience
        while not holds(message := await self._kernel.hear(end, waiting_for)):
            pass
        return message


def acceptable(state: dict[str, Any]) -> list[dict[str, Any]]:
    """The fixes of a panel that may be accepted without anybody looking: those that install nothing."""
    return [fix for fix in state["fixes"] if not fix["installs"]]


def repair_shown(message: Mapping[str, Any]) -> str:
    """The id of the repair whose panel a message displays; empty if it displays none."""
    data = message["content"].get("data") or {}
    return str(data[MIME]["repair"]) if MIME in data else ""
