"""Which server is asked, and with which key: from the settings, else from the environment."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.echo import HIDDEN, without_key
from reflex_ipython.settings import OPENAI_API_KEY, Settings

OPENAI = "https://api.openai.com/v1"
NO_KEY_NEEDED = "none"
"""What a server on this machine gets for a key. The SDK insists on one."""


@dataclass(frozen=True)
class Address:
    """A server and the key for it. The key is not in the repr.

    Parameters
    ----------
    base_url : str
        Up to and including `/v1`.
    key : str or None
        None: there is none, and this server needs one.
    of_environment : bool
        Whether it is the server that the environment's variables are about.
    """

    base_url: str
    key: str | None = field(repr=False)
    of_environment: bool = True

    @property
    def local(self) -> bool:
        """Whether the server is on this machine."""
        return is_loopback(self.base_url)

    @property
    def host(self) -> str:
        """What to call the server in a sentence: its host and port."""
        return urlsplit(self.base_url).netloc.rpartition("@")[2] or self.base_url

    @property
    def shown(self) -> str:
        """The address as it may be shown: without a password that stands in it."""
        return urlsplit(self.base_url)._replace(netloc=self.host, query="", fragment="").geturl()

    def hide_key(self, text: str) -> str:
        """The text without the key, nor a piece of it: a server may echo it."""
        if not self.secret:
            return text
        return without_key(re.sub(rf"(?<!\w){re.escape(self.secret)}(?!\w)", HIDDEN, text), self.secret)

    @property
    def secret(self) -> str:
        """The key, if there is one that is not known to everybody."""
        return "" if self.key is None or self.key == NO_KEY_NEEDED else self.key


def address(settings: Settings, environ: Mapping[str, str] = os.environ) -> Address:
    """The server that these settings mean, and its key.

    The environment's OPENAI_API_KEY goes to a server on this machine only if the environment names that server too: a
    key for OpenAI is not for whatever listens on a port of localhost. A variable that the user has named is for it.

    Raises
    ------
    ModelError
        If it is no address at all.
    """
    meant = default_address(environ)
    url = settings.base_url or meant
    if not url.startswith(("http://", "https://")):
        raise ModelError(
            f"The address {url!r} must begin with http:// or https://: set Reflex.base_url.", "no-connection"
        )
    try:
        local = is_loopback(url)
    except ValueError as error:  # brackets that do not match, and the like
        raise ModelError(f"Reflex.base_url is not an address: {error}.", "no-connection") from None
    key = settings.api_key
    if not key and (settings.key_variable != OPENAI_API_KEY or not (local and settings.base_url)):
        key = environ.get(settings.key_variable)
    return Address(url, key or (NO_KEY_NEEDED if local else None), url.rstrip("/") == meant.rstrip("/"))


def default_address(environ: Mapping[str, str] = os.environ) -> str:
    """The address where the settings name none."""
    return environ.get("OPENAI_BASE_URL") or OPENAI


def is_loopback(url: str) -> bool:
    """Whether the address is this machine's own."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return False
    return ip.is_loopback or ip.is_unspecified
