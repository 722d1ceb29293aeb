"""Whether what is asked may leave this machine: the user is asked once for each host."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.address import Address
from reflex_ipython.settings import Settings

ANY = "*"
_SIMILAR = "cells and functions that are like it in this notebook and in the Python files below this folder, "
_LARGEST = 1_000_000
"""Bytes of the file that are read."""


def would_leave(settings: Settings, where: Address) -> str:
    """What would go where, and how to allow it."""
    plainly = "" if where.base_url.startswith("https:") else ", not encrypted"
    return (
        f"Nothing has been sent. {settings.model or 'The model'} is at {where.host}: the failing cell, its traceback, "
        "short summaries of the variables on the failing lines, the earlier cells that define them, "
        f"{_SIMILAR if settings.similar_code else ''}a file of yours where it failed in that, and the names of visible "
        f"files where one is missing, all without secrets that are recognised, would go there{plainly}. "
        "`%reflex model --allow` allows it from now on; `%reflex context` shows every byte."
    )


def consent_file() -> Path:
    """Where the hosts are kept that the user has allowed."""
    import platformdirs  # not at load

    return platformdirs.user_data_path("reflex_ipython", appauthor=False) / "allowed_hosts.json"


class Consent:
    """Remembers to which hosts the user lets questions go.

    Parameters
    ----------
    attended : callable
        Whether there is anybody to be asked. Where nobody is, the settings that chose the model are the consent.
    file : callable
        Gives the file that the hosts are kept in.
    """

    def __init__(self, attended: Callable[[], bool] = lambda: True, file: Callable[[], Path] = consent_file) -> None:
        self._attended = attended
        self._file = file
        self._allowed: set[str] = set()  # in this session, whether or not they could be written down
        self._lock = threading.Lock()

    def missing(self, settings: Settings, where: Address) -> str:
        """What has to be allowed first; empty: nothing."""
        name = _name(where)
        if where.local or not where.host or self._is_set(settings, where) or name in self._allowed:
            return ""
        if name not in _read(self._file()):
            return name
        self._allowed.add(name)
        return ""

    def require(self, settings: Settings, where: Address) -> None:
        """Go on if it may be sent.

        Raises
        ------
        ModelError
            With what would go where, and how to allow it.
        """
        if self.missing(settings, where) and self._attended():
            raise ModelError(would_leave(settings, where), "no-consent")

    def allow(self, name: str) -> bool:
        """Remember a host, as `missing` names it; whether that could be written down for other sessions."""
        with self._lock:
            self._allowed.add(name)
            file = self._file()
            try:
                _write(file, {*_read(file), name})
            except OSError:
                return False
            return True

    def _is_set(self, settings: Settings, where: Address) -> bool:
        hosts = {host.strip() for host in (settings.allowed_hosts or "").split(",")}
        return bool(hosts & {ANY, where.host, where.host.partition(":")[0]})


def _name(where: Address) -> str:
    """A host that is reached without encryption is another one."""
    return where.host.lower() if where.base_url.startswith("https:") else f"http://{where.host.lower()}"


def _read(file: Path) -> set[str]:
    try:
        with file.open("rb") as source:
            content = json.loads(source.read(_LARGEST))
    except (OSError, ValueError, RecursionError):  # there is none yet, or it is damaged: then the user is asked again
        return set()
    hosts = content.get("hosts") if isinstance(content, dict) else None
    return {host for host in hosts if isinstance(host, str)} if isinstance(hosts, list) else set()


def _write(file: Path, hosts: set[str]) -> None:
    """Put it in place as a whole: another kernel may read it meanwhile."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(dir=file.parent, prefix=file.name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as target:
            json.dump({"hosts": sorted(hosts)}, target)
        os.replace(part, file)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
