"""Errors as the providers write them, and what each of them refuses of a request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reflex_ipython.testing.replies import RecordedRequest, Refuse

Body = Callable[[Refuse], Any]
"""The JSON of an error."""

Objection = Callable[[RecordedRequest], "Refuse | None"]
"""What is wrong with a request, if anything is."""

# ------------------------------------------------------------------------------------------ the JSON of an error


def as_openai(reply: Refuse) -> Any:
    """As most write it."""
    return {"error": {"message": reply.message, "type": reply.type, "param": reply.param, "code": reply.code}}


def as_anthropic(reply: Refuse) -> Any:
    """What went wrong is said by the type."""
    kinds = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error"}
    kind = kinds.get(reply.status, reply.type)
    return {"type": "error", "error": {"type": kind, "message": reply.message}, "request_id": "req_1"}


def as_gemini(reply: Refuse) -> Any:
    """In a list, with the time to wait among the details."""
    error: dict[str, Any] = {"code": reply.status, "message": reply.message, "status": "INVALID_ARGUMENT"}
    if reply.code:
        delay = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": reply.code}
        error["details"] = [{"@type": "type.googleapis.com/google.rpc.Help"}, delay]
    return [{"error": error}]


def as_mistral(reply: Refuse) -> Any:
    """Without an `error` around it; a field that it does not know is named in a list."""
    if reply.param:
        detail = [{"type": "extra_forbidden", "loc": ["body", reply.param], "msg": reply.message, "input": {}}]
        return {"object": "error", "message": {"detail": detail}, "type": reply.type, "param": None, "code": None}
    if reply.status == 401:
        return {"detail": reply.message}
    return {"object": "error", "message": reply.message, "type": reply.type, "param": None, "code": reply.code}


def as_numbered(reply: Refuse) -> Any:
    """With the status as the code: OpenRouter's, vLLM's and llama.cpp's."""
    return {"error": {"code": reply.status, "message": reply.message, "type": reply.type}}


def as_text(reply: Refuse) -> Any:
    """A sentence alone: LM Studio's."""
    return {"error": reply.message}


# ------------------------------------------------------------------------------------------ what is refused


def needs_bearer(request: RecordedRequest) -> Refuse | None:
    """The key goes where OpenAI has it."""
    if request.headers.get("authorization", "").removeprefix("Bearer ") in ("", "none"):
        return Refuse(401, "Incorrect API key provided: none.", "invalid_api_key")
    return None


def needs_new_limit(request: RecordedRequest) -> Refuse | None:
    """Models that reason do not know the old name of the limit."""
    if "max_tokens" in request.json:
        words = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'."
        return Refuse(400, words, "unsupported_parameter", param="max_tokens")
    return None


def knows_few_fields(request: RecordedRequest) -> Refuse | None:
    """Mistral refuses whatever it does not know."""
    known = {"model", "messages", "stream", "temperature", "max_tokens", "stop", "top_p", "response_format"}
    strange = set(request.json) - known
    return Refuse(422, "Extra inputs are not permitted", param=min(strange)) if strange else None


def needs_strict_schema(request: RecordedRequest) -> Refuse | None:
    """A schema that is to be kept to names every property as required, and allows no others."""
    wanted = (request.json.get("response_format") or {}).get("json_schema", {})
    if not wanted.get("strict") or _is_strict(wanted.get("schema")):
        return None
    words = f"Invalid schema for response_format '{wanted.get('name')}': 'additionalProperties' and 'required'"
    return Refuse(400, words, param="response_format")


def takes_no_schema(request: RecordedRequest) -> Refuse | None:
    """Most models of Qwen, Groq and OpenRouter."""
    if (request.json.get("response_format") or {}).get("type") != "json_schema":
        return None
    words = "This model does not support response format `json_schema`."
    return Refuse(400, words, param="response_format")


def _is_strict(schema: Any) -> bool:
    if isinstance(schema, list):
        return all(map(_is_strict, schema))
    if not isinstance(schema, dict):
        return True
    if schema.get("type") == "object":
        closed = schema.get("additionalProperties") is False
        if not closed or set(schema.get("required", ())) != set(schema.get("properties", ())):
            return False
    return all(map(_is_strict, schema.values()))


def needs_azure(request: RecordedRequest) -> Refuse | None:
    """A key of its own, and a version of the API."""
    if not request.headers.get("api-key"):
        return Refuse(401, "Access denied due to missing subscription key.", "401")
    if "api-version" not in request.query:
        return Refuse(404, "Resource not found", "404")
    return None


def needs_anthropic(request: RecordedRequest) -> Refuse | None:
    """Its own headers, a limit, and the system's words apart. The key goes where an older or a newer SDK has it."""
    if not request.headers.get("x-api-key") and needs_bearer(request):
        return Refuse(401, "x-api-key header is required")
    if not request.headers.get("anthropic-version"):
        return Refuse(400, "anthropic-version: header is required")
    if "max_tokens" not in request.json:
        return Refuse(400, "max_tokens: Field required")
    if any(message["role"] == "system" for message in request.json["messages"]):
        return Refuse(400, 'messages: Unexpected role "system". Use the top-level `system` parameter.')
    return None
