"""What a scripted server answers, and what it was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class Say:
    """A streamed answer.

    Parameters
    ----------
    pieces : sequence of str
        The text, one chunk each. A plain string is sent character by character.
    delay : float
        Seconds before each piece.
    usage : tuple of int, or None
        Input and output tokens; sent only if the request asks for it, where the dialect wants that. None: never.
    finish_reason : str or None
        Of the last chunk.
    ending : str
        "done": as it should. "no done": with a finish reason, but without the line `[DONE]`. "cut": the connection
        breaks after the last piece. "silent": nothing more comes, until the client hangs up or
        `ScriptedServer.release` is called; then it is done. "closed": the stream ends as if all were well, but without
        a finish reason.
    thinking : sequence of str
        What the model thinks first, one chunk each, where its dialect puts that.
    tool : str
        The name of a tool that it calls at the end, though nobody has offered one.
    cost : float or None
        What it says that it charges, in US dollars, where its dialect can.
    """

    pieces: Sequence[str]
    delay: float = 0.0
    usage: tuple[int, int] | None = (100, 20)
    finish_reason: str | None = "stop"
    ending: Literal["done", "no done", "cut", "silent", "closed"] = "done"
    thinking: Sequence[str] = ()
    tool: str = ""
    cost: float | None = None

    @property
    def ends_well(self) -> bool:
        """Whether a finish reason and the usage come."""
        return self.ending in ("done", "no done")


@dataclass(frozen=True)
class Refuse:
    """An error in the dialect's format: 401, 404 with `code="model_not_found"`, 429 with `{"Retry-After": "7"}`."""

    status: int
    message: str
    code: str | None = None
    type: str = "invalid_request_error"
    param: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Raw:
    """Any body: an HTML page, JSON, or event lines of your own."""

    body: str
    content_type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Silent:
    """Nothing at all, not even a status line, until the client hangs up or the server is released."""


Reply = Say | Refuse | Raw | Silent


@dataclass(frozen=True)
class RecordedRequest:
    """What a client sent. The names of `headers` are in lower case; `json` is empty where there was no body."""

    method: str
    path: str
    headers: Mapping[str, str]
    json: Mapping[str, Any]
    body: bytes = b""
    query: Mapping[str, str] = field(default_factory=dict)
