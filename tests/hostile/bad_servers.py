"""Servers that answer a question for a fix as badly as can be, byte by byte over a real socket of loopback."""

from __future__ import annotations

import gzip
import itertools
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import Any

FIXED = 'by_region = df.groupby("region", sort=False).sum()'
ANSWER = f"Reason: the column is misspelt.\n```python\n{FIXED}\n```"
STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
CHUNKED = STREAM.replace(b"Connection: close", b"Transfer-Encoding: chunked")
JSON = STREAM.replace(b"text/event-stream", b"application/json")

Talk = Callable[["Client"], Any]


class Client:
    """The connection of whoever asks.

    Parameters
    ----------
    connection : socket
    over : Event
        Set when the server closes: nothing goes on for ever.
    """

    def __init__(self, connection: socket.socket, over: threading.Event) -> None:
        self.connection = connection
        self.over = over

    def read_request(self) -> bytes:
        """The whole request, as its length says."""
        head = b""
        while b"\r\n\r\n" not in head:
            piece = self.connection.recv(65_536)
            if not piece:
                return head
            head += piece
        head, _, body = head.partition(b"\r\n\r\n")
        lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        missing = int(lengths[0].split(b":")[1]) - len(body) if lengths else 0
        while missing > 0:
            piece = self.connection.recv(65_536)
            missing = missing - len(piece) if piece else 0
        return head

    def send(self, *pieces: bytes, every: float = 0.0) -> None:
        """Send the pieces, one after the other."""
        for piece in pieces:
            self.connection.sendall(piece)
            if self.over.wait(every) if every else self.over.is_set():
                return

    def repeat(self, piece: bytes, *, every: float = 0.0) -> None:
        """Send a piece until nobody listens any more."""
        while not self.over.is_set():
            self.send(piece, every=every)

    def wait(self) -> None:
        """Say nothing."""
        self.over.wait()

    def reset(self) -> None:
        """End as a server that is killed does."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()


class BadServer:
    """A listener that leaves each connection to `talk`, which is called once the request was read.

    Parameters
    ----------
    talk : callable
    models : callable, optional
        What to do about `/v1/models` and all else that is no question.
    early : bool
        Whether it talks before anything was read.
    """

    def __init__(self, talk: Talk, *, models: Talk | None = None, early: bool = False) -> None:
        self._talk, self._models, self._early = talk, models, early
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._over = threading.Event()
        self._connections: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self.port = self._listener.getsockname()[1]
        self.questions = 0

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> BadServer:
        self._threads[0].start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._over.set()
        for each in (self._listener, *self._connections):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(10)

    def _accept(self) -> None:
        with suppress(OSError):
            while not self._over.is_set():
                connection, _ = self._listener.accept()
                self._connections.append(connection)
                self._threads.append(threading.Thread(target=self._serve, args=(connection,), daemon=True))
                self._threads[-1].start()

    def _serve(self, connection: socket.socket) -> None:
        connection.settimeout(10)
        client = Client(connection, self._over)
        with connection, suppress(OSError):
            head = b"" if self._early else client.read_request()
            if head.startswith(b"GET"):
                (self._models or _not_found)(client)
                return
            self.questions += 1
            self._talk(client)


def _not_found(client: Client) -> None:
    client.send(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


# ------------------------------------------------------------------------------------------ pieces of answers


def event(data: Any) -> bytes:
    """An event of a stream; text goes as it is."""
    return b"data: " + (data if isinstance(data, bytes) else json.dumps(data).encode()) + b"\n\n"


def chunk(content: Any = ANSWER, **more: Any) -> dict[str, Any]:
    """A chunk of an answer, and what is odd about it."""
    return {"id": "1", "object": "chat.completion.chunk", "model": "m", "choices": [choice(content)], **more}


def choice(content: Any = ANSWER, **more: Any) -> dict[str, Any]:
    return {"index": 0, "delta": {"role": "assistant", "content": content}, **more}


STOP = event(chunk(None, choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}]))
DONE = event(b"[DONE]")
GOOD = event(chunk()) + STOP + DONE


def http_chunks(*pieces: bytes) -> bytes:
    """The pieces as HTTP's own chunks."""
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)


