"""The comm to the pages: every tab that shows this kernel's notebook and has our labextension."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, get_args

from reflex_ipython.ipython.messages import COMM_TARGET, FromKernel, FromPage, Hello

_KINDS: dict[str, Any] = {kind.type: kind for kind in get_args(FromPage)}


def parse(data: Any) -> FromPage:
    """A message of the page.

    Raises
    ------
    ValueError
        If it is none that we know, or its fields are not what they should be.
    """
    if not isinstance(data, dict) or data.get("type") not in _KINDS:
        raise ValueError(f"no message that is known: {str(data)[:100]}")
    kind = _KINDS[data["type"]]
    fields = {field.name: data.get(field.name) for field in dataclasses.fields(kind)}
    wrong = [name for name, value in fields.items() if not isinstance(value, (str, bool))]
    if wrong:
        raise ValueError(f"{data['type']}: {', '.join(wrong)} missing or of the wrong kind")
    message: FromPage = kind(**fields)
    return message


def dump(message: FromKernel) -> dict[str, Any]:
    """A message to the page, as JSON."""
    return {"type": message.type, **dataclasses.asdict(message)}


class Page:
    """All pages together; a message names the one that it is for, if it is for one only.

    Parameters
    ----------
    receive : callable
        Is given each message of a page, on whichever thread it came.
    warn : callable
    """

    def __init__(self, receive: Callable[[FromPage], None], warn: Callable[[str], None]) -> None:
        self.clients: set[str] = set()
        self._receive = receive
        self._warn = warn
        self._comm: Any = None

    def open(self) -> Callable[[], None]:
        """Tell the pages that we are here; gives the function that closes the comm."""
        from comm import create_comm, get_comm_manager

        comm = self._comm = create_comm(target_name=COMM_TARGET, data={})

        def keep(message: Any) -> None:
            # A front end that does not know our target closes the comm for all the others. It is kept for those.
            comm._closed = False
            get_comm_manager().register_comm(comm)

        comm.on_msg(self._on_message)
        comm.on_close(keep)

        def close() -> None:
            comm.on_close(None)
            comm.close()
            self._comm = None
            self.clients.clear()

        return close

    def send(self, message: FromKernel) -> None:
        """To all pages."""
        if self._comm is not None and self.clients:
            self._comm.send(dump(message))

    def _on_message(self, raw: Any) -> None:
        try:
            message = parse(raw["content"]["data"])
        except ValueError as error:
            self._warn(f"a message of the page was not understood: {error}")
            return
        if isinstance(message, Hello):
            self.clients.add(message.client)
        self._receive(message)
