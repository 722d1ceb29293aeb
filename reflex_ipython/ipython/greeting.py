"""Pages that say hello before a cell has failed: answered without all that only failures need.

Whoever opens a notebook says hello at once. To put the parts together for that would cost each kernel whose cells all
succeed some 200 modules, and each of its garbage collections the walk through them.
"""

from __future__ import annotations

import secrets
from typing import Any
from urllib.parse import urlsplit

from reflex_ipython.ipython.page_comm import PageComm
from reflex_ipython.settings import Settings
from reflex_ipython.version import __version__


class Greeting:
    """Answers for one kernel, as long as there is no repair to tell of.

    Parameters
    ----------
    page : PageComm
    """

    def __init__(self, page: PageComm) -> None:
        self.session = secrets.token_hex(4)
        """The id of the session, once there is one."""
        self._page = page

    def answered(self, data: Any, settings: Settings) -> bool:
        """Answer a message of a page if it is a hello; whether it was."""
        client = _greets(data)
        if not client:
            return False
        self._page.clients.add(client)
        self.welcome(settings)
        return True

    def welcome(self, settings: Settings) -> None:
        """Tell all pages how things stand, as `from_kernel.Welcome` does."""
        self._page.send({"type": "welcome", "session": self.session, "version": __version__, **told(settings)})


def told(settings: Settings) -> dict[str, Any]:
    """What a page is told of the settings: the fields of a `Welcome`."""
    return {
        "enabled": settings.enabled,
        "trial": settings.trial,
        "model": settings.model or "",
        "server": _server(settings) if settings.model else "",
    }


def _server(settings: Settings) -> str:
    """The host and port of the address, which may have a user's name and password as well; else the provider."""
    return urlsplit(settings.base_url).netloc.rpartition("@")[2] if settings.base_url else settings.provider or ""


def _greets(data: Any) -> str:
    """Who says hello; empty for any other message, and for one that is not as it should be."""
    if type(data) is not dict or data.get("type") != "hello" or set(data) != {"type", "client", "version"}:
        return ""
    client = data["client"]
    return client if type(client) is str and type(data["version"]) is str else ""
