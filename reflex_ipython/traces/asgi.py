"""An ASGI application whose requests are recorded, with the calls beneath them (ASGI 3.0)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from reflex_ipython.traces.beneath import Beneath, answered
from reflex_ipython.traces.exchanges import Body
from reflex_ipython.traces.raised import raised
from reflex_ipython.traces.recorded import WebExchange
from reflex_ipython.traces.recorder import Answered
from reflex_ipython.traces.recording import Recording

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class TracedASGI:
    """Wraps an application: while the recording is on, each HTTP request is put into it.

    Parameters
    ----------
    application : callable
        As ASGI has it: FastAPI's and Starlette's are.
    recording : Recording
        Of `reflex_ipython.trace()`.
    """

    def __init__(self, application: Application, recording: Recording) -> None:
        self._application = application
        self._recording = recording

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; what is none of HTTP passes as it is."""
        if scope["type"] != "http" or not self._recording.is_on:
            await self._application(scope, receive, send)
        else:
            await self._traced(scope, receive, send)

    async def _traced(self, scope: Scope, receive: Receive, send: Send) -> None:
        request, response = Body(), Body()
        said: list[Any] = [None, []]

        async def receiving() -> MutableMapping[str, Any]:
            message = await receive()
            request.add(message.get("body", b""))
            return message

        async def sending(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                said[:] = [message["status"], message.get("headers", [])]
            elif message["type"] == "http.response.body":
                response.add(message.get("body", b""))
            await send(message)

        error: BaseException | None = None
        began, beneath = self._recording.now(), Beneath(self._recording.next_number())
        around = answered.get()
        answered.set(beneath)
        try:
            await self._application(scope, receiving, sending)
        except Exception as raised_:
            error = raised_
            raise
        finally:
            answered.set(around)
            exchange = WebExchange(
                scope.get("method", ""),
                scope.get("root_path", "") + scope.get("path", ""),
                scope.get("query_string", b"").decode("latin-1"),
                request.message(_texts(scope.get("headers", ()))),
                said[0],
                response.message(_texts(said[1])),
                None if error is None else raised(error, None),
                tuple(beneath.calls),
                start=began,
                duration=self._recording.now() - began,
            )
            self._recording.add(Answered(exchange, self._application, is_asgi=True))


def _texts(headers: Any) -> list[tuple[str, str]]:
    return [(bytes(name).decode("latin-1"), bytes(value).decode("latin-1")) for name, value in headers]
