"""What a run of a notebook may use up: memory, output; and why its kernel ended, if it did."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Any

from jupyter_core.utils import ensure_async
from nbclient.client import NotebookClient
from traitlets import Integer

MAX_OUTPUT = 100_000_000
"""Bytes: a notebook's file with more is opened by no front end."""


LOOK = 0.005
"""Seconds: so often it is looked whether a kernel that is to end has ended."""


class Limited(NotebookClient):
    """An nbclient whose kernel has bounds.

    Parameters
    ----------
    memory : int
        Bytes that the kernel may have for its data; 0: no limit of ours. Linux only.
    max_output : int
        Bytes that its cells may show together.
    """

    km: Any

    memory = Integer(0)
    max_output = Integer(MAX_OUTPUT)
    iopub_timeout = Integer(60)  # seconds that what a cell shows may come behind its reply: later, nbclient drops it

    def __init__(self, *arguments: Any, **traits: Any) -> None:
        super().__init__(*arguments, **traits)
        self.shown = 0
        """Bytes that its cells have shown."""
        self.process: Any = None
        """That of the kernel, once it was started."""
        self._socket_folder = ""

    @property
    def too_much(self) -> bool:
        """Whether a cell was interrupted because it showed more than it may."""
        return bool(self.shown > self.max_output)

    @property
    def killed_by(self) -> int | None:
        """The signal that ended the kernel; None if none did."""
        code = getattr(self.process, "returncode", None)
        return -code if code is not None and code < 0 else None

    async def async_start_new_kernel(self, **kwargs: Any) -> None:
        """Start it within its bounds."""
        if os.name == "posix":  # no port that another process may take meanwhile
            self._socket_folder = tempfile.mkdtemp(prefix="reflex-")
            self.km.transport, self.km.ip = "ipc", os.path.join(self._socket_folder, "k")
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}  # the process itself, not its cells
        await super().async_start_new_kernel(**{**silent, **kwargs})
        self.process = getattr(self.km.provisioner, "process", None)
        if self.memory and self.process is not None and sys.platform == "linux":
            import resource

            resource.prlimit(self.process.pid, resource.RLIMIT_DATA, (self.memory, self.memory))

    async def _async_cleanup_kernel(self) -> None:
        try:
            await self._ended()
            await super()._async_cleanup_kernel()
        finally:
            if self._socket_folder:
                shutil.rmtree(self._socket_folder, ignore_errors=True)

    async def _ended(self) -> None:
        """Ask the kernel to end, and see at once that it has: jupyter_client itself looks every 0.1 s, which is a tenth
        of a small notebook's time. One that does not end in its time is left to the manager's own means.
        """
        manager = self.km
        if self.shutdown_kernel == "immediate" or not await ensure_async(manager.is_alive()):
            return
        await ensure_async(manager.request_shutdown())
        end = time.monotonic() + manager.shutdown_wait_time / 2
        while time.monotonic() < end and await ensure_async(manager.is_alive()):
            await asyncio.sleep(LOOK)

    def process_message(self, msg: dict[str, Any], cell: Any, cell_index: int) -> Any:
        """Take in a message; what shows something beyond the limit interrupts the cell, and is not kept."""
        before = self.too_much
        self.shown += _size(msg["content"])
        if not self.too_much or msg["msg_type"] in ("status", "error", "execute_input"):
            return super().process_message(msg, cell, cell_index)
        if not before:
            self._interrupt = asyncio.ensure_future(ensure_async(self.km.interrupt_kernel()))
        return None


def _size(content: dict[str, Any]) -> int:
    """About how many bytes of a notebook's file the content of a message takes."""
    texts = [content.get("text"), *(content.get("data") or {}).values()]
    return sum(len(text) for text in texts if isinstance(text, str))
