"""Sending displays to the front end directly: past `%%capture` and the like, from any thread, into a given cell."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from reflex_ipython.ipython.interrupts import held

if TYPE_CHECKING:
    from reflex_ipython.ipython.from_kernel import FromKernel

Bundle = dict[str, Any]
BROUGHT = "reflex"
"""Where a display brings a message for the pages, among what it says of itself (`labextension/src/lab/link.ts`)."""
DISPLAY_IDS = "reflex-"
"""How the display ids of all panels begin."""


class Publish(Protocol):
    """Shows a MIME bundle, or changes one that was shown under the same id."""

    def __call__(
        self, data: Bundle, *, display_id: str, update: bool = False, brings: FromKernel | None = None
    ) -> None: ...


def kernel_publisher(kernel: Any, has_pages: Callable[[], bool]) -> Publish:
    """The way of a kernel.

    What it brings for the pages goes with it, in what no front end keeps: Jupyter's server has a second small message
    wait until the page's system has confirmed the first, which takes up to 40 ms (Nagle's algorithm, RFC 896, with
    delayed confirmations, RFC 1122 §4.2.3.2).

    Parameters
    ----------
    kernel : ipykernel.kernelbase.Kernel
    has_pages : callable
        Says whether any page has our labextension.
    """

    def publish(data: Bundle, *, display_id: str, update: bool = False, brings: FromKernel | None = None) -> None:
        if not update:  # what the cell printed comes first
            let_out()
        kind = "update_display_data" if update else "display_data"
        transient: dict[str, Any] = {"display_id": display_id}
        if brings is not None and has_pages():
            from reflex_ipython.ipython.from_kernel import dump  # not as the extension is loaded

            transient[BROUGHT] = dump(brings)
        content = {"data": data, "metadata": {}, "transient": transient}
        parent = kernel.shell.get_parent()
        send(kernel, kind, content, parent)

    return publish


def send(kernel: Any, kind: str, content: dict[str, Any], parent: Any) -> None:
    """Send all front ends a message about the request `parent`; no interrupt cuts it in two (`KernelStreams.send`)."""
    with held():
        kernel.session.send(kernel.iopub_socket, kind, content, parent=parent, ident=kind.encode())


def let_out() -> None:
    """Wait until what the cell has shown has left: the thread that sends it needs the interpreter, and so do we."""
    for stream in (sys.stdout, sys.stderr):
        with held(), contextlib.suppress(Exception):  # the user may have put anything in their place
            stream.flush()


def on_main_thread(kernel: Any, work: Callable[[], Any]) -> None:
    """Run `work` on the kernel's own loop: comm messages may come on a subshell's thread."""
    kernel.io_loop.add_callback(work)
