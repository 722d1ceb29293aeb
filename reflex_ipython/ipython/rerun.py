"""Running an accepted fix in the failed cell's place, where no labextension can rewrite the cell.

With the failed cell's message as the parent, all that the run puts out lands in that cell, whatever the front end.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable, Coroutine
from typing import Any

from reflex_ipython.ipython.cell_context import CellContext
from reflex_ipython.ipython.publish import let_out, on_main_thread

_running: set[asyncio.Future[None]] = set()
"""A loop itself holds its tasks weakly."""


def run_in_place(
    kernel: Any, parent: dict[str, Any], source: str, then: Callable[[], None], where: CellContext | None
) -> None:
    """Clear the failed cell's output and run `source` into it, as soon as the kernel is free.

    Parameters
    ----------
    kernel : ipykernel.ipkernel.IPythonKernel
    parent : dict
        The message that ran the cell that failed.
    source : str
        The accepted source.
    then : callable
        Called when it has run; what it shows comes below the output.
    where : CellContext or None
        Where cells run: what it sets in context variables is there for the next ones. None: it is not known.
    """

    def start() -> None:
        in_turn = _in_turn(kernel, parent, source, then)
        task = asyncio.ensure_future(in_turn) if where is None else where.start(in_turn)
        _running.add(task)
        task.add_done_callback(_running.discard)

    on_main_thread(kernel, start)


async def _in_turn(kernel: Any, parent: dict[str, Any], source: str, then: Callable[[], None]) -> None:
    """Not while a cell awaits: ipykernel 7 runs one at a time under this lock; before it, messages were queued."""
    async with getattr(kernel, "_main_asyncio_lock", None) or contextlib.nullcontext():
        await _run(kernel, parent, source, then)


async def _run(kernel: Any, parent: dict[str, Any], source: str, then: Callable[[], None]) -> None:
    shell = kernel.shell
    before = shell.get_parent()
    shell.set_parent(parent)
    kernel._publish_status("busy", "shell", parent)
    kernel.pre_handler_hook()  # without it Ctrl-C would do nothing here
    try:
        shell.display_pub.clear_output(wait=True)
        await _execute(kernel, source, (parent.get("metadata") or {}).get("cellId"))
        then()
    finally:
        kernel.post_handler_hook()
        let_out()
        kernel._publish_status("idle", "shell", parent)
        shell.set_parent(before)


async def _execute(kernel: Any, source: str, cell_id: str | None) -> None:
    shell = kernel.shell
    transformed, trouble = source, None
    try:
        transformed = shell.transform_cell(source)
    except Exception:  # noqa: BLE001 - as IPython does: the cell's own error message follows
        trouble = sys.exc_info()
    prepared = {"transformed_cell": transformed, "preprocessing_exc_tuple": trouble}
    running = shell.run_cell_async(source, store_history=True, cell_id=cell_id, **prepared)
    result = None
    try:
        if shell.should_run_async(source, **prepared):
            result = await _interruptible(kernel, running)
        else:
            result = await running
    finally:
        shell.events.trigger("post_execute")
        shell.events.trigger("post_run_cell", result)


async def _interruptible(kernel: Any, running: Coroutine[Any, Any, Any]) -> Any:
    """Await a cell that awaits: Ctrl-C would hit the kernel's loop, so it has to cancel the cell instead."""
    task = asyncio.ensure_future(running)
    with kernel._cancel_on_sigint(task), contextlib.suppress(asyncio.CancelledError):
        return await task
