"""The description of the service by OpenAPI. The tests hold it against what is really answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reflex_ipython.models import LONGEST_WISH
from reflex_ipython.server.answers import (
    DECISIONS,
    DEFAULT_RETRIES,
    DEFAULT_TIMEOUT,
    LIMIT,
    LINE_FILTERS,
    MOST,
)
from reflex_ipython.version import __version__

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "number", "minimum": 0}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_FLAG: Schema = {"type": "boolean"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _object(**fields: Schema) -> Schema:
    """All of these fields, and no others."""
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


_RESULT = _object(
    attempt={"type": "integer", "minimum": 1},
    total_attempts={"type": "integer", "minimum": 1, "description": "How many were to be made at most."},
    success=_FLAG,
    code=_TEXT,
    output={"type": "string", "description": "What was printed, then the last expression's text."},
    error=_or_null(_TEXT),
    execution_time={"type": "number", "description": "Seconds from the question until the code was tried and judged."},
    findings=_TEXTS,
)
_EXECUTION = _object(
    id={"type": "string", "description": "Of its repair in the history."},
    success=_FLAG,
    results={"type": "array", "items": _RESULT},
    final_code=_or_null(_TEXT),
    final_result=_or_null({"type": "string", "description": "What the final code put out."}),
    reason=_or_null({"type": "string", "description": "Why there is no success."}),
    total_time={"type": "number", "description": "Seconds."},
    input_tokens=_or_null(_COUNT),
    output_tokens=_or_null(_COUNT),
    model=_TEXT,
)
_HEALTH = _object(
    status={"type": "string", "enum": ["ok", "degraded"]},
    problems=_TEXTS,
    model=_TEXT,
    running=_COUNT,
    waiting=_COUNT,
    uptime={"type": "number", "description": "Seconds."},
    version=_TEXT,
)
_METRICS = _object(
    total=_COUNT,
    success_rate=_or_null({"type": "number", "minimum": 0, "maximum": 1}),
    mean_attempts=_or_null(_NUMBER),
    uptime=_NUMBER,
    errors={"type": "object", "additionalProperties": _COUNT},
)
_ROW = _object(
    id=_TEXT,
    session=_TEXT,
    at={"type": "string", "description": "ISO 8601 in UTC."},
    kind={"type": "string", "enum": ["failure", "request"]},
    title=_TEXT,
    error=_or_null({"type": "string", "description": "The exception's class."}),
    fixes=_COUNT,
    decision={"type": "string", "enum": list(DECISIONS)},
    succeeded=_or_null(_FLAG),
)
_LINE = _object(
    **dict.fromkeys(("id", "session", "at", "notebook", "author", "ename", "title"), _TEXT),
    **dict.fromkeys(("provider", "rule", "model", "outcome"), _TEXT),
    cell_id=_or_null(_TEXT),
    execution_count=_or_null(_COUNT),
    succeeded=_or_null(_FLAG),
    seconds=_NUMBER,
    tokens=_COUNT,
)
_LOG = _object(id=_TEXT, markdown=_TEXT)
_CHART = _object(title=_TEXT, spec={"type": "object", "description": "By Vega-Lite."})
_STATISTICS = _object(
    repairs=_COUNT,
    summary=_TEXT,
    charts={"type": "array", "items": _CHART},
    values=_object(**dict.fromkeys(("ename", "provider", "rule", "model", "outcome"), _TEXTS)),
)
_ERROR: Schema = {"type": "object", "properties": {"message": _TEXT}, "required": ["message"]}
_REPAIR: Schema = {
    "type": "object",
    "properties": {
        "id": _TEXT,
        "cause": {"type": "object"},
        "fixes": {"type": "array"},
        "verdicts": {"type": "object"},
    },
    "required": ["id", "cause", "fixes", "verdicts"],
}
_ERRORS = {
    400: "What was asked can't be understood; the message says why.",
    403: "Not logged in, or the request comes from another site.",
    404: "There is none.",
    413: "The body is too large.",
    429: "Too many at once; `Retry-After` says when to come again.",
    503: "It can't be worked on: no model is chosen, or the history can't be read.",
    504: "It took too long.",
}


def document(max_attempts: int, max_timeout: float) -> Mapping[str, Any]:
    """All of it.

    Parameters
    ----------
    max_attempts : int
        The largest `max_retries`.
    max_timeout : float
        The largest `timeout`, in seconds.
    """
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "reflex_ipython",
            "version": __version__,
            "description": "Words become code that has run in a sandbox. The Jupyter server's login guards all of it.",
        },
        "paths": {
            "/reflex/api/execute": {"post": _execute(max_attempts, max_timeout)},
            "/reflex/api/log": {"get": _get("What happens to all requests, as it happens.", None, 429)},
            "/reflex/api/health": {"get": _get("Whether requests can be worked on.", _HEALTH)},
            "/reflex/api/metrics": {"get": _get("Figures since the start.", _METRICS)},
            "/reflex/api/metrics/prometheus": {"get": _prometheus()},
            "/reflex/api/repairs": {"get": _repairs()},
            "/reflex/api/repairs/{id}": {"get": _with_id(_get("One repair, whole.", _REPAIR, 404, 503))},
            "/reflex/api/repairs/{id}/log": {"get": _with_id(_get("One as Markdown.", _LOG, 404, 503))},
            "/reflex/api/history": {"get": _history()},
            "/reflex/api/history/statistics": {"get": _get("What all repairs came to.", _STATISTICS, 503)},
            "/reflex/api/openapi.json": {"get": _get("This.", {"type": "object"})},
        },
    }


def _execute(max_attempts: int, max_timeout: float) -> Schema:
    body = {
        "type": "object",
        "properties": {
            "request": {**_TEXT, "minLength": 1, "maxLength": LONGEST_WISH},
            "max_retries": {"type": "integer", "minimum": 1, "maximum": max_attempts, "default": DEFAULT_RETRIES},
            "timeout": {
                "type": "number",
                "exclusiveMinimum": 0,
                "maximum": max_timeout,
                "default": DEFAULT_TIMEOUT,
                "description": "Seconds of each run.",
            },
        },
        "required": ["request"],
        "additionalProperties": False,
    }
    responses = _responses(_EXECUTION, 400, 403, 413, 429, 503, 504)
    responses["200"]["content"]["text/event-stream"] = {"schema": _TEXT}
    return {
        "summary": "Have a model write code for a request, and run it in a sandbox until it works.",
        "description": "With `Accept: text/event-stream` the events working, text and attempt, then result or error.",
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": responses,
    }


def _repairs() -> Schema:
    choices = {"kind": ["failure", "request"], "decision": list(DECISIONS)}
    known = {
        "limit": {"type": "integer", "minimum": 1, "maximum": MOST, "default": LIMIT},
        **{name: {"type": "string", "enum": values} for name, values in choices.items()},
        "error": {**_TEXT, "description": "The exception's class."},
        "since": {**_TEXT, "description": "ISO 8601 in UTC."},
    }
    made = _get("The latest repairs, newest first.", _object(repairs={"type": "array", "items": _ROW}), 400, 503)
    return {**made, "parameters": [{"name": name, "in": "query", "schema": schema} for name, schema in known.items()]}


def _history() -> Schema:
    known = {"limit": {"type": "integer", "minimum": 1, "maximum": MOST, "default": LIMIT}}
    known |= dict.fromkeys(LINE_FILTERS, _TEXT)
    lines = _object(repairs={"type": "array", "items": _LINE}, more=_FLAG)
    made = _get("The latest repairs that fit, in a line each, newest first.", lines, 400, 503)
    return {**made, "parameters": [{"name": name, "in": "query", "schema": schema} for name, schema in known.items()]}


def _with_id(made: Schema) -> Schema:
    return {**made, "parameters": [{"name": "id", "in": "path", "required": True, "schema": _TEXT}]}


def _prometheus() -> Schema:
    made = _get("The figures as Prometheus takes them.", {"type": "object"})
    made["responses"]["200"]["content"] = {"text/plain": {"schema": _TEXT}}
    return made


def _get(summary: str, schema: Schema | None, *errors: int) -> Schema:
    responses = _responses(schema or _TEXT, 403, *errors)
    if schema is None:
        responses["200"]["content"] = {"text/event-stream": {"schema": _TEXT}}
    return {"summary": summary, "responses": responses}


def _responses(schema: Schema, *errors: int) -> dict[str, Any]:
    made: dict[str, Any] = {"200": {"description": "It was done.", "content": {"application/json": {"schema": schema}}}}
    for status in errors:
        content = {"application/json": {"schema": _ERROR}}
        made[str(status)] = {"description": _ERRORS[status], "content": content}
    return made
