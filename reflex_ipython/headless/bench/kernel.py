"""A fresh kernel in a process and a folder of its own, and what a front end sees of it."""

from __future__ import annotations

import itertools
import os
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.manager import AsyncKernelManager

from reflex_ipython.headless.page import repair_shown

STARTING = 120.0
"""Seconds: for a kernel to be ready on a busy machine."""
LOOK = 0.5
"""Seconds: so often it is looked whether a kernel that says nothing is still there, and still wanted."""
TEXTS = ("stream", "execute_result", "display_data")


class KernelTrouble(Exception):
    """A kernel ended, or did not do in time what it was asked; the text says what."""


class Stopped(Exception):
    """Nobody wants the result any more."""


@dataclass(frozen=True)
class BenchRun:
    """What a front end sees of one execution."""

    reply: dict[str, Any]
    messages: tuple[dict[str, Any], ...]

    @property
    def succeeded(self) -> bool:
        """Whether it raised nothing."""
        return bool(self.reply["status"] == "ok")

    @property
    def ename(self) -> str:
        """The class of the exception that it raised; empty if none."""
        return str(self.reply.get("ename", ""))

    @property
    def repair(self) -> str:
        """The id of the repair whose panel it shows; empty if it shows none."""
        return next((found for message in self.messages if (found := repair_shown(message))), "")

    @property
    def failed_at(self) -> datetime | None:
        """When its error was sent, by the kernel's clock."""
        return next((message["header"]["date"] for message in self.messages if message["msg_type"] == "error"), None)

    def shown(self, panels: str) -> str:
        """The text that it shows.

        Parameters
        ----------
        panels : str
            The MIME type of what is no output of the cell.
        """
        return "".join(_text(message, panels) for message in self.messages if message["msg_type"] in TEXTS)


def _text(message: dict[str, Any], panels: str) -> str:
    content = message["content"]
    if message["msg_type"] == "stream":
        return str(content["text"])
    data = content["data"]
    return "" if panels in data else str(data.get("text/plain", "")) + "\n"


