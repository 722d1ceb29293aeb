"""Asking over OpenAI's chat completions, which most servers speak. Nothing else in this package uses `openai`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.address import Address
from reflex_ipython.propose.answer_schema import RESPONSE_FORMAT
from reflex_ipython.propose.chunk import piece
from reflex_ipython.propose.http_client import client_options
from reflex_ipython.propose.refusal import refusal_of
from reflex_ipython.propose.sdk import refuse_own_file
from reflex_ipython.propose.sdk_transport import SdkTransport
from reflex_ipython.propose.transport import AnswerPiece, HangUp, Message
from reflex_ipython.propose.trouble import refused
from reflex_ipython.settings import Settings

if TYPE_CHECKING:
    import openai

AZURE_VERSION = "2024-10-21"
"""Of Azure's API, where neither the address (`?api-version=`) nor OPENAI_API_VERSION names one: the stable one."""

_NO_SYSTEM = re.compile(
    r"system role not supported|developer instruction is not enabled|does not support '?(?:system|developer)'?",
    re.IGNORECASE,
)
"""How vLLM and its like, Google, and OpenAI say that a model (Gemma, o1-mini) knows turns of the user's alone."""


class OpenAIChat(SdkTransport):
    """See `transport.Transport`."""

    def _client(self, where: Address, settings: Settings, line: HangUp) -> openai.OpenAI:
        refuse_own_file("openai")
        import openai  # 0.3 to 1.5 s: only who asks a model pays, on the thread that asks

        options = client_options(openai, where, settings.timeout, line)
        parts = urlsplit(where.base_url)
        if where.preset.dialect != "azure" or parts.path.rstrip("/").endswith(
            "/v1"
        ):  # Azure's newer address is OpenAI's
            return openai.OpenAI(api_key=where.key, base_url=where.base_url, **options)
        version = parse_qs(parts.query).get("api-version", [os.environ.get("OPENAI_API_VERSION") or AZURE_VERSION])[0]
        endpoint = parts._replace(query="", fragment="").geturl().rstrip("/")
        return openai.AzureOpenAI(api_key=where.key, azure_endpoint=endpoint, api_version=version, **options)

    def _open(self, client: openai.OpenAI, messages: Sequence[Message], settings: Settings, where: Address) -> Any:
        """The stream. What a server does not know of the request is left out, or named otherwise, and sent again."""
        import openai

        # The options go as plain JSON, so that an older SDK takes a name that it does not know yet.
        create: Callable[..., Any] = client.chat.completions.create
        options, turns = _options(settings, where), list(messages)
        while True:
            try:
                return create(model=settings.model, messages=turns, stream=True, extra_body=options)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                said = f"{error} {refusal_of(error).message}"  # the SDK says nothing of what Gemini wraps in a list
                if _NO_SYSTEM.search(said) and turns[0]["role"] == "system" and len(turns) > 1:
                    turns = _without_system(turns)
                    continue
                adapted = _adapted(options, said)
                if adapted is None:
                    raise
                options = adapted

    def _pieces(self, stream: Any, settings: Settings, where: Address) -> Iterator[AnswerPiece]:
        for chunk in _whole_answer(stream, where, settings) or stream:
            _say_error(chunk, where, settings)
            yield piece(chunk)


def load() -> None:
    """Import the SDK, which takes 0.3 to 1.5 s, for who measures what a server takes."""
    import openai  # noqa: F401


def _options(settings: Settings, where: Address) -> dict[str, Any]:
    options: dict[str, Any] = {"stream_options": {"include_usage": True}} if where.preset.usage_on_request else {}
    if settings.temperature is not None:
        options["temperature"] = settings.temperature
    if settings.max_tokens is not None:
        options[where.preset.limit] = settings.max_tokens
    if settings.answers == "structured":
        options["response_format"] = RESPONSE_FORMAT
    return options


def _without_system(turns: Sequence[Message]) -> list[Message]:
    """The turns with the system's words at the beginning of the user's first."""
    system, first, *rest = turns
    return [{**first, "content": f"{system['content']}\n\n{first['content']}"}, *rest]


def _adapted(options: dict[str, Any], refusal: str) -> dict[str, Any] | None:
    """The options without what the server refused; None if it was none of them."""
    rest = dict(options)
    if "stream_options" in options and ("stream_options" in refusal or "include_usage" in refusal):
        del rest["stream_options"]
        return rest
    if "max_tokens" in options and "max_completion_tokens" in refusal:
        rest["max_completion_tokens"] = rest.pop("max_tokens")
        return rest
    if "max_completion_tokens" in options and "max_completion_tokens" in refusal:
        rest["max_tokens"] = rest.pop("max_completion_tokens")
        return rest
    if "temperature" in options and "temperature" in refusal:  # models that reason have one of their own
        del rest["temperature"]
        return rest
    return None


def _say_error(chunk: Any, where: Address, settings: Settings) -> None:
    """Raise what stands in a chunk as an error, where the SDK lets it through."""
    error = getattr(chunk, "error", None)
    if error:
        raise refused(error, where, settings)


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
