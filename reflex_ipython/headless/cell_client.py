"""A kernel's client that says which cell it runs, and lets all that it hears be heard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.channels import AsyncZMQSocketChannel
from traitlets import Type


class HeardChannel(AsyncZMQSocketChannel):
    """A channel whose messages are told of, whoever receives them: nbclient drops those that no cell of its sent."""

    on_message: Callable[[dict[str, Any]], None] | None = None

    async def get_msg(self, timeout: float | None = None) -> dict[str, Any]:  # type: ignore[override]  # as its base does
        """The next message, once it was told of."""
        message: dict[str, Any] = await super().get_msg(timeout)
        if self.on_message is not None:
            self.on_message(message)
        return message


class CellClient(AsyncKernelClient):
    """A client that sends with a cell what a page sends: its id and its tags. nbclient sends neither."""

    iopub_channel_class = Type(HeardChannel)
    cell_metadata: dict[str, Any] | None = None
    """Goes with whatever is executed next."""

    def execute(
        self,
        code: str,
        silent: bool = False,
        store_history: bool = True,
        user_expressions: dict[str, Any] | None = None,
        allow_stdin: bool | None = None,
        stop_on_error: bool = True,
    ) -> str:
        """Send a cell; gives the message's id."""
        content = {
            "code": code, "silent": silent, "store_history": store_history,
            "user_expressions": user_expressions or {},
            "allow_stdin": self.allow_stdin if allow_stdin is None else allow_stdin, "stop_on_error": stop_on_error,
        }  # fmt: skip
        message = self.session.msg("execute_request", content, metadata=dict(self.cell_metadata or {}))
        self.shell_channel.send(message)
        return str(message["header"]["msg_id"])
