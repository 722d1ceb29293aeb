"""A refusal as a server wrote it: each provider packs the sentence, and the time to wait, in its own way."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

_LONGEST_QUOTE = 300
_LONGEST_WAIT = 86_400.0
"""Seconds: whoever is to wait for longer is told no time."""
_LONGEST_MESSAGE = 10_000
"""Characters of what a server says that are looked at."""
_DEEPEST = 4
"""How deep the sentence of an error may be packed."""
_DELAY = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)s")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from a `Retry-After` header in seconds or as a date (RFC 9110), or in milliseconds.

    None: it is not there, is nothing that can be read, or is no time that anybody can wait.

    Parameters
    ----------
    headers : mapping
        The names in lower case.
    """
    value = headers.get("retry-after", "")
    try:
        if "retry-after-ms" in headers:
            seconds = float(headers["retry-after-ms"]) / 1000
        elif value[:1].isdigit():
            seconds = float(value)
        else:
            until = parsedate_to_datetime(value)
            seconds = max(0.0, (until - datetime.now(timezone.utc)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None
    return _waitable(seconds)


def _waitable(seconds: float) -> float | None:
    return seconds if math.isfinite(seconds) and 0 <= seconds <= _LONGEST_WAIT else None


def in_words(seconds: float) -> str:
    """A wait, as one says it: "7 s", "5 min", "3 h"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.0f} h"


@dataclass(frozen=True)
class Refusal:
    """An error as a server sent it. The names of `headers` are in lower case."""

    message: str
    code: str = ""
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float | None = None

    @property
    def wait(self) -> float | None:
        """Seconds after which to ask again, where the server said so."""
        seconds = retry_after(self.headers)
        return self.delay if seconds is None else seconds

    @property
    def quote(self) -> str:
        """The server's own words, as a sentence of bounded length."""
        words = " ".join(self.message.split())
        if words[:1] == "<":
            return "it sent a web page."
        words = words if len(words) <= _LONGEST_QUOTE else f"{words[:_LONGEST_QUOTE]}…"
        return words if words.endswith((".", "!", "?", "…")) else f"{words}."


def refusal_of(error: Any) -> Refusal:
    """What a server refused with, from the SDK's error."""
    body = error.body if isinstance(error.body, (dict, list)) else _json(error.response.text)
    body = body[0] if isinstance(body, list) and body else body  # Gemini wraps it in a list
    inner = refusal_in((body.get("error") or body) if isinstance(body, dict) else body or "it gave no reason")
    headers = {name.lower(): value for name, value in error.response.headers.items()}
    return Refusal(inner.message, inner.code, error.status_code, headers, _retry_delay(body))


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def refusal_in(content: Any) -> Refusal:
    """The same, from the `error` of an answer."""
    if not isinstance(content, dict):
        return Refusal(str(content)[:_LONGEST_MESSAGE])
    code = str(content.get("code") or content.get("type") or "")
    return Refusal(_message(content)[:_LONGEST_MESSAGE], code[:_LONGEST_QUOTE])


def _message(content: Any) -> str:
    """The sentence in an error; Mistral's and vLLM's list what was wrong with each field."""
    for _ in range(_DEEPEST):
        if isinstance(content, dict):
            content = content.get("message") or content.get("detail") or content.get("msg") or json.dumps(content)
        elif isinstance(content, list) and content:
            place = content[0].get("loc") if isinstance(content[0], dict) else None
            where = ".".join(map(str, place)) if isinstance(place, list) else ""
            content = f"{where}: {_message(content[0].get('msg'))}" if where else content[0]
        else:
            break
    return str(content)


def _retry_delay(body: Any) -> float | None:
    """Seconds to wait, as Google's servers say it among the details of an error: `"retryDelay": "34s"`."""
    error = body.get("error", body) if isinstance(body, dict) else None
    details = error.get("details") if isinstance(error, dict) else None
    for detail in details if isinstance(details, list) else ():
        delay = detail.get("retryDelay") if isinstance(detail, dict) else None
        if isinstance(delay, str) and (found := _DELAY.fullmatch(delay)):
            return _waitable(float(found[1]))
    return None