class BenchKernel:
    """A kernel and its client; an asynchronous context manager, at whose end no process is left.

    Parameters
    ----------
    folder : Path
        Where it runs.
    environment : mapping of str to str
        All its environment variables.
    patience : float
        Seconds for whatever it is asked.
    stop : Event
        Set: what is waited for is not wanted any more.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str], patience: float, stop: threading.Event) -> None:
        self._folder = folder
        self._environment = dict(environment)
        self._patience = patience
        self._stop = stop
        self._numbers = itertools.count(1)
        self.on_message: Callable[[dict[str, Any]], None] = lambda message: None
        """Is given each message to all front ends, when it is heard."""

    async def __aenter__(self) -> BenchKernel:
        home = self._environment["HOME"]
        # No port that another process may take meanwhile, where there is another way.
        how = {"transport": "ipc", "ip": os.path.join(home, "kernel")} if os.name == "posix" else {}
        connection = os.path.join(home, "kernel.json")
        self._manager = AsyncKernelManager(kernel_name="python3", connection_file=connection, **how)
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        await self._manager.start_kernel(cwd=str(self._folder), env=self._environment, **silent)
        try:
            self.client: AsyncKernelClient = self._manager.client()
            self.client.start_channels()
            await self._wait_until_ready()
        except BaseException:
            await self._end()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._end()

    async def run(self, source: str, cell: str = "", **content: Any) -> BenchRun:
        """Run a cell to its end.

        Parameters
        ----------
        source : str
        cell : str
            Its id; empty: one that no other has.
        **content
            Of the request, where it differs from that of a notebook.

        Raises
        ------
        KernelTrouble
            If it does not end in time, or the kernel ends.
        """
        request = {
            "code": source, "silent": False, "store_history": True, "user_expressions": {},
            "allow_stdin": False, "stop_on_error": False, **content,
        }  # fmt: skip
        metadata = {"cellId": cell or f"cell-{next(self._numbers)}"}
        message = self.client.session.msg("execute_request", request, metadata=metadata)
        self.client.shell_channel.send(message)
        sent, end = message["header"]["msg_id"], time.monotonic() + self._patience
        messages = []
        while True:
            said = await self.hear(end, f"the cell {_shortened(source)}")
            if said["parent_header"].get("msg_id") == sent:
                messages.append(said)
                if _is_idle(said):
                    return BenchRun(await self._reply(sent, end), tuple(messages))

    async def value(self, expression: str) -> str:
        """The `repr` of an expression's value in the user's namespace, or its error in a line; nothing else changes."""
        ran = await self.run("", silent=True, store_history=False, user_expressions={"value": expression})
        found = ran.reply["user_expressions"]["value"]
        if found["status"] == "ok":
            return str(found["data"]["text/plain"])
        return f"{found['ename']}: {found['evalue']}"

    async def hear(self, end: float, waiting_for: str) -> dict[str, Any]:
        """The next message to all front ends.

        Parameters
        ----------
        end : float
            Until when, by the monotonic clock.
        waiting_for : str
            What does not come if this raises, in words.

        Raises
        ------
        KernelTrouble
            If none comes in time, or the kernel ends.
        """
        while True:
            await self._look(end, waiting_for)
            try:
                timeout = min(LOOK, max(end - time.monotonic(), 0.01))
                heard: dict[str, Any] = await self.client.get_iopub_msg(timeout=timeout)
            except queue.Empty:
                continue
            self.on_message(heard)
            return heard

    async def comm(self, target: str) -> str:
        """The id of the comm that a page finds under that name.

        Raises
        ------
        KernelTrouble
            If there is none.
        """
        found = await self._reply(self.client.comm_info(target), time.monotonic() + self._patience)
        comms = found["comms"]
        if not comms:
            raise KernelTrouble(f"the kernel has no comm {target!r}")
        return str(next(iter(comms)))

    def tell(self, comm: str, data: dict[str, Any]) -> None:
        """Send a message over a comm, as a page does."""
        message = self.client.session.msg("comm_msg", {"comm_id": comm, "data": data})
        self.client.shell_channel.send(message)

    @property
    def session(self) -> str:
        """The id of this client's connection."""
        return str(self.client.session.session)

    async def _reply(self, request: str, end: float) -> dict[str, Any]:
        while True:
            await self._look(end, "the reply to a request")
            try:
                reply = await self.client.get_shell_msg(timeout=min(LOOK, max(end - time.monotonic(), 0.01)))
            except queue.Empty:
                continue
            if reply["parent_header"].get("msg_id") == request:
                return dict(reply["content"])

    async def _wait_until_ready(self) -> None:
        """Until it answers, and what it sends to all arrives here: the first of it is lost before the socket is up."""
        end = time.monotonic() + max(STARTING, self._patience)
        while True:
            request = self.client.kernel_info()
            await self._reply(request, end)
            try:
                while not (_is_idle(said := await self.client.get_iopub_msg(timeout=LOOK))):
                    pass
            except queue.Empty:
                await self._look(end, "its start")
                continue
            if said["parent_header"].get("msg_id") == request:
                return

    async def _look(self, end: float, waiting_for: str) -> None:
        if self._stop.is_set():
            raise Stopped
        if not await self._manager.is_alive():
            raise KernelTrouble("the kernel ended")
        if time.monotonic() > end:
            raise KernelTrouble(f"{waiting_for} did not come to an end in {self._patience:.0f} s")

    async def _end(self) -> None:
        if hasattr(self, "client"):
            self.client.stop_channels()
        await self._manager.shutdown_kernel(now=True)
        await self._manager.cleanup_resources()
        if hasattr(self, "client"):
            self.client.context.destroy(linger=0)


def own_environment(folder: Path, caches: Path, *, network: bool) -> dict[str, str]:
    """The environment variables of a kernel that reads and writes in folders of its own, and knows no key.

    Parameters
    ----------
    folder : Path
        Its home.
    caches : Path
        What is slow to make and the same for all.
    network : bool
        Whether it may reach a model, with the key that this process has. Without: a proxy that is not there
        stands between it and the rest of the world.
    """
    private = () if network else ("OPENAI_", "REFLEX_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(private or ("REFLEX_",))}
    nowhere = "http://127.0.0.1:9"
    proxies = {} if network else dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), nowhere)
    return {
        **kept,
        **proxies,
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
        "IPYTHONDIR": str(folder / "ipython"),
        "JUPYTER_CONFIG_DIR": str(folder / "jupyter"),
        "MPLCONFIGDIR": str(caches),
        "PIP_NO_INDEX": "1",
    }


def _is_idle(message: dict[str, Any]) -> bool:
    return bool(message["msg_type"] == "status" and message["content"]["execution_state"] == "idle")


def _shortened(source: str) -> str:
    first, _, more = source.strip().partition("\n")
    return f"`{first[:60]}{' …' if more or len(first) > 60 else ''}`"
