"""What went wrong with a model's server, in a sentence for the user that says what to do, and without the key.

Errors are told by their family's name and by what they carry: which HTTP library they are from depends on the SDK's
version.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.address import Address
from reflex_ipython.settings import Settings

_TOO_LONG = re.compile(
    r"context[ _-]?(length|size|window|overflow)|maximum context|exceeds? .{0,20}context|context the overflows"
    r"|prompt is too long|too many (input )?tokens|string too long",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model_not_found|\b(unknown|invalid|no such) model\b|no models? (is |are )?loaded"
    r"|\bmodel\b.{0,80}\b(not found|not exist|not loaded|not available)\b",
    re.IGNORECASE,
)
_KEY = re.compile(r"api[ _-]?key|unauthori[sz]ed|authenticat", re.IGNORECASE)
_NO_QUOTA = re.compile(r"insufficient_quota|quota|billing|credit|balance", re.IGNORECASE)
_LONGEST_QUOTE = 300


def explain(error: Exception, where: Address, settings: Settings) -> ModelError:
    """An error of the SDK's, or of the HTTP library under it, as one of ours."""
    for ours in (error, error.__cause__):  # the SDK wraps what a hook of ours raises
        if isinstance(ours, ModelError):
            return _without_key(ours, where)
    model = settings.model or "this model"
    families = {kind.__name__ for kind in type(error).__mro__}
    if "APIStatusError" in families:
        return _without_key(_refused(_refusal(error), where.host, model), where)
    if families & {"APITimeoutError", "TimeoutException"}:
        return ModelError(
            f"{where.host} was silent for {settings.timeout:g} s. Reflex.timeout sets how long to wait.", "timeout"
        )
    if families & {"APIConnectionError", "TransportError"}:
        return _without_key(_no_connection(error, where), where)
    if "APIError" in families:  # one that came in the middle of a stream
        return refused(getattr(error, "body", None) or str(error), where, model)
    if isinstance(error, ValueError):  # no JSON, or no text
        return ModelError(f"{where.host} did not answer as a model's server does: {type(error).__name__}.", "bad-reply")
    return _without_key(ModelError(f"Asking {where.host} failed: {type(error).__name__}: {error}", "other"), where)


def refused(content: Any, where: Address, model: str) -> ModelError:
    """What a server wrote into the `error` of an answer whose status was fine."""
    return _without_key(_refused(_refusal_in(content), where.host, model), where)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from a `Retry-After` header in seconds or as a date (RFC 9110), or in milliseconds.

    Parameters
    ----------
    headers : mapping
        The names in lower case.
    """
    value = headers.get("retry-after", "")
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        if value[:1].isdigit():
            return float(value)
        until = parsedate_to_datetime(value)
        return max(0.0, (until - datetime.now(timezone.utc)).total_seconds())
    except (ValueError, TypeError):  # not there, or nothing that can be read
        return None


@dataclass(frozen=True)
class _Refusal:
    """An error as a server sent it. The names of `headers` are in lower case."""

    message: str
    code: str = ""
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def quote(self) -> str:
        """The server's own words, as a sentence of bounded length."""
        words = " ".join(self.message.split())
        if words[:1] == "<":
            return "it sent a web page."
        words = words if len(words) <= _LONGEST_QUOTE else f"{words[:_LONGEST_QUOTE]}…"
        return words if words.endswith((".", "!", "?", "…")) else f"{words}."


def _refusal(error: Any) -> _Refusal:
    body = error.body if isinstance(error.body, dict) else {"message": error.response.text or str(error)}
    inner = _refusal_in(body.get("error") or body)
    headers = {name.lower(): value for name, value in error.response.headers.items()}
    return _Refusal(inner.message, inner.code, error.status_code, headers)


def _refusal_in(content: Any) -> _Refusal:
    if not isinstance(content, dict):
        return _Refusal(str(content))
    message = content.get("message") or content.get("detail") or json.dumps(content)
    return _Refusal(str(message), str(content.get("code") or content.get("type") or ""))


def _refused(refusal: _Refusal, host: str, model: str) -> ModelError:
    status, said = refusal.status, refusal.quote
    if status == 413 or refusal.code == "context_length_exceeded" or _TOO_LONG.search(refusal.message):
        return ModelError(f"This is too long for {model}: {said} Choose a model with a longer context.", "too-long")
    if status in (401, 403) or (status == 400 and _KEY.search(refusal.message)):
        return ModelError(f"{host} does not accept the key: {said} Set OPENAI_API_KEY or Reflex.api_key.", "bad-key")
    if status in (402, 429) or refusal.code == "rate_limit_exceeded":
        return _rate_limit(refusal, host)
    if status in (408, 504):
        return ModelError(f"{host} took too long and gave up. Ask again, or choose a faster model.", "timeout")
    if _NO_MODEL.search(f"{refusal.code} {refusal.message}") or (status == 404 and "model" in refusal.message.lower()):
        return ModelError(f"{host} has no model {model!r}: {said}", "no-such-model")
    if status in (404, 405):
        return ModelError(
            f"Nothing at {host} answers to chat under this address. Reflex.base_url usually ends in /v1.", "bad-reply"
        )
    if status is not None and status >= 500:
        return ModelError(f"{host} has trouble of its own ({status}): {said} Ask again in a moment.", "other")
    return ModelError(f"{host} refused the request{f' ({status})' if status else ''}: {said}", "other")


def _rate_limit(refusal: _Refusal, host: str) -> ModelError:
    wait = retry_after(refusal.headers)
    if wait is None and (refusal.status == 402 or _NO_QUOTA.search(f"{refusal.code} {refusal.message}")):
        return ModelError(f"The account at {host} has nothing left to spend: {refusal.quote}", "rate-limit")
    when = f"in {wait:.0f} s" if wait is not None else "in a while"
    return ModelError(f"{host} takes no more requests for now: {refusal.quote} Ask again {when}.", "rate-limit", wait)


def _no_connection(error: Exception, where: Address) -> ModelError:
    cause = error.__cause__ or error
    if type(cause).__name__ in ("ReadError", "RemoteProtocolError"):
        return ModelError(f"{where.host} broke off before its answer was complete. Ask again.", "no-connection")
    hint = "Is the server running?" if where.local else "Is this machine online, and Reflex.base_url right?"
    return ModelError(f"No connection to {where.host}: {cause}. {hint}", "no-connection")


def _without_key(error: ModelError, where: Address) -> ModelError:
    return ModelError(where.hide_key(str(error)), error.code, error.retry_after)
