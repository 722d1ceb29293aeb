"""What went wrong with a model's server, in a sentence for the user that says what to do, and without the key.

Errors are told by their family's name and by what they carry: which HTTP library they are from depends on the SDK's
version.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.address import Address
from reflex_ipython.propose.refusal import Refusal, in_words, refusal_in, refusal_of
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
_NO_SCHEMA = re.compile(
    r"response_format|json_?schema|structured[ _-]?outputs?|tool_choice|\btools?\b|\bschema\b|\bgrammar\b",
    re.IGNORECASE,
)
_KEY = re.compile(r"api[ _-]?key|unauthori[sz]ed|authenticat", re.IGNORECASE)
_NO_QUOTA = re.compile(r"insufficient_quota|quota|billing|credit|balance", re.IGNORECASE)
_BROKE_OFF = re.compile(r"disconnected|closed|incomplete|without response", re.IGNORECASE)
_ANOTHER = "Is Reflex.base_url right? It usually ends in /v1."


def explain(error: Exception, where: Address, settings: Settings) -> ModelError:
    """An error of the SDK's, or of the HTTP library under it, as one of ours; what can't be told apart is one as well.

    Parameters
    ----------
    error : Exception
    where : Address
        Which server was asked.
    settings : Settings
        The model and the time limit that the sentence names.
    """
    try:
        return _explained(error, where, settings)
    except Exception:  # noqa: BLE001 - an answer that even its error can't be made of: its text in no encoding, say
        return _no_answer(where, error)


def too_slow(where: Address, settings: Settings) -> ModelError:
    """What took longer than an answer may in all."""
    return ModelError(
        f"The answer from {where.host} was not complete after {settings.total_timeout:g} s. "
        "Ask again, choose a faster model, or raise Reflex.total_timeout.",
        "timeout",
    )


def not_reached(where: Address, settings: Settings) -> ModelError:
    """What took longer without any connection: a resolver that does not answer, addresses that nobody listens at."""
    return ModelError(
        f"{where.host} could not be reached within {settings.total_timeout:g} s: its address was not found, or nobody "
        "takes a connection there. Is the server running, and is Reflex.base_url right?",
        "no-connection",
    )


def _explained(error: Exception, where: Address, settings: Settings) -> ModelError:
    ours = next((cause for cause in _causes(error) if isinstance(cause, ModelError)), None)
    if ours is not None:
        return _without_key(ours, where)
    families = {kind.__name__ for kind in type(error).__mro__}
    if "APIStatusError" in families:
        return _without_key(_refused(refusal_of(error), where, settings), where)
    if families & {"APITimeoutError", "TimeoutException"}:
        return ModelError(
            f"{where.host} was silent for {settings.timeout:g} s. Reflex.timeout sets how long to wait.", "timeout"
        )
    if families & {"APIConnectionError", "TransportError"}:
        return _without_key(_no_connection(error, where), where)
    if "APIError" in families:  # one that came in the middle of a stream
        return refused(getattr(error, "body", None) or str(error), where, settings)
    return _no_answer(where, error)


def _no_answer(where: Address, error: Exception) -> ModelError:
    """No JSON, JSON without an end, no text, or of another shape: the error's kind says it shortest."""
    return ModelError(
        f"{where.host} did not answer like a model server: {type(error).__name__}. {_ANOTHER}", "bad-reply"
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def refused(content: Any, where: Address, settings: Settings) -> ModelError:
    """What a server wrote into the `error` of an answer whose status was fine."""
    return _without_key(_refused(refusal_in(content), where, settings), where)


def _refused(refusal: Refusal, where: Address, settings: Settings) -> ModelError:
    status, said, model, host = refusal.status, refusal.quote, settings.model or "this model", where.host
    if status == 413 or refusal.code == "context_length_exceeded" or _TOO_LONG.search(refusal.message):
        return ModelError(f"This is too long for {model}: {said} Choose a model with a longer context.", "too-long")
    if status in (401, 403) or (status == 400 and _KEY.search(refusal.message)):
        way = f"Set {where.key_variable or settings.key_variable} or Reflex.api_key."
        return ModelError(f"{host} does not accept the key: {said} {way}", "bad-key")
    if status in (402, 429) or refusal.code in ("rate_limit_exceeded", "rate_limit_error"):
        return _rate_limit(refusal, host)
    if refusal.code == "overloaded_error" or status in (503, 529):
        return _overloaded(refusal, host)
    if status in (408, 504):
        return ModelError(f"{host} took too long and gave up. Ask again, or choose a faster model.", "timeout")
    if _NO_MODEL.search(f"{refusal.code} {refusal.message}") or (status == 404 and "model" in refusal.message.lower()):
        return ModelError(
            f"{host} has no model {model!r}: {said} `%reflex model NAME` chooses another.", "no-such-model"
        )
    if settings.answers == "structured" and status in (400, 404, 422, 500, 501) and _NO_SCHEMA.search(refusal.message):
        return ModelError(f"{host} takes no JSON schema: {said} Set Reflex.answers to 'blocks'.", "no-schema")
    if status in (404, 405):
        return ModelError(
            f"Nothing at {host} answers chat requests at this address. Reflex.base_url usually ends in /v1.",
            "bad-reply",
        )
    if status is not None and status >= 500:
        return ModelError(f"{host} has a problem of its own ({status}): {said} Ask again in a moment.", "other")
    return ModelError(
        f"{host} refused the request{f' ({status})' if status else ''}: {said} Ask again, or choose another model.",
        "other",
    )


def _rate_limit(refusal: Refusal, host: str) -> ModelError:
    wait = refusal.wait
    if wait is None and (refusal.status == 402 or _NO_QUOTA.search(f"{refusal.code} {refusal.message}")):
        return ModelError(
            f"The account at {host} has no credit left: {refusal.quote} Add some, or choose another model.",
            "rate-limit",
        )
    when = f"in {in_words(wait)}" if wait is not None else "in a while"
    return ModelError(f"{host} accepts no more requests for now: {refusal.quote} Ask again {when}.", "rate-limit", wait)


def _overloaded(refusal: Refusal, host: str) -> ModelError:
    wait = refusal.wait
    when = f"in {in_words(wait)}" if wait is not None else "in a moment"
    return ModelError(f"{host} can't answer just now: {refusal.quote} Ask again {when}.", "other", wait)


def _no_connection(error: Exception, where: Address) -> ModelError:
    cause = error.__cause__ or error
    name = type(cause).__name__
    if name in ("ReadError", "WriteError") or (name == "RemoteProtocolError" and _BROKE_OFF.search(str(cause))):
        return ModelError(f"{where.host} broke off before its answer was complete. Ask again.", "no-connection")
    if name.endswith("ProtocolError"):
        return ModelError(f"{where.host} does not speak HTTP as it should. {_ANOTHER}", "bad-reply")
    if "SSL" in str(cause) and where.base_url.startswith("https:"):
        return ModelError(
            f"No connection to {where.host}: {cause}. Does it speak TLS? If not, Reflex.base_url must begin with http://.",
            "no-connection",
        )
    if name == "ConnectError" and "refused" in str(cause):
        return ModelError(f"Nothing answers at {where.shown}. Is the server running?", "no-connection")
    hint = "Is the server running?" if where.local else "Is this machine online, and Reflex.base_url right?"
    return ModelError(f"No connection to {where.host}: {cause}. {hint}", "no-connection")


def _without_key(error: ModelError, where: Address) -> ModelError:
    return ModelError(where.hide_key(str(error)), error.code, error.retry_after)
