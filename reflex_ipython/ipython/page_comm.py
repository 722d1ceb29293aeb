"""The comm to the pages: every tab that shows this kernel's notebook and has our labextension."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

COMM_TARGET = "reflex_ipython"
REQUEST = "reflex_request"
"""The type of a message that is no comm's. On the control channel: a kernel without subshells reads no other while a
cell runs. On the shell channel: it is read before the cell that the page sends next. In the metadata of the request to
run a cell: it comes with that cell.
"""


def said_by_page(kernel: Any) -> Any:
    """What a page says in the message that the kernel is handling; None if that is no message on that comm.

    Parameters
    ----------
    kernel : ipykernel.kernelbase.Kernel
    """
    message = kernel.get_parent()
    if message.get("header", {}).get("msg_type") != "comm_msg":
        return None
    from comm import get_comm_manager

    found = get_comm_manager().comms.get(message["content"].get("comm_id"))
    return message["content"].get("data") if getattr(found, "target_name", None) == COMM_TARGET else None


class PageComm:
    """All pages together; a message names the one that it is for, if it is for one only.

    Parameters
    ----------
    receive : callable
        Is given each message of a page, a JSON object, on whichever thread it came.
    kernel : ipykernel.kernelbase.Kernel
        Whose control and shell channels are listened to as well, if it has some that can be.
    """

    def __init__(self, receive: Callable[[Any], None], kernel: Any) -> None:
        self._kernel = kernel
        self.clients: set[str] = set()
        """The ids of the connections that have said hello."""
        self._receive = receive
        self._comm: Any = None
        self._brought = ""  # the id of the request that brought something last

    def open(self) -> Callable[[], None]:
        """Tell the pages that we are here; gives the function that closes the comm."""
        from comm import create_comm, get_comm_manager  # a kernel has it; a terminal need not

        comm = self._comm = create_comm(target_name=COMM_TARGET, data={})
        # ipykernel 7.4 would hand a page's message to the shell that sent last: a click would wait for what runs.
        comm._reply_subshell_for = lambda data, subshell: subshell

        def keep(message: Any) -> None:
            # A front end that does not know our target closes the comm for all the others. It is kept for those.
            comm._closed = False
            get_comm_manager().register_comm(comm)

        comm.on_msg(lambda message: self._receive(message["content"]["data"]))
        comm.on_close(keep)

        # A kernel that is not ipykernel's has none: there, a page is heard between two cells, and nothing is foreseen.
        channels = [getattr(self._kernel, name, {}) for name in ("control_handlers", "shell_handlers")]
        for handlers in channels:
            handlers[REQUEST] = self._asked

        def close() -> None:
            for handlers in channels:
                handlers.pop(REQUEST, None)
            comm.on_close(None)
            comm.close()
            self._comm = None
            self.clients.clear()

        return close

    async def _asked(self, stream: Any, ident: Any, parent: Any) -> None:
        """A message has come that is no comm's."""
        self._receive(parent["content"])
        self._kernel.session.send(stream, REQUEST.replace("request", "reply"), {"status": "ok"}, parent, ident)

    def brought(self, request: dict[str, Any]) -> Any:
        """What came with a request to run a cell, told once: code that goes on behind the cell may run other code.

        None for most. It is not heard by itself: what a file says of its cells comes in the same way.
        """
        found = (request.get("metadata") or {}).get(REQUEST)
        if found is None or request["header"]["msg_id"] == self._brought:
            return None
        self._brought = request["header"]["msg_id"]
        return found

    def send(self, message: dict[str, Any]) -> None:
        """To all pages."""
        if self._comm is not None and self.clients:
            self._comm.send(message)
