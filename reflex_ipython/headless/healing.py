"""An nbclient that is a page as well: a cell that fails is repaired in its kernel, and goes on where it failed."""

from __future__ import annotations

import math
import time
from queue import Empty
from typing import Any, NamedTuple

from jupyter_core.utils import ensure_async, run_sync
from nbclient.client import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError
from traitlets import Bool, Dict, Enum, Integer

from reflex_ipython.errors import ReflexError
from reflex_ipython.headless.healed import METADATA, CellChange, CellRepair
from reflex_ipython.headless.page import FixDeclined, Page, repair_shown
from reflex_ipython.headless.policy import POLICIES, choose

LOAD = "%load_ext reflex_ipython"
UNATTENDED = {"allowed_hosts": "*", "search_time": 30.0, "trial_timeout": 60.0, "look_ahead": False}
"""Nobody can be asked here, so the settings that chose a model are the consent; and nobody waits, so that there is time
to try what may be meant on a busy machine as well."""
DISPLAY_IDS, NOTE = "reflex-", "-note"
"""How the display ids of the kernel's panels begin, and how those of the lines end that say what became of one."""
LOOK = 0.5
"""Seconds: so often it is looked whether a kernel that says nothing is still there."""


class CantLoad(ReflexError):
    """The kernel can't load the extension; the text says what to do."""


class HealedRun(NamedTuple):
    """What came of running a cell: the error that it raised, if it did, and the id of the repair that was opened."""

    error: CellExecutionError | None
    repair: str

    @property
    def succeeded(self) -> bool:
        """Whether it raised nothing."""
        return self.error is None


