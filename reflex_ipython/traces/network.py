"""What traced code asks of the network: noted while it is asked and read, put together when the trace ends."""

from __future__ import annotations

import threading
import time
import zlib
from collections.abc import Iterable, Sequence
from typing import Any

from reflex_ipython.capture import safe_inspection
from reflex_ipython.capture.bounds import clip
from reflex_ipython.traces.exchanges import BODY, Body
from reflex_ipython.traces.recorded import NetworkError, NetworkExchange
from reflex_ipython.traces.recorder import CallRecorder

TOO_LARGE = f"sends or gets more than {BODY // 1000} kB by the network"
NO_ROOM = "asked the network when the bytes of the trace were used up"
STREAMED = "sends what it makes meanwhile to the network"
NO_ANSWER = "had no answer of the network yet"
_ARGUMENT = 2_000  # characters of an exception's argument
_CODING = "content-encoding"
_DECODE = ("requests", "urllib3")  # they decode what came compressed before it is seen here
_READ_RAW = ("httpx", "httpx async")  # they decode afterwards; the others do not
_DECODERS = {"gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}
_OWN_THREADS = "reflex-"


class OpenRequest:
    """One request while it is under way, and until the trace is put together.

    Parameters
    ----------
    library, method, url : str
        As in `NetworkExchange`.
    sent : object
        The request's body.
    log : NetworkLog
    """

    def __init__(self, library: str, method: str, url: str, sent: Any, log: NetworkLog) -> None:
        self.library, self.method, self.url = library, str(method), str(url)
        self.is_text = type(sent) is str
        self.unkept = ""
        self.status: int | None = None
        self.error: NetworkError | None = None
        self.request, self.response = Body(), Body()
        self.headers: list[tuple[str, str]] = []
        self.call = log.innermost
        self.start = time.perf_counter()
        self._log = log
        if sent is None or isinstance(sent, (bytes, bytearray, str)):
            self._take(self.request, sent.encode() if isinstance(sent, str) else bytes(sent or b""))
        else:
            self.unkept = STREAMED

    def answered(self, status: int, headers: Iterable[tuple[str, str]]) -> None:
        """The head of the answer has come."""
        self.headers = [(str(name), str(value)) for name, value in headers]
        self.status = int(status)

    def read(self, piece: Any) -> None:
        """The next piece of the answer's body was read."""
        if piece:
            self._take(self.response, bytes(piece))

    def failed(self, error: BaseException) -> None:
        """There is no answer, but this."""
        if isinstance(error, Exception):
            self.error = described(error)

    def exchange(self, began: float) -> NetworkExchange:
        """It as data. `began`: when the trace did."""
        headers, body = self.headers, self.response
        plain = body.kept if self.library in _DECODE else None
        if self.library in _READ_RAW:
            plain = _decoded(headers, body.kept)
        if plain is not None and any(name.lower() == _CODING for name, _ in headers):
            body = Body()
            body.add(plain)
            headers = [one for one in headers if one[0].lower() not in (_CODING, "content-length")]
        return NetworkExchange(
            self.library,
            self.method,
            self.url,
            self.request.message(()),
            self.is_text,
            self.status,
            body.message(headers),
            self.error,
            self.unkept or ("" if self.error is not None or self.status is not None else NO_ANSWER),
            self.call,
            round(self.start - began, 7),
        )

    def _take(self, body: Body, piece: bytes) -> None:
        if self._log.recorder.room <= 0:
            self.unkept = self.unkept or NO_ROOM
            return
        self._log.recorder.room -= len(piece)
        body.add(piece)
        if body.size > BODY:
            self.unkept = self.unkept or TOO_LARGE


class NetworkLog:
    """The requests of one trace.

    Parameters
    ----------
    recorder : CallRecorder
        Its bounds hold for them, and it knows which call is under way.
    """

    def __init__(self, recorder: CallRecorder) -> None:
        self.recorder = recorder
        self._requests: list[OpenRequest] = []

    def opened(self, library: str, method: str, url: str, sent: Any) -> OpenRequest | None:
        """A request that begins; None: it is not kept, as one of our own threads makes it, or there are too many."""
        is_ours = threading.current_thread().name.startswith(_OWN_THREADS)
        if is_ours or len(self._requests) >= self.recorder.bounds.calls:
            return None
        found = OpenRequest(library, method, url, sent, self)
        self._requests.append(found)
        return found

    @property
    def innermost(self) -> int | None:
        """The recorded call that is under way on this thread."""
        opened = self.recorder.innermost
        return None if opened is None else opened.id

    @property
    def exchanges(self) -> tuple[NetworkExchange, ...]:
        """All that is there."""
        return tuple(one.exchange(self.recorder.began) for one in [*self._requests])


def described(error: BaseException) -> NetworkError:
    """An exception as what makes one like it: its class, and what that is given."""
    made: Any = error.__reduce__()
    given: Sequence[Any] = made[1] if isinstance(made, tuple) and made[0] is type(error) else error.args
    return NetworkError(clip(safe_inspection.type_name(error), 200), tuple(map(_argument, given)))


def _argument(value: Any) -> str | int | NetworkError | None:
    if value is None or type(value) is int:
        return value
    if isinstance(value, OSError) and type(value).__module__ == "builtins":
        return described(value)
    return clip(str(value), _ARGUMENT)


def _decoded(headers: Iterable[tuple[str, str]], data: bytes) -> bytes | None:
    """A body that came compressed as it is without that; None: it can't be told."""
    coding = ", ".join(value for name, value in headers if name.lower() == _CODING).lower()
    if coding not in _DECODERS:
        return None
    decoder = zlib.decompressobj(_DECODERS[coding])
    try:
        return decoder.decompress(data, BODY + 1)
    except zlib.error:
        return None