def says(*pieces: bytes) -> Talk:
    """It sends this, and closes."""
    return lambda client: client.send(*pieces)


def streams(*events: Any) -> Talk:
    """It streams these events."""
    return says(STREAM, *(each if isinstance(each, bytes) else event(each) for each in events))


def refuses(status: str, body: bytes = b'{"error": {"message": "No."}}', *headers: str) -> Talk:
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(body)}", *headers]
    return says("\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1"), body)


def typed(kind: str, body: bytes) -> Talk:
    return says(STREAM.replace(b"text/event-stream", kind.encode("latin-1")), body)


def whole(**more: Any) -> Talk:
    """An answer that is not streamed, and what is odd about it."""
    answer = {"model": "m", "choices": [{"message": {"content": ANSWER}, "finish_reason": "stop"}], **more}
    return says(JSON, json.dumps(answer).encode())


def drips(data: bytes | Iterable[bytes], *, before: bytes = b"", every: float = 0.05) -> Talk:
    """It sends byte after byte, never so slowly that it would count as silent."""

    def talk(client: Client) -> None:
        client.send(before)
        for byte in data if not isinstance(data, bytes) else (data[i : i + 1] for i in range(len(data))):
            client.send(byte, every=every)
            if client.over.is_set():
                return
        client.wait()

    return talk


def goes_on(before: bytes, piece: bytes, every: float = 0.0) -> Talk:
    """It sends something, and then the same piece for ever."""

    def talk(client: Client) -> None:
        client.send(before)
        client.repeat(piece, every=every)

    return talk


def resets_after(*pieces: bytes) -> Talk:
    def talk(client: Client) -> None:
        client.send(*pieces)
        time.sleep(0.05)  # what was sent arrives before the reset
        client.reset()

    return talk


def silent_after(*pieces: bytes) -> Talk:
    def talk(client: Client) -> None:
        client.send(*pieces)
        client.wait()

    return talk


def compressed(data: bytes, *, repeats: int = 1) -> Iterator[bytes]:
    yield STREAM.replace(b"Connection", b"Content-Encoding: gzip\r\nConnection")
    yield from itertools.repeat(gzip.compress(data), repeats)


def limited(*headers: str) -> Talk:
    """Too many requests, and when to come back."""
    return refuses("429 Too Many", b'{"error": {"message": "Slow down."}}', *headers)


def counted(**usage: Any) -> Talk:
    """A good answer with such a count of tokens."""
    return streams(chunk(usage=usage or None), STOP, DONE)


def counted_raw(usage: bytes) -> Talk:
    """The same in JSON that `json` would not write."""
    data = json.dumps(chunk(usage="USAGE")).encode().replace(b'"USAGE"', usage)
    return streams(data if data.startswith(b"data") else event(data), STOP, DONE)


MB = 1_000_000
TLS_ALERT = b"\x15\x03\x03\x00\x02\x02\x46"

# ------------------------------------------------------------------------------------------ the table

WORDS, FIX = "words", "fix"
"""How it has to end: words that say what to do, or a fix after all."""

Row = tuple[str, Talk]

STATUS: dict[str, Row] = {
    f"status {line}": (WORDS, refuses(line))
    for line in (
        "204 No Content", "300 Choices", "304 Not Modified", "400 Bad", "401 Unauthorized", "402 Payment", "403 No",
        "404 Not Found", "405 No", "408 Slow", "409 Conflict", "410 Gone", "413 Large", "418 Teapot", "422 Odd",
        "429 Many", "451 Law", "499 Odd", "500 Broken", "501 No", "502 Bad", "503 Busy", "504 Slow", "599 Odd",
        "600 None", "999 None",
    )
}  # fmt: skip

