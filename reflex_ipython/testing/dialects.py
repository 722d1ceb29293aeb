"""How each provider speaks: where it is asked, how its answers and errors look, what it refuses."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from reflex_ipython.testing import chat_events, errors, message_events
from reflex_ipython.testing.chat_events import Quirks
from reflex_ipython.testing.replies import Raw, Say

Events = Callable[[Say, Mapping[str, Any]], Iterator[str]]


@dataclass(frozen=True)
class ServerDialect:
    """A kind of server.

    Parameters
    ----------
    events : callable
        Gives the events of an answer to a request's JSON.
    base : str
        The path of its address.
    path : str
        The end of the path at which it is asked.
    done : callable
        Gives what closes the stream.
    error : callable
        Gives the JSON of an error.
    objections : tuple of callable
        Each may refuse a request.
    routes : mapping of str to Raw
        By which other paths it can be told.
    owner : str
        Whose the models are that it lists.
    """

    events: Events
    base: str = "/v1"
    path: str = "/chat/completions"
    done: Callable[[Say], Iterator[str]] = chat_events.done
    error: errors.Body = errors.as_openai
    objections: tuple[errors.Objection, ...] = ()
    routes: Mapping[str, Raw] = field(default_factory=dict)
    owner: str = "scripted"


def _chat(*, quirks: Quirks, **more: Any) -> ServerDialect:
    return ServerDialect(events=functools.partial(chat_events.events, quirks=quirks), **more)


def _json(text: str) -> Raw:
    return Raw(text, "application/json")


_BEARER = (errors.needs_bearer,)
_NO_SCHEMA = (errors.needs_bearer, errors.takes_no_schema)
_FILTERED = {"content_filter_results": {"hate": {"filtered": False, "severity": "safe"}}}

PLAIN = _chat(quirks=Quirks())
"""As plain as can be: any server that calls itself compatible."""

DIALECTS: Mapping[str, ServerDialect] = {
    "openai": _chat(
        quirks=Quirks(role_first=True),
        objections=(errors.needs_bearer, errors.needs_new_limit, errors.needs_strict_schema),
    ),
    "anthropic": ServerDialect(
        base="",
        path="/v1/messages",
        events=message_events.events,
        done=message_events.done,
        error=errors.as_anthropic,
        objections=(errors.needs_anthropic,),
    ),
    "qwen": _chat(quirks=Quirks(), base="/compatible-mode/v1", objections=_NO_SCHEMA),
    "gemini": _chat(quirks=Quirks(usage="each"), base="/v1beta/openai", error=errors.as_gemini, objections=_BEARER),
    "mistral": _chat(
        quirks=Quirks(role_first=True, thinking="content", usage="last"),
        error=errors.as_mistral,
        objections=(errors.needs_bearer, errors.knows_few_fields),
    ),
    "groq": _chat(
        quirks=Quirks(role_first=True, thinking="reasoning", usage="x_groq"), base="/openai/v1", objections=_NO_SCHEMA
    ),
    "openrouter": _chat(
        quirks=Quirks(thinking="reasoning", comment=": OPENROUTER PROCESSING\n\n"),
        base="/api/v1",
        error=errors.as_numbered,
        objections=_NO_SCHEMA,
    ),
    "azure": _chat(
        quirks=Quirks(
            role_first=True,
            before=({"model": "", "prompt_filter_results": [{"prompt_index": 0, **_FILTERED}]},),
            beside=_FILTERED,
        ),
        base="",
        objections=(errors.needs_azure, errors.needs_strict_schema),
    ),
    "ollama": _chat(
        quirks=Quirks(thinking="reasoning"), routes={"/api/version": _json('{"version": "0.9"}')}, owner="library"
    ),
    "lm-studio": _chat(
        quirks=Quirks(),
        error=errors.as_text,
        routes={"/api/v0/models": _json('{"object": "list", "data": [{"id": "scripted", "state": "loaded"}]}')},
        owner="organization_owner",
    ),
    "vllm": _chat(
        quirks=Quirks(role_first=True),
        error=errors.as_numbered,
        routes={"/version": _json('{"version": "0.11.0"}')},
        owner="vllm",
    ),
    "llama.cpp": _chat(
        quirks=Quirks(role_first=True, last={"timings": {"predicted_per_second": 20.0}}),
        error=errors.as_numbered,
        owner="llamacpp",
    ),
}
