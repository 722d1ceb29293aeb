"""What keeps a question, and all that goes with it, with the server that was chosen."""

from __future__ import annotations

from typing import Any

from reflex_ipython.errors import ModelError

_OWN_HEADERS = {
    *("host", "connection", "accept", "accept-encoding", "anthropic-version"),
    *("content-type", "content-length", "transfer-encoding", "user-agent"),
}
_OF_KEYS = ("authorization", "api-key", "x-api-key")
"""Where one or another API has the key."""


def stay_there(response: Any) -> None:
    """Refuse a redirect to another host, port or scheme before it is followed, as the httpx event hook "response".

    Raises
    ------
    ModelError
        In words for the user: where the server points to.
    """
    location = response.headers.get("location", "")
    if not location or not 300 <= response.status_code < 400:
        return
    asked = response.request.url
    try:
        there = asked.join(location)
        same = (there.scheme, there.host, _port(there)) == (asked.scheme, asked.host, _port(asked))
        name = f"{there.scheme}://{there.host}" + (f":{there.port}" if there.port else "")
    except Exception:  # noqa: BLE001 - each HTTP library has an error of its own for something that is not an address
        same, name = False, "something that is not an address"
    if not same:
        raise ModelError(
            f"{asked.host}{f':{asked.port}' if asked.port else ''} redirects the question to {name[:200]} "
            f"({response.status_code}). It was not sent there. If you want that server, set Reflex.base_url to it.",
            "bad-reply",
        )


def without_foreign_headers(request: Any, key: str) -> None:
    """Take out what an SDK adds from the environment for another server, as the httpx event hook "request".

    OPENAI_ORG_ID, OPENAI_CUSTOM_HEADERS, AZURE_OPENAI_AD_TOKEN and the like may name an account or hold another key.
    """
    for name, value in list(request.headers.items()):
        carries_key = name.lower() in _OF_KEYS and value.removeprefix("Bearer ") == key
        own = name.lower() in _OWN_HEADERS or name.lower().startswith("x-stainless-")
        if not own and not carries_key:
            request.headers.pop(name, None)


def _port(url: Any) -> int | None:
    return url.port or {"http": 80, "https": 443}.get(url.scheme)
