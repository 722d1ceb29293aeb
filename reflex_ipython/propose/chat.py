"""Asking a model over the OpenAI API. Nothing else in this package uses `openai`."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.address import NO_KEY_NEEDED, OPENAI, Address, address
from reflex_ipython.propose.bounded_body import ask_for_plain_bytes, bound
from reflex_ipython.propose.echo import Echo
from reflex_ipython.propose.own_thread import on_own_thread
from reflex_ipython.propose.redirects import stay_there, without_foreign_headers
from reflex_ipython.propose.request_cancel import Line, hanging_up_when
from reflex_ipython.propose.trouble import explain, not_reached, refused, too_slow
from reflex_ipython.protocols import Outgoing
from reflex_ipython.settings import Settings

if TYPE_CHECKING:
    import openai

Message = Mapping[str, str]
"""`{"role": "user", "content": "…"}`."""

CONNECT_TIMEOUT = 5.0
"""Seconds until a server that takes no connection counts as not there."""

LONGEST_REPLY = 100_000
"""Characters after which a model is taken to go round in circles."""

_MOST_TOKENS = 10**9
_LONGEST_WORD = 200
"""Characters of a model's name and of a finish reason."""


@dataclass(frozen=True)
class Reply:
    """What a model answered.

    Parameters
    ----------
    text : str
        All of it.
    model : str
        As the server names it.
    input_tokens, output_tokens : int or None
        As the server counted them.
    seconds : float
        From the request to the end.
    finish_reason : str
        As the server gives it: "stop"; "length" where a limit cut it off. Empty: the stream ended without one.
    """

    text: str
    model: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float = 0.0
    finish_reason: str = ""


def load() -> None:
    """Import the SDK, which takes 0.3 to 1.5 s, for who measures what a server takes."""
    import openai  # noqa: F401


def stream_chat(
    messages: Sequence[Message],
    settings: Settings,
    *,
    cancelled: threading.Event,
    on_text: Callable[[str], None] = lambda text: None,
    clock: Callable[[], float] = time.monotonic,
    enough: Callable[[str], bool] = lambda text: False,
) -> Reply | None:
    """Ask the model that the settings name, and wait for its answer.

    Parameters
    ----------
    messages : sequence of mappings
        The conversation so far.
    settings : Settings
        Which model, where, with which key, how patiently.
    cancelled : threading.Event
        Ends the request within a tenth of a second, whatever it waits for.
    on_text : callable
        Is called on this thread with each piece of text as it comes.
    clock : callable
        Seconds, for how long it took.
    enough : callable
        Is given each piece of text as well; whether the rest is not waited for: then there is no finish reason.

    Returns
    -------
    Reply or None
        None: cancelled.

    Raises
    ------
    ModelError
        In words for the user.
    """
    where = address(settings)
    if where.key is None:
        raise ModelError(
            f"No key for {where.host}: set {settings.key_variable} or Reflex.api_key. "
            "If the server needs none, any word will do.",
            "no-key",
        )
    started = clock()
    collected = _Collected(settings.model or "", where)
    with hanging_up_when(cancelled, settings.total_timeout) as line:
        try:
            asking = functools.partial(_chunks, messages, settings, where, line)
            with contextlib.closing(on_own_thread(asking, line)) as chunks:
                for chunk in chunks:
                    if cancelled.is_set():
                        return None
                    piece = collected.add(chunk)
                    if piece:
                        on_text(piece)
                    if enough(piece):
                        break
                rest = collected.rest()
                if rest and not cancelled.is_set():
                    on_text(rest)
        except ModelError:
            if not cancelled.is_set() and not line.overdue:  # hanging up looks like a broken connection
                raise
    if line.overdue and not cancelled.is_set():  # or, to some servers' streams, like their end
        raise too_slow(where, settings) if line.connected else not_reached(where, settings)
    return None if cancelled.is_set() else collected.reply(clock() - started)


def would_send(messages: Sequence[Message], settings: Settings) -> Outgoing:
    """The request that `stream_chat` would send, up to the last byte of its body. Nothing is sent, nobody is asked."""
    where = address(settings)
    if where.key is None:
        where = dataclasses.replace(where, key=NO_KEY_NEEDED)
    stopped = _Stopped()
    with _client(where, settings.timeout, stopped) as client, contextlib.suppress(Exception):
        _open(client, messages, settings, where)  # ends in an error of the SDK's that was made of ours
    if stopped.outgoing is None:
        raise ModelError("What would be sent could not be determined.", "other")
    return stopped.outgoing


class _Stopped(Line):
    """A line on which the request is only looked at."""

    outgoing: Outgoing | None = None

    def watch(self, request: Any) -> None:
        """Note the request, and stop before a connection is made."""
        self.outgoing = Outgoing(str(request.url), request.read())
        raise ModelError("Only looked at.", "other")


