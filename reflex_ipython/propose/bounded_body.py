"""The body of an answer, of bounded length: nothing of a server's is collected without end.

Compression is not asked for, and not taken: a few kilobytes of it can stand for gigabytes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from reflex_ipython.errors import ModelError

LARGEST_PIECE = 2_000_000
"""Bytes of one event of a stream, or of an answer that is no stream: what is held in memory at once."""
LARGEST_STREAM = 64_000_000
"""Bytes of all events together: each token of a long answer comes in some 300."""
_ENDS = (b"\n\n", b"\r\r", b"\r\n\r\n")
"""What ends an event."""


def ask_for_plain_bytes(request: Any) -> None:
    """Ask for an answer that is not compressed, as the httpx event hook "request"."""
    request.headers["accept-encoding"] = "identity"


def bound(response: Any) -> None:
    """Have a response's body end in a `ModelError` where it grows too long, as the httpx event hook "response"."""
    library = sys.modules[type(response).__module__.partition(".")[0]]  # which one depends on the SDK's version
    body, host, headers = response.stream, response.url.netloc.decode("ascii", "replace"), response.headers
    compressed = headers.pop("content-encoding", "identity").lower() not in ("identity", "")
    streams = response.status_code == 200 and "json" not in headers.get("content-type", "")

    class BoundedBody(library.SyncByteStream):  # type: ignore[misc, name-defined]  # what the library insists on
        def __iter__(self) -> Iterator[bytes]:
            if compressed:
                raise ModelError(f"{host} sent a compressed answer, though none was asked for. {_SERVER}", "bad-reply")
            return _counted(body, host, LARGEST_STREAM if streams else LARGEST_PIECE)

        def close(self) -> None:
            body.close()

    response.stream = BoundedBody()


_SERVER = (
    "Is Reflex.base_url the address of a model server? Choose another one with `%reflex model NAME --base-url URL`."
)


def _counted(body: Any, host: str, largest: int) -> Iterator[bytes]:
    total, event, tail = 0, 0, b""
    for piece in body:
        seen = tail + piece
        end = max(seen.rfind(mark) + len(mark) if mark in seen else 0 for mark in _ENDS)
        total += len(piece)
        event = len(seen) - end if end else event + len(piece)
        tail = seen[-3:]
        if total > largest or event > LARGEST_PIECE:
            size = LARGEST_PIECE if event > LARGEST_PIECE else largest
            raise ModelError(
                f"{host} sent more than {size // 1_000_000} MB, more than any answer takes; it was stopped. {_SERVER}",
                "bad-reply",
            )
        yield piece
