"""The model servers that are known by name: `groq:NAME` is the model NAME at Groq. Data alone."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from reflex_ipython.settings import OPENAI_API_KEY

Dialect = Literal["openai", "azure", "anthropic"]
"""Which API: OpenAI's chat completions, the same as Azure addresses it, or Anthropic's Messages."""


@dataclass(frozen=True)
class Preset:
    """A kind of model server.

    Parameters
    ----------
    name : str
        What stands before the colon; empty for any server that is only known by its address.
    label : str
        What to call it in a sentence.
    base_url : str
        Its address; empty if each of its users has another one.
    key_variable : str
        The environment variable that its own documentation keeps the key in; empty: it needs no key.
    address_variable : str
        The environment variable that names another address, if there is one.
    dialect : str
        One of `Dialect`.
    limit : str
        What it calls the limit of tokens that may be written.
    says_cost : bool
        Whether it says what each answer costs.
    usage_on_request : bool
        Whether it has to be asked for the count of tokens. Mistral counts unasked, and refuses the question.
    structured : bool
        Whether every model that it has now is known to keep to a JSON schema, streamed: as its documentation says, not
        only some of them (Qwen's, Groq's and OpenRouter's).
    """

    name: str
    label: str
    base_url: str = ""
    key_variable: str = ""
    address_variable: str = ""
    dialect: Dialect = "openai"
    limit: str = "max_tokens"
    says_cost: bool = False
    usage_on_request: bool = True
    structured: bool = False

    @property
    def port(self) -> int | None:
        """Where it listens on this machine; None if it does not."""
        parts = urlsplit(self.base_url)
        return parts.port if parts.hostname == "127.0.0.1" else None


COMPATIBLE = Preset("", "an OpenAI-compatible server", key_variable=OPENAI_API_KEY)
"""Any other server."""

LOCAL = "local"
"""Instead of a preset's name: the model is a GGUF file on this machine."""

PRESETS: Mapping[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "openai",
            "OpenAI",
            "https://api.openai.com/v1",
            OPENAI_API_KEY,
            "OPENAI_BASE_URL",
            limit="max_completion_tokens",
            structured=True,
        ),
        Preset(
            "anthropic",
            "Anthropic",
            "https://api.anthropic.com",
            "ANTHROPIC_API_KEY",
            dialect="anthropic",
            structured=True,
        ),
        Preset("qwen", "Qwen", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY"),
        Preset(
            "gemini",
            "Gemini",
            "https://generativelanguage.googleapis.com/v1beta/openai",
            "GEMINI_API_KEY",
            structured=True,
        ),
        Preset(
            "mistral",
            "Mistral",
            "https://api.mistral.ai/v1",
            "MISTRAL_API_KEY",
            usage_on_request=False,
            structured=True,
        ),
        Preset("groq", "Groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY", limit="max_completion_tokens"),
        Preset("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", says_cost=True),
        Preset(
            "azure",
            "Azure OpenAI",
            key_variable="AZURE_OPENAI_API_KEY",
            address_variable="AZURE_OPENAI_ENDPOINT",
            dialect="azure",
            limit="max_completion_tokens",
            structured=True,
        ),
        Preset("ollama", "Ollama", "http://127.0.0.1:11434/v1", structured=True),
        Preset("lm-studio", "LM Studio", "http://127.0.0.1:1234/v1", structured=True),
        Preset("vllm", "vLLM", "http://127.0.0.1:8000/v1", structured=True),
        Preset("llama.cpp", "llama.cpp", "http://127.0.0.1:8080/v1", structured=True),
        Preset(LOCAL, "a model file", structured=True),
    )
}


def split(name: str) -> tuple[str, str]:
    """The preset's name and the model's, of `groq:NAME`; the first is empty where no preset is named."""
    before, colon, after = name.partition(":")
    return (before, after) if colon and before in PRESETS else ("", name)


def with_a_key(environ: Mapping[str, str] = os.environ) -> list[Preset]:
    """Those whose key is in the environment, and whose address is known."""
    return [
        preset
        for preset in PRESETS.values()
        if preset.key_variable and environ.get(preset.key_variable)
        if preset.base_url or environ.get(preset.address_variable)
    ]


def preset_at(base_url: str) -> Preset | None:
    """The preset whose address this is."""
    wanted = base_url.rstrip("/")
    return next((preset for preset in PRESETS.values() if preset.base_url and preset.base_url == wanted), None)