class _Collected:
    """The pieces of an answer as they come. Nothing is taken for granted of a chunk: servers differ."""

    def __init__(self, model: str, where: Address) -> None:
        self._where = where
        self._echo = Echo(where.secret)
        self._length = 0
        self._pieces: list[str] = []
        self._model = model
        self._finish_reason = ""
        self._tokens: tuple[int | None, int | None] = (None, None)

    def add(self, chunk: Any) -> str:
        """Take in a chunk, and give the text in it, without the key if the server echoes that."""
        self._model = _word(getattr(chunk, "model", None)) or self._model
        usage = getattr(chunk, "usage", None)
        if usage is not None:
            self._tokens = _tokens(usage, "prompt_tokens"), _tokens(usage, "completion_tokens")
        choices = getattr(chunk, "choices", None)
        for choice in choices if isinstance(choices, list) else ():
            self._finish_reason = _word(getattr(choice, "finish_reason", None)) or self._finish_reason
            # A server that does not stream sends whole messages.
            content = getattr(getattr(choice, "delta", None) or getattr(choice, "message", None), "content", None)
            if isinstance(content, str) and content:
                self._length += len(content)
                if self._length > LONGEST_REPLY:
                    raise ModelError("The model's answer did not end, so it was stopped.", "bad-reply")
                self._pieces.append(self._echo.piece(content))
                return self._pieces[-1]
        return ""

    def rest(self) -> str:
        """What waited for its end, because it might have been the key."""
        self._pieces.append(self._echo.rest())
        return self._pieces[-1]

    def reply(self, seconds: float) -> Reply:
        """All of it."""
        model, reason = self._where.hide_key(self._model), self._where.hide_key(self._finish_reason)
        return Reply("".join(self._pieces), model, *self._tokens, round(seconds, 3), reason)


def _tokens(usage: Any, name: str) -> int | None:
    """A count of a server's; None if it is none that can be."""
    count = getattr(usage, name, None)
    return count if type(count) is int and 0 <= count < _MOST_TOKENS else None


def _word(value: Any) -> str:
    return value[:_LONGEST_WORD] if isinstance(value, str) else ""


def _chunks(messages: Sequence[Message], settings: Settings, where: Address, line: Line) -> Generator[Any, None, None]:
    """The chunks of the answer; every error of the SDK's comes out as a ModelError."""
    trouble: ModelError
    with _client(where, settings.timeout, line) as client:
        try:
            with _open(client, messages, settings, where) as stream:
                yield from _whole_answer(stream, where, settings) or stream
            return
        except Exception as error:  # noqa: BLE001 - older SDKs let their HTTP library's errors through
            trouble = explain(error, where, settings)
    raise trouble  # out here, so that it does not hold the SDK's error: that one's request carries the key


def _client(where: Address, timeout: float, line: Line) -> openai.OpenAI:
    import openai  # 0.3 to 1.5 s: only who asks a model pays, on the thread that asks

    patience = openai.Timeout(timeout, connect=min(CONNECT_TIMEOUT, timeout))
    # A proxy is for the world outside, not for this machine.
    http = openai.DefaultHttpxClient(trust_env=not where.local, timeout=patience, event_hooks=_hooks(line, where))
    # The SDK sleeps between its retries, and nothing can wake it: the user asks again instead.
    return openai.OpenAI(api_key=where.key, base_url=where.base_url, timeout=patience, max_retries=0, http_client=http)


def _hooks(line: Line, where: Address) -> dict[str, list[Callable[..., None]]]:
    """What keeps each exchange with the server that was chosen, and makes it end: by the line and the bounded body."""
    own = [] if where.of_environment else [without_foreign_headers]
    return {"request": [*own, line.watch, ask_for_plain_bytes], "response": [stay_there, bound]}


def _open(client: openai.OpenAI, messages: Sequence[Message], settings: Settings, where: Address) -> Any:
    """The stream. What a server does not know of the request is left out, or named otherwise, and sent again."""
    import openai

    # The options go as plain JSON, so that an older SDK takes a name that it does not know yet.
    create: Callable[..., Any] = client.chat.completions.create
    options = _options(settings, where)
    while True:
        try:
            return create(model=settings.model, messages=list(messages), stream=True, extra_body=options)
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            adapted = _adapted(options, str(error))
            if adapted is None:
                raise
            options = adapted


def _options(settings: Settings, where: Address) -> dict[str, Any]:
    options: dict[str, Any] = {"stream_options": {"include_usage": True}}
    if settings.temperature is not None:
        options["temperature"] = settings.temperature
    if settings.max_tokens is not None:
        # OpenAI's own newer models know the longer name only, many other servers the shorter one only.
        options["max_completion_tokens" if where.base_url.startswith(OPENAI) else "max_tokens"] = settings.max_tokens
    return options


def _adapted(options: dict[str, Any], refusal: str) -> dict[str, Any] | None:
    """The options without what the server refused; None if it was none of them."""
    rest = dict(options)
    if "stream_options" in options and ("stream_options" in refusal or "include_usage" in refusal):
        del rest["stream_options"]
        return rest
    if "max_tokens" in options and "max_completion_tokens" in refusal:
        rest["max_completion_tokens"] = rest.pop("max_tokens")
        return rest
    return None


def _whole_answer(stream: Any, where: Address, settings: Settings) -> Iterator[Any] | None:
    """The answer of a server that does not stream, as one chunk; None if it streams."""
    from openai.types.chat import ChatCompletion

    kind = stream.response.headers.get("content-type", "")
    if "text/html" in kind:
        raise ModelError(
            f"{where.host} answered with a web page, not as a model: is Reflex.base_url right? It usually ends in /v1.",
            "bad-reply",
        )
    if "application/json" not in kind:
        return None
    content = json.loads(stream.response.read())
    if not isinstance(content, dict):
        raise ValueError("no JSON object")
    if content.get("error"):
        raise refused(content["error"], where, settings)
    return iter([ChatCompletion.construct(**content)])
