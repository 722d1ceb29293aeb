"""A WSGI application whose requests are recorded, with the calls beneath them (PEP 3333)."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from reflex_ipython.traces.beneath import Beneath, answered
from reflex_ipython.traces.exchanges import BODY, Body
from reflex_ipython.traces.raised import raised
from reflex_ipython.traces.recorded import WebExchange
from reflex_ipython.traces.recorder import Answered
from reflex_ipython.traces.recording import Recording

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class TracedWSGI:
    """Wraps an application: while the recording is on, each request is put into it.

    Parameters
    ----------
    application : callable
        As PEP 3333 has it: Flask's and Django's are.
    recording : Recording
        Of `reflex_ipython.trace()`. Before Python 3.12 it sees the calls on its own thread and on those started later.
    """

    def __init__(self, application: Application, recording: Recording) -> None:
        self._application = application
        self._recording = recording

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request."""
        if not self._recording.is_on:
            return self._application(environ, start_response)
        return self._traced(environ, start_response)

    def _traced(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterator[bytes]:
        request, response = Body(), Body()
        _read_along(environ, request)
        said: list[Any] = [None, []]

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            said[:] = [int(status[:3]), list(headers)]
            return start_response(status, headers, *more)

        error: BaseException | None = None
        began, beneath = self._recording.now(), Beneath(self._recording.next_number())
        around = answered.get()
        answered.set(beneath)
        pieces: Iterable[bytes] = ()
        try:
            pieces = self._application(environ, start)
            for piece in pieces:
                response.add(piece)
                yield piece
        except Exception as raised_:
            error = raised_
            raise
        finally:
            answered.set(around)
            getattr(pieces, "close", lambda: None)()
            exchange = WebExchange(
                environ.get("REQUEST_METHOD", ""),
                environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", ""),
                environ.get("QUERY_STRING", ""),
                request.message(_headers(environ)),
                said[0],
                response.message(said[1]),
                None if error is None else raised(error, None),
                tuple(beneath.calls),
                start=began,
                duration=self._recording.now() - began,
            )
            self._recording.add(Answered(exchange, self._application, is_asgi=False))


def _headers(environ: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in environ.items():
        if name.startswith("HTTP_"):
            yield name[5:].replace("_", "-").title(), str(value)
        elif name in ("CONTENT_TYPE", "CONTENT_LENGTH") and value:
            yield name.replace("_", "-").title(), str(value)


def _read_along(environ: dict[str, Any], request: Body) -> None:
    """Take the body while the application reads it."""
    stream = environ.get("wsgi.input")
    length = str(environ.get("CONTENT_LENGTH") or "")
    if stream is None or not length.isdigit() or int(length) > BODY:
        return  # a large one stays where it is: the application alone reads it
    data = stream.read(int(length))
    request.add(data)
    environ["wsgi.input"] = io.BytesIO(data)