LINES: dict[str, Row] = {
    "a version of HTTP that is not there": (WORDS, says(b"HTTP/ 200 OK\r\n\r\n")),
    "a status of four digits": (WORDS, says(b"HTTP/1.1 2000 OK\r\nConnection: close\r\n\r\n", GOOD)),
    "headers that are folded": (FIX, says(STREAM.replace(b"\r\n\r\n", b"\r\nX: a\r\n b\r\n\r\n"), GOOD)),
    "a length and chunks": (WORDS, says(CHUNKED.replace(b"Connection", b"Content-Length: 3\r\nConnection"), b"zz")),
    "9,000 cookies": (WORDS, says(b"HTTP/1.1 200 OK\r\n" + b"Set-Cookie: a=b\r\n" * 9_000 + b"\r\n")),
    "no status line": (WORDS, says(b"hello\r\n\r\n")),
    "a status of letters": (WORDS, says(b"HTTP/1.1 abc OK\r\n\r\n")),
    "a version of HTTP that is none": (WORDS, says(b"HTTP/9.9 200 OK\r\n\r\n")),
    "a TLS alert": (WORDS, says(TLS_ALERT)),
    "binary": (WORDS, says(bytes(range(256)) * 10)),
    "a header without a name": (WORDS, says(b"HTTP/1.1 200 OK\r\n: x\r\n\r\n")),
    "a header of bytes": (WORDS, says(b"HTTP/1.1 200 OK\r\nX: \xff\x00\r\n\r\n")),
    "two lengths": (WORDS, says(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\nhello")),
    "a length below nothing": (WORDS, says(b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nhello")),
    "a length that promises more": (
        WORDS, says(JSON.replace(b"Connection", b"Content-Length: 999\r\nConnection"), b"{"),
    ),
    "a length that promises less": (
        WORDS, says(STREAM.replace(b"Connection", b"Content-Length: 30\r\nConnection"), GOOD),
    ),
    "a length of 2^63": (
        WORDS, says(STREAM.replace(b"Connection", b"Content-Length: 9223372036854775808\r\nConnection"), b"data: "),
    ),
    "100 Continue, without end": (WORDS, goes_on(b"", b"HTTP/1.1 100 Continue\r\n\r\n")),
    "103 hints, slowly and without end": (WORDS, goes_on(b"", b"HTTP/1.1 103 Hints\r\n\r\n", 0.05)),
    "an upgrade that nobody asked for": (WORDS, says(b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n")),
    "headers without end": (WORDS, goes_on(b"HTTP/1.1 200 OK\r\n", b"X-Header: " + b"x" * 1000 + b"\r\n")),
    "one header without end": (WORDS, goes_on(b"HTTP/1.1 200 OK\r\nX: ", b"x" * 4096)),
    "headers byte by byte": (WORDS, drips(itertools.repeat(b"x"), before=b"HTTP/1.1 200 OK\r\nX: ")),
    "a status line byte by byte": (WORDS, drips(STREAM + GOOD)),
    "chunks of no size": (WORDS, says(CHUNKED, b"zz\r\nhello\r\n")),
    "chunks of a size below nothing": (WORDS, says(CHUNKED, b"-5\r\nhello\r\n")),
    "chunks of a huge size": (WORDS, says(CHUNKED, b"fffffffffffffffffff\r\nhello\r\n")),
    "a chunk that is shorter than it says": (WORDS, says(CHUNKED, b"ff\r\nhello\r\n")),
    "chunks without the last": (WORDS, says(CHUNKED, http_chunks(event(chunk())))),
    "chunks, and rubbish after the last": (FIX, says(CHUNKED, http_chunks(GOOD), b"0\r\n\r\nrubbish")),
    "trailers without end": (FIX, goes_on(CHUNKED + http_chunks(GOOD) + b"0\r\n", b"X: y\r\n")),
    "a chunk size without end": (WORDS, goes_on(CHUNKED, b"0" * 4096)),
    "a redirect to itself": (WORDS, refuses("308 Moved", b"", "Location: /v1/chat/completions")),
    "a redirect to nowhere": (WORDS, refuses("302 Moved", b"", "Location: http://[::")),
    "a redirect without a place": (WORDS, refuses("307 Moved", b"")),
}  # fmt: skip

ENDS: dict[str, Row] = {
    "closed at once": (WORDS, lambda client: None),
    "silent from the start": (WORDS, lambda client: client.wait()),
    "reset at once": (WORDS, resets_after()),
    "reset in the status line": (WORDS, resets_after(b"HTTP/1.1 20")),
    "reset in the headers": (WORDS, resets_after(b"HTTP/1.1 200 OK\r\nContent-")),
    "reset after the headers": (WORDS, resets_after(STREAM)),
    "reset in an event": (WORDS, resets_after(STREAM, event(chunk())[:20])),
    "reset between two events": (WORDS, resets_after(STREAM, event(chunk("Reason: ")))),
    "reset in a chunk": (WORDS, resets_after(CHUNKED, b"ff\r\nda")),
    "reset in a JSON answer": (WORDS, resets_after(JSON, b'{"choices": [')),
    "reset in a refusal": (WORDS, resets_after(b"HTTP/1.1 500 No\r\nContent-Length: 99\r\n\r\n", b'{"err')),
    "silent in the headers": (WORDS, silent_after(b"HTTP/1.1 200 OK\r\nContent-")),
    "silent after the headers": (WORDS, silent_after(STREAM)),
    "silent in an event": (WORDS, silent_after(STREAM, event(chunk())[:20])),
    "silent in a refusal": (WORDS, silent_after(b"HTTP/1.1 400 No\r\nContent-Length: 99\r\n\r\n", b'{"err')),
    "closed after the headers": (WORDS, says(STREAM)),
    "closed in an event": (WORDS, says(STREAM, event(chunk())[:40])),
    "closed before [DONE]": (FIX, streams(chunk(), STOP)),
}

BODIES: dict[str, Row] = {
    "a stream of UTF-16": (WORDS, says(STREAM, GOOD.decode().encode("utf-16"))),
    "a mark of byte order": (WORDS, says(STREAM, b"\xef\xbb\xbf" + GOOD)),
    "data that is split over lines": (WORDS, streams(b'data: {"choices":\ndata: 5}\n\n', DONE)),
    "JSON with the same name twice": (WORDS, says(JSON, b'{"choices": [], "choices": [{"message": null}]}')),
    "JSON of NaN": (WORDS, says(JSON, b'{"choices": NaN}')),
    "an answer that is text in JSON": (WORDS, says(JSON, b'"Reason: x"')),
    "an error that is null": (WORDS, streams({"error": None, "choices": None}, DONE)),
    "HTML": (WORDS, typed("text/html", b"<html>Log in</html>")),
    "HTML that calls itself a stream": (WORDS, streams(b"<html>Log in</html>")),
    "a picture": (WORDS, typed("image/png", b"\x89PNG\r\n\x1a\n" + bytes(500))),
    "text": (WORDS, typed("text/plain", b"Hello there.")),
    "no content type": (FIX, says(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", GOOD)),
    "a content type of nonsense": (WORDS, typed("\xff/;;=", b"?")),
    "a charset that is none": (WORDS, refuses("500 No", b"No.", "Content-Type: text/plain; charset=nonsense")),
    "a charset that unpacks": (WORDS, refuses("500 No", b"No.", "Content-Type: text/plain; charset=zlib_codec")),
    "an empty answer": (WORDS, says(JSON)),
    "an empty object": (WORDS, says(JSON, b"{}")),
    "a list": (WORDS, says(JSON, b"[]")),
    "null": (WORDS, says(JSON, b"null")),
    "a number": (WORDS, says(JSON, b"1e999")),
    "JSON that is cut": (WORDS, says(JSON, b'{"choices": [{"message": {"content": "Rea')),
    "JSON in UTF-16": (FIX, says(JSON, json.dumps({"choices": [{"message": {"content": ANSWER}}]}).encode("utf-16"))),
    "JSON that is no UTF-8": (WORDS, says(JSON, b'{"choices": "\xff\xfe\xfa"}')),
    "JSON with names of the SDK's own": (WORDS, whole(_fields_set=[], self=1, cls=2, model_config=3)),
    "deep JSON": (WORDS, says(JSON, b"[" * 200_000)),
    "a deep event": (WORDS, streams(event(b'{"choices": ' + b"[" * 200_000))),
    "a deep refusal": (WORDS, refuses("400 Bad", b'{"error": ' * 50_000 + b"1" + b"}" * 50_000)),
    "an error of numbers": (WORDS, refuses("400 Bad", b'{"error": {"message": 5, "code": [1], "type": {}}}')),
    "an error of lists": (WORDS, refuses("400 Bad", b'{"error": [[], {}, null]}')),
    "an error of 1 MB": (WORDS, refuses("400 Bad", json.dumps({"error": {"message": "no " * 350_000}}).encode())),
    "an error with status 200": (WORDS, says(JSON, b'{"error": {"message": "out of memory"}}')),
    "an error as an event": (WORDS, streams({"error": {"message": "out of memory"}})),
    "an error of the wrong type as an event": (WORDS, streams({"error": 5})),
    "a refusal of escape sequences": (WORDS, refuses("500 No", b'{"error": "\\u001b[2J\\u202egnp\\ud800"}')),
    "events that are no JSON": (WORDS, streams(b"{half", DONE)),
    "events of other things": (WORDS, streams([1, 2], 5, "text", None, DONE)),
    "events that are no UTF-8": (WORDS, streams(event(b'"\xff\xfe"'))),
    "only comments": (WORDS, streams(b": ping\n\n" * 50)),
    "comments in between": (FIX, streams(b": ping\n\n" * 50, GOOD)),
    "names and ids of events": (FIX, streams(b"event: x\nid: 1\nretry: 99999999999\n" + event(chunk()), STOP, DONE)),
    "lines that end in every way": (FIX, streams(GOOD.replace(b"\n\n", b"\r\n\r\n"))),
    "only [DONE]": (WORDS, streams(DONE)),
    "[DONE] twice": (FIX, streams(GOOD, DONE)),
    "data after [DONE]": (FIX, streams(GOOD, event(chunk("more")), b"rubbish")),
    "data without end after [DONE]": (FIX, goes_on(STREAM + GOOD, event(chunk("more")) * 100)),
}  # fmt: skip

FIELDS: dict[str, Row] = {
    **{
        f"choices {json.dumps(value)[:30]}": (WORDS, streams({"choices": value}, DONE))
        for value in (None, 5, "text", {}, {"0": choice()}, [], [None], [5], ["text"], [[]], [{}])
    },
    **{
        f"delta {json.dumps(value)[:30]}": (WORDS, streams({"choices": [{"delta": value}]}, DONE))
        for value in (None, "text", 5, [], [{"content": "x"}], {}, {"content": None}, {"content": 5})
    },
    "roles of numbers": (FIX, streams(chunk(choices=[{"delta": {"role": 5, "content": ANSWER}}]), STOP, DONE)),
    "an id of a list, a date of text": (FIX, streams(chunk(id=[1], created="x", object=None), STOP, DONE)),
    "choices in another order": (FIX, streams(chunk(choices=[choice(index=7), choice("", index=0)]), STOP, DONE)),
    "usage in every piece": (FIX, streams(chunk(usage={"prompt_tokens": 1, "completion_tokens": 10**30}), STOP, DONE)),
    "content a list": (FIX, streams(chunk([{"type": "text", "text": ANSWER}, {"type": "text"}, 5]), STOP, DONE)),
    "content a list of lists": (WORDS, streams(chunk([[ANSWER], {"thinking": [ANSWER]}]), STOP, DONE)),
    "content an object": (WORDS, streams(chunk({"text": ANSWER}), STOP, DONE)),
    "tool calls": (WORDS, streams(chunk(None, choices=[{"delta": {"tool_calls": [{"index": 0}]}}]), STOP, DONE)),
    "tool calls of the wrong type": (WORDS, streams({"choices": [{"delta": {"tool_calls": 5}}]}, DONE)),
    "only a refusal": (WORDS, streams({"choices": [{"delta": {"refusal": "I won't."}}]}, STOP, DONE)),
    "only reasoning": (WORDS, streams({"choices": [{"delta": {"reasoning_content": "Hm."}}]}, STOP, DONE)),
    "no index": (FIX, streams({"choices": [{"delta": {"content": ANSWER}, "finish_reason": "stop"}]}, DONE)),
    "an index of text": (FIX, streams(chunk(choices=[choice(index="x", finish_reason="stop")]), DONE)),
    "a finish reason of a list": (FIX, streams(chunk(choices=[choice(finish_reason=["stop"])]), STOP, DONE)),
    "a model of a list": (FIX, streams(chunk(model=["m"]), STOP, DONE)),
    "a model's name of 1 MB": (FIX, streams(chunk(model="m" * MB), STOP, DONE)),
    "a model's name of half a character": (FIX, streams(chunk(model="\ud800"), STOP, DONE)),
    "an answer of half a character": (WORDS, streams(chunk("\ud800\x00\x1b[2J"), STOP, DONE)),
    "a usage of text": (FIX, streams(chunk(usage="x"), STOP, DONE)),
    "a usage of a list": (FIX, streams(chunk(usage=[1]), STOP, DONE)),
    "usage below everything": (FIX, counted_raw(b'{"prompt_tokens": -1e999, "completion_tokens": 1e999}')),
    "usage of no number": (FIX, counted_raw(b'{"prompt_tokens": NaN, "completion_tokens": NaN}')),
    "usage below nothing": (FIX, counted(prompt_tokens=-5, completion_tokens=-1)),
    "usage of text": (FIX, counted(prompt_tokens="many", completion_tokens=[])),
    "usage of true": (FIX, counted(prompt_tokens=True, completion_tokens=False)),
    "usage of a number of 4,000 digits": (FIX, counted_raw(b'{"prompt_tokens": %s}' % (b"9" * 4000))),
    "usage of a number of 9,000 digits": (WORDS, counted_raw(b'{"prompt_tokens": %s}' % (b"9" * 9000))),
    "usage of halves": (FIX, counted(prompt_tokens=1.5, completion_tokens=2.5)),
    "a whole answer, choices null": (WORDS, whole(choices=None)),
    "a whole answer, choices text": (WORDS, whole(choices="text")),
    "a whole answer, a usage of text": (FIX, whole(usage="x")),
    "a whole answer of half a message": (WORDS, whole(choices=[{"message": "text"}])),
}  # fmt: skip

WAITS: dict[str, Row] = {
    **{
        f"Retry-After {value[:30]}": (WORDS, limited(f"Retry-After: {value}"))
        for value in (
            "7", "-7", "inf", "-inf", "nan", "1e999", "1e308", "999999999999", "0", "0x10", "\xb2", "", "soon",
            "Fri, 31 Dec 9999 23:59:59 GMT", "Fri, 31 Dec 0000 23:59:59 GMT", "Fri, 99 Foo 99999 99:99:99",
            "Fri, 31 Dec 9999 23:59:59 -2359", "9" * 5000,
        )
    },
    "Retry-After-Ms inf": (WORDS, limited("Retry-After-Ms: inf")),
    "Retry-After-Ms nan": (WORDS, limited("Retry-After-Ms: nan")),
    "Retry-After-Ms below nothing": (WORDS, limited("Retry-After-Ms: -1")),
    "Retry-After in milliseconds of text": (WORDS, limited("Retry-After-Ms: x", "Retry-After: 3")),
}  # fmt: skip

ENDLESS: dict[str, Row] = {
    "a stream byte by byte": (WORDS, drips(itertools.repeat(b" "), before=STREAM)),
    "comments without end": (WORDS, goes_on(STREAM, b": ping\n\n", 0.05)),
    "comments without end, as fast as can be": (WORDS, goes_on(STREAM, b": ping\n\n" * 500)),
    "lines of nothing without end": (WORDS, goes_on(STREAM, b"\n" * 5000)),
    "names of events without end": (WORDS, goes_on(STREAM, b"event: x\n" * 500)),
    "empty pieces without end": (WORDS, goes_on(STREAM, event(chunk("")), 0.02)),
    "empty pieces without end, as fast as can be": (WORDS, goes_on(STREAM, event(chunk("")) * 50)),
    "reasoning without end": (
        WORDS, goes_on(STREAM, event({"choices": [{"delta": {"reasoning_content": "Hm. " * 50}}]}) * 20),
    ),
    "text without end": (WORDS, goes_on(STREAM, event(chunk("and so on ")) * 20)),
    "choices without end": (WORDS, goes_on(STREAM, event({"choices": [{}] * 5000}))),
    "JSON byte by byte": (WORDS, drips(itertools.repeat(b" "), before=JSON + b"{")),
    "a refusal byte by byte": (WORDS, drips(itertools.repeat(b" "), before=b"HTTP/1.1 500 No\r\n\r\n")),
    "chunks byte by byte": (WORDS, goes_on(CHUNKED, http_chunks(b" "), 0.05)),
    "a good answer, too slowly": (WORDS, drips((STREAM + GOOD)[i : i + 4] for i in range(0, len(STREAM + GOOD), 4))),
}  # fmt: skip

LARGE: dict[str, Row] = {
    "a line without end": (WORDS, goes_on(STREAM + b"data: ", b"x" * 65_536)),
    "a line of letters and ends of other lines": (WORDS, goes_on(STREAM, b"data: " + b"x" * 60_000 + b"\n")),
    "a line of 400 MB in chunks": (WORDS, goes_on(CHUNKED, http_chunks(b"x" * 65_536))),
    "a name of an event without end": (WORDS, goes_on(STREAM + b"event: ", b"x" * 65_536)),
    "JSON without end": (WORDS, goes_on(JSON + b'{"choices": "', b"x" * 65_536)),
    "JSON of brackets without end": (WORDS, goes_on(JSON + b'{"choices": [', b"[]," * 20_000)),
    "a web page without end": (WORDS, goes_on(STREAM.replace(b"event-stream", b"html"), b"x" * 65_536)),
    "a refusal without end": (WORDS, goes_on(b"HTTP/1.1 500 No\r\nConnection: close\r\n\r\n", b"x" * 65_536)),
    "a bomb of gzip": (WORDS, says(*compressed(b"x" * 50 * MB, repeats=20))),
    "a bomb of gzip as a refusal": (
        WORDS, says(*(piece.replace(b"200 OK", b"500 No") for piece in compressed(b"x" * 50 * MB, repeats=20))),
    ),
    "an encoding that is none": (
        WORDS, says(STREAM.replace(b"Connection", b"Content-Encoding: br, gzip, x\r\nConnection"), GOOD),
    ),
    "one piece of 40 MB": (WORDS, streams(chunk("x" * 40 * MB), DONE)),
}  # fmt: skip

TABLE: dict[str, Row] = {
    **STATUS, **LINES, **ENDS, **BODIES, **FIELDS, **WAITS, **ENDLESS, **LARGE,
}  # fmt: skip
ALIKE = {*list(STATUS)[::2], *list(FIELDS)[::2], *list(WAITS)[::2], *list(BODIES)[::3]}
"""Rows that are left out where time is short: others of their kind are there."""
