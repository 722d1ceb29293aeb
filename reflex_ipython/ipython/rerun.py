"""Running an accepted fix in the failed cell's place, where no labextension can rewrite the cell.

With the failed cell's message as the parent, all that the run puts out lands in that cell, whatever the front end.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from reflex_ipython.ipython.publish import on_main_thread


def run_in_place(kernel: Any, parent: dict[str, Any], source: str) -> None:
    """Clear the failed cell's output and run `source` into it, as soon as the kernel is free.

    Parameters
    ----------
    kernel : ipykernel.ipkernel.IPythonKernel
    parent : dict
        The message that ran the cell that failed.
    source : str
        The accepted source.
    """
    on_main_thread(kernel, lambda: asyncio.ensure_future(_run(kernel, parent, source)))


async def _run(kernel: Any, parent: dict[str, Any], source: str) -> None:
    shell = kernel.shell
    before = shell.get_parent()
    shell.set_parent(parent)
    kernel._publish_status("busy", "shell", parent)
    kernel.pre_handler_hook()  # without it Ctrl-C would do nothing here
    try:
        shell.display_pub.clear_output(wait=True)
        await _execute(shell, source, (parent.get("metadata") or {}).get("cellId"))
    finally:
        kernel.post_handler_hook()
        sys.stdout.flush()
        sys.stderr.flush()
        kernel._publish_status("idle", "shell", parent)
        shell.set_parent(before)


async def _execute(shell: Any, source: str, cell_id: str | None) -> None:
    transformed, trouble = source, None
    try:
        transformed = shell.transform_cell(source)
    except Exception:  # noqa: BLE001 - as IPython does: the cell's own error message follows
        trouble = sys.exc_info()
    result = None
    try:
        result = await shell.run_cell_async(
            source, store_history=True, transformed_cell=transformed, preprocessing_exc_tuple=trouble, cell_id=cell_id
        )
    finally:
        shell.events.trigger("post_execute")
        shell.events.trigger("post_run_cell", result)
