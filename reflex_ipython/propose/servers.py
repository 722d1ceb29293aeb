"""Model servers that run on this machine: found and named, never used before the user says so."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from reflex_ipython.propose.presets import PRESETS
from reflex_ipython.propose.request_cancel import hanging_up_when

PORTS: Mapping[str, int] = {preset.label: preset.port for preset in PRESETS.values() if preset.port}
"""The known servers, and the ports where they listen unless told otherwise."""

_LARGEST = 1_000_000
_LONGEST_NAME = 100
"""Characters of a model's name."""


@dataclass(frozen=True)
class LocalServer:
    """A model server on this machine, and the models that it has."""

    name: str
    base_url: str
    models: tuple[str, ...]


def find_local_servers(timeout: float = 0.3, ports: Mapping[str, int] = PORTS) -> list[LocalServer]:
    """Look for the known servers.

    Parameters
    ----------
    timeout : float
        Seconds that each answer may take in all.
    ports : mapping of str to int
        Where to look for which: the names are those of `PORTS`.

    Returns
    -------
    list of LocalServer
        Those that answered as what they should be; something else on such a port is not named.
    """
    if not ports:
        return []
    with ThreadPoolExecutor(len(ports), thread_name_prefix="reflex-probe") as pool:
        found = list(pool.map(lambda name: _probe(name, ports[name], timeout), ports))
    return [server for server in found if server is not None]


def list_models(base_url: str, timeout: float = 1.0) -> tuple[str, ...]:
    """The names of the models that a server on this machine has; none if it does not say."""
    parts = urlsplit(base_url)
    content = _get(parts.hostname or "", parts.port or 80, f"{parts.path.rstrip('/')}/models", timeout)
    return tuple(model["id"] for model in _entries(content))


def suggestion(servers: Sequence[LocalServer]) -> str:
    """How to choose one of the servers that were found, in a sentence each; empty for none."""
    return " ".join(map(_suggest, servers))


def _suggest(server: LocalServer) -> str:
    if not server.models:
        return f"{server.name} is running at {server.base_url}, but has no model yet."
    more = f" (it also has {', '.join(server.models[1:4])})" if len(server.models) > 1 else ""
    return (
        f"{server.name} is running: `%reflex model {server.models[0]} --base-url {server.base_url}` chooses it{more}."
    )


def _probe(name: str, port: int, timeout: float) -> LocalServer | None:
    content = _get("127.0.0.1", port, "/v1/models", timeout)
    if content is None or not _SIGNS[name](content, port, timeout):
        return None
    return LocalServer(name, f"http://127.0.0.1:{port}/v1", tuple(model["id"] for model in _entries(content)))


def _is_ollama(content: Any, port: int, timeout: float) -> bool:
    version = _get("127.0.0.1", port, "/api/version", timeout)
    return isinstance(version, dict) and "version" in version


def _is_llama_cpp(content: Any, port: int, timeout: float) -> bool:
    if any(model.get("owned_by") == "llamacpp" for model in _entries(content)):
        return True
    properties = _get("127.0.0.1", port, "/props", timeout)
    return isinstance(properties, dict) and "default_generation_settings" in properties


def _is_lm_studio(content: Any, port: int, timeout: float) -> bool:
    """LM Studio has a REST API of its own beside OpenAI's; its models carry a state there."""
    own = _get("127.0.0.1", port, "/api/v0/models", timeout)
    return isinstance(own, dict) and own.get("object") == "list" and all("state" in model for model in _entries(own))


def _is_vllm(content: Any, port: int, timeout: float) -> bool:
    entries = _entries(content)
    return bool(entries) and all(model.get("owned_by") == "vllm" for model in entries)


_SIGNS = {"Ollama": _is_ollama, "LM Studio": _is_lm_studio, "vLLM": _is_vllm, "llama.cpp": _is_llama_cpp}


def _entries(content: Any) -> list[dict[str, Any]]:
    """The models in the answer of `/v1/models`; Ollama's is `null` where there is none."""
    data = content.get("data") if isinstance(content, dict) else None
    entries = [entry for entry in data if isinstance(entry, dict)] if isinstance(data, list) else []
    return [entry for entry in entries if isinstance(entry.get("id"), str) and len(entry["id"]) <= _LONGEST_NAME]


def _get(host: str, port: int, path: str, timeout: float) -> Any:
    """The JSON at an address of this machine, no proxy in between; None if there is none, or not within the time."""
    connection = http.client.HTTPConnection(host, port, timeout=timeout)
    with hanging_up_when(threading.Event(), timeout) as line:
        try:
            connection.connect()
            line.add(connection.sock)
            connection.request("GET", path, headers={"Accept": "application/json"})
            response = connection.getresponse()
            return json.loads(response.read(_LARGEST)) if response.status == 200 else None
        except (OSError, http.client.HTTPException, ValueError, RecursionError):  # nobody there, too slow, or no JSON
            return None
        finally:
            connection.close()
