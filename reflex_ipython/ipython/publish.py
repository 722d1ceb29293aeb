"""Sending displays to the front end directly: past `%%capture` and the like, from any thread, into a given cell."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import Any, Protocol

Bundle = dict[str, Any]
DISPLAY_IDS = "reflex-"
"""How the display ids of all panels begin."""


class Publish(Protocol):
    """Shows a MIME bundle, or changes one that was shown under the same id."""

    def __call__(self, data: Bundle, *, display_id: str, update: bool = False) -> None: ...


def kernel_publisher(kernel: Any) -> Publish:
    """The way of a kernel.

    Parameters
    ----------
    kernel : ipykernel.kernelbase.Kernel
    """

    def publish(data: Bundle, *, display_id: str, update: bool = False) -> None:
        if not update:  # what the cell printed comes first
            sys.stdout.flush()
            sys.stderr.flush()
        kind = "update_display_data" if update else "display_data"
        content = {"data": data, "metadata": {}, "transient": {"display_id": display_id}}
        parent = kernel.shell.get_parent()
        kernel.session.send(kernel.iopub_socket, kind, content, parent=parent, ident=kind.encode())

    return publish


def let_out() -> None:
    """Wait until what the cell has shown has left: the thread that sends it needs the interpreter, and so do we."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # the user may have put anything in their place
            stream.flush()


def on_main_thread(kernel: Any, work: Callable[[], Any]) -> None:
    """Run `work` on the kernel's own loop: comm messages may come on a subshell's thread."""
    kernel.io_loop.add_callback(work)
