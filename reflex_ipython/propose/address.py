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
from reflex_ipython.propose.presets import COMPATIBLE, LOCAL, PRESETS, Preset, preset_at
from reflex_ipython.settings import OPENAI_API_KEY, Settings

NO_KEY_NEEDED = "none"
"""What a server on this machine gets for a key. The SDK insists on one."""
NOT_STARTED = "http://127.0.0.1:0/v1"
"""The address of a model file whose server does not run yet."""


@dataclass(frozen=True)
class Address:
    """A server and the key for it. The key is not in the repr.

    Parameters
    ----------
    base_url : str
        Up to and including `/v1`, where it speaks OpenAI's API.
    key : str or None
        None: there is none, and this server needs one.
    of_environment : bool
        Whether it is the server that the environment's variables are about.
    preset : Preset
        What is known of servers of its kind.
    key_variable : str
        The environment variable that holds the key, or would; empty: it needs none.
    """

    base_url: str
    key: str | None = field(repr=False)
    of_environment: bool = True
    preset: Preset = COMPATIBLE
    key_variable: str = OPENAI_API_KEY

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

    A key that the environment holds for a provider goes to a server on this machine only if the environment names that
    server too: a key for OpenAI is not for whatever listens on a port of localhost. A variable that the user has named
    is for it.

    Raises
    ------
    ModelError
        If it is no address at all, or of no provider that is known.
    """
    preset = preset_of(settings, environ)
    meant = default_address(environ, preset)
    url = settings.base_url or meant
    if not url:
        raise ModelError(
            f"{preset.label} has an address of your own: set {preset.address_variable}, or Reflex.base_url.",
            "no-connection",
        )
    if not url.startswith(("http://", "https://")):
        raise ModelError(
            f"The address {url!r} must begin with http:// or https://: set Reflex.base_url.", "no-connection"
        )
    try:
        local = is_loopback(url)
    except ValueError as error:  # brackets that do not match, and the like
        raise ModelError(f"Reflex.base_url is not an address: {error}.", "no-connection") from None
    named = settings.key_variable != OPENAI_API_KEY
    variable = settings.key_variable if named else preset.key_variable
    key = settings.api_key
    if not key and variable and (named or not (local and settings.base_url)):
        key = environ.get(variable)
    keyless = local or not variable
    of_environment = preset.dialect == "openai" and url.rstrip("/") == default_address(environ).rstrip("/")
    return Address(url, key or (NO_KEY_NEEDED if keyless else None), of_environment, preset, variable)


def preset_of(settings: Settings, environ: Mapping[str, str] = os.environ) -> Preset:
    """What is known of the kind of server that these settings mean.

    Raises
    ------
    ModelError
        If they name a provider that is not known.
    """
    if settings.provider:
        if settings.provider not in PRESETS:
            raise ModelError(
                f"Reflex.provider: {settings.provider!r} is none of {', '.join(PRESETS)}. "
                "For any other server, set Reflex.base_url alone.",
                "other",
            )
        return PRESETS[settings.provider]
    return preset_at(settings.base_url or default_address(environ)) or COMPATIBLE


def default_address(environ: Mapping[str, str] = os.environ, preset: Preset = COMPATIBLE) -> str:
    """The address where the settings name none; empty if nothing does."""
    if preset.name == LOCAL:
        return NOT_STARTED
    preset = preset if preset.name else PRESETS["openai"]
    return environ.get(preset.address_variable) or preset.base_url


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