class HealingRunner(NotebookClient):
    """Runs a notebook as nbclient does, and heals the cells that would end it.

    Parameters
    ----------
    accept : str
        The policy: one of `policy.POLICIES`.
    attempts : int
        How many fixes are accepted for one cell, one after the other.
    install : bool
        Whether a fix may install a well-known package.
    settings : dict
        Of the extension, by their names.
    """

    km: Any
    kc: Any

    accept = Enum(POLICIES, "proven", help="Which fixes are accepted: proven, always or never.").tag(config=True)
    attempts = Integer(3, min=1, help="How many fixes are accepted for one cell.").tag(config=True)
    install = Bool(False, help="Whether a fix may install a package.").tag(config=True)
    settings = Dict(help="Settings of the extension, by their names.").tag(config=True)

    def reset_execution_trackers(self) -> None:
        """Forget what is known of an earlier run; nbclient calls it before each."""
        super().reset_execution_trackers()
        self.repairs: list[CellRepair] = []
        self.sent = 0
        """The number of the cell that was sent last, from 1."""
        self._page: Page[HealedRun] | None = None
        self._comm = ""

    # ------------------------------------------------------------------------------- nbclient's own methods

    async def async_start_new_kernel_client(self) -> Any:
        """Start the client of a kernel, and have it load the extension."""
        self.km.client_class = "reflex_ipython.headless.cell_client.CellClient"
        client = await super().async_start_new_kernel_client()
        try:
            await self._load(client)
        except BaseException:
            await self._async_cleanup_kernel()
            raise
        return client

    start_new_kernel_client = run_sync(async_start_new_kernel_client)

    async def async_execute_cell(
        self, cell: Any, cell_index: int, execution_count: int | None = None, store_history: bool = True
    ) -> Any:
        """Run a cell; if it fails, repair it.

        Raises
        ------
        CellExecutionError
            If it fails, and no fix was accepted that let it go on.
        """
        ran = await self._run(cell, cell_index, store_history=store_history)
        for _ in range(self.attempts):
            if ran.succeeded or not ran.repair:
                break
            again = await self._repaired(ran.repair, cell_index)
            if again is None:
                break
            ran = again
        if ran.error is not None:
            await self._settle(ran.repair)
            raise ran.error
        return cell

    execute_cell = run_sync(async_execute_cell)

    def process_message(self, msg: dict[str, Any], cell: Any, cell_index: int) -> Any:
        """Take in a message to all front ends; the line on what became of a repair is no output of the cell."""
        display_id = (msg["content"].get("transient") or {}).get("display_id") or ""
        if display_id.startswith(DISPLAY_IDS) and display_id.endswith(NOTE):
            return None
        return super().process_message(msg, cell, cell_index)

    def handle_comm_msg(self, outs: Any, msg: dict[str, Any], cell_index: int) -> None:
        """Take in a message of a widget; what the kernel tells pages is no widget."""
        if msg["content"].get("comm_id") != self._comm:
            super().handle_comm_msg(outs, msg, cell_index)

    # ------------------------------------------------------------------------------- what a page needs of its kernel

    @property
    def session(self) -> str:
        """The id of this client's connection."""
        return str(self.kc.session.session)

    async def comm(self, target: str) -> str:
        """The id of the comm that has that name."""
        reply = await self.async_wait_for_reply(self.kc.comm_info(target))
        self._comm = next(iter((reply or {"content": {"comms": ()}})["content"]["comms"]), "")
        return self._comm

    def tell(self, comm: str, data: dict[str, Any]) -> None:
        """Send a message over a comm."""
        message = self.kc.session.msg("comm_msg", {"comm_id": comm, "data": data})
        self.kc.shell_channel.send(message)

    async def hear(self, end: float, waiting_for: str) -> dict[str, Any]:
        """The next message to all front ends."""
        while time.monotonic() < end:
            if not await ensure_async(self.kc.is_alive()):
                raise DeadKernelError("Kernel died")
            try:
                message: dict[str, Any] = await self.kc.iopub_channel.get_msg(timeout=LOOK)
            except Empty:
                continue
            return message
        raise TimeoutError(f"{waiting_for} did not come")

    async def run(self, source: str, cell: str) -> HealedRun:
        """Run a cell of the notebook with that source."""
        index = self._index(cell)
        self.nb.cells[index].source = source
        return await self._run(self.nb.cells[index], index)

    # -------------------------------------------------------------------------------

    async def _load(self, client: Any) -> None:
        settings = "".join(
            f"\n%config Reflex.{name} = {value!r}" for name, value in (UNATTENDED | self.settings).items()
        )
        reply = await self.async_wait_for_reply(client.execute(LOAD + settings, silent=True, store_history=False))
        content = (reply or {"content": {}})["content"]
        if content.get("status") != "ok":
            raise CantLoad(_why_not_loaded(self.kernel_name, content))
        cells = {self._id(index): cell.source for index, cell in enumerate(self.nb.cells) if cell.cell_type == "code"}
        self._page = Page(self, math.inf, cells)
        client.iopub_channel.on_message = self._heard
        await self._page.open()

    async def _run(self, cell: Any, index: int, *, store_history: bool = True) -> HealedRun:
        """Run a cell as nbclient does, whatever it raises."""
        self.sent = index + 1
        self.clear_display_id_mapping(index)
        self.kc.cell_metadata = {"cellId": self._id(index), "tags": list(cell.metadata.get("tags", ()))}
        try:
            await super().async_execute_cell(cell, index, None, store_history)
        except CellExecutionError as error:
            return HealedRun(error, next(filter(None, map(_repair, cell.outputs)), ""))
        return HealedRun(None, "")

    async def _repaired(self, repair: str, index: int) -> HealedRun | None:
        """Have a repair come to its end, and accept its fix; None if none is accepted."""
        assert self._page is not None
        drawn = await self._page.settled(repair)
        if not drawn:
            return None
        state = drawn[-1].state
        later = {self._id(other) for other in range(index + 1, len(self.nb.cells))}
        choice = choose(state, self.accept, install=self.install, later=later)
        if choice.fix is None:
            self._note(state, next(iter(state["fixes"]), {}), index, choice.why_not)
            return None
        before = {number: cell.source for number, cell in enumerate(self.nb.cells)}
        try:
            ran = await self._page.accept(state, choice.fix["id"])
        except FixDeclined as error:
            self._note(state, choice.fix, index, str(error))
            return None
        for id, source in self._page.cells.items():
            self.nb.cells[self._index(id)].source = source  # one whose functions got new code has not run
        changes = tuple(
            CellChange(number + 1, old, cell.source)
            for (number, old), cell in zip(before.items(), self.nb.cells)
            if cell.source != old
        )
        await self._settle(repair)
        state = self._page.state(repair) or state
        self._note(state, choice.fix, index, (state["notice"] or {}).get("text", ""), changes, succeeded=ran.succeeded)
        return ran

    def _note(
        self,
        state: Any,
        fix: Any,
        index: int,
        outcome: str,
        changes: tuple[CellChange, ...] | None = None,
        *,
        succeeded: bool = False,
    ) -> None:
        """Note what became of a repair, also in the metadata of the cells that it has changed."""
        verdict = fix["verdict"]["text"] if fix else ""
        repair = CellRepair(
            state["repair"], index + 1, state["error"], changes is not None, fix.get("origin", ""),
            fix.get("explanation", ""), verdict, outcome, changes or (), succeeded,
        )  # fmt: skip
        self.repairs.append(repair)
        for change in repair.changes:
            known = self.nb.cells[change.number - 1].metadata.setdefault(METADATA, {}).setdefault("repairs", [])
            told = {"repair": repair.id, "error": repair.error, "origin": repair.origin}
            known.append({**told, "explanation": repair.explanation, "before": change.before})

    async def _settle(self, repair: str) -> None:
        """Hear all that the kernel has to say of a repair up to now: its panel in the notebook is the last one."""
        assert self._page is not None
        if repair:
            await self._page.settled(repair)
        await self._page.catch_up()

    def _heard(self, message: dict[str, Any]) -> None:
        """Every message comes by here, those as well that nbclient drops since no cell runs."""
        assert self._page is not None
        self._page.heard(message)
        display_id = (message["content"].get("transient") or {}).get("display_id") or ""
        if message["msg_type"] == "update_display_data" and display_id.startswith(DISPLAY_IDS):
            self._update_display_id(display_id, {**message, "header": dict(message["header"])})

    def _id(self, index: int) -> str:
        """What the kernel calls a cell; a notebook older than format 4.5 gives its cells no ids."""
        return str(self.nb.cells[index].get("id") or f"cell-{index + 1}")

    def _index(self, id: str) -> int:
        return next(index for index in range(len(self.nb.cells)) if self._id(index) == id)


def _repair(output: Any) -> str:
    return repair_shown({"content": output})


def _why_not_loaded(kernel: str, content: dict[str, Any]) -> str:
    told = f"{content.get('ename', 'no answer')}: {content.get('evalue', '')}".rstrip(": ")
    where = f"The kernel {kernel!r}" if kernel else "The kernel"
    return f"{where} can't load reflex_ipython ({told}). Install it in that kernel's environment."
