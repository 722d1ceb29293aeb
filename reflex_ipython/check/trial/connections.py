"""Connections from before the copy: what is sent goes nowhere, and what is waited for never comes. So both are refused.

Where a library speaks in C, the operating system refuses instead, since the descriptor is no socket any more; what is
written to it in the way of a file is counted (`stand_ins`).
"""

from __future__ import annotations

import functools
import os
import stat
import sys
from collections.abc import Callable, Mapping
from typing import Any

from reflex_ipython.check.trial.origins import Origin

Refuse = Callable[[Any, str], BaseException]

_SENDING = ("send", "sendall", "sendto", "sendmsg", "sendfile", "write")
_RECEIVING = ("recv", "recv_into", "recvfrom", "recvfrom_into", "recvmsg", "recvmsg_into", "read")
_OTHER = {"accept": "accept connections on", "connect": "connect", "shutdown": "shut down", "listen": "listen on"}
_ZMQ = {
    **dict.fromkeys(("send", "send_multipart"), "send on"),
    **dict.fromkeys(("recv", "recv_multipart"), "receive from"),
    **dict.fromkeys(("bind", "connect", "unbind", "disconnect"), "change"),
}


def refuse_connections(refuse: Refuse, origins: Mapping[int, Origin]) -> None:
    """Have sockets from before the copy say what is wanted of them, and refuse it.

    Parameters
    ----------
    refuse : callable
        Given a kind of access and words, notes it and gives what to raise.
    origins : mapping of int to Origin
        What was open, by the descriptors' numbers.
    """
    verbs = {
        **dict.fromkeys(_SENDING, "send on"),
        **dict.fromkeys(_RECEIVING, "receive from"),
        **_OTHER,
    }
    for module, name in (("socket", "socket"), ("ssl", "SSLSocket")):
        kind = getattr(sys.modules.get(module), name, None)
        if kind is not None:
            for method, verb in verbs.items():
                if hasattr(kind, method):
                    _guard(kind, method, functools.partial(_lost, verb=verb, origins=origins), refuse)
    zmq = getattr(sys.modules.get("zmq"), "Socket", None)
    if zmq is not None:
        for method, verb in _ZMQ.items():
            _guard(zmq, method, functools.partial(_far, verb=verb), refuse)


def _guard(kind: Any, method: str, wanted: Callable[[Any], str], refuse: Refuse) -> None:
    original = getattr(kind, method)

    def guarded(self: Any, *arguments: Any, **keywords: Any) -> Any:
        if words := wanted(self):
            raise refuse("network", words)
        return original(self, *arguments, **keywords)

    guarded.__name__, guarded.__doc__ = method, original.__doc__
    setattr(kind, method, guarded)


def _lost(one: Any, verb: str, origins: Mapping[int, Origin]) -> str:
    """What is wanted of a socket that led out of the process; empty for the cell's own, and for a closed one."""
    fd = one.fileno()
    origin = origins.get(fd)
    if origin is None or origin.kind != "socket" or stat.S_ISSOCK(os.fstat(fd).st_mode):
        return ""
    return f"{verb} {origin.name}"


def _far(one: Any, verb: str) -> str:
    """The same of a ZeroMQ socket; its threads are gone, so that only what stays inside the process could work."""
    if one.closed:
        return ""
    last = one.last_endpoint
    place = (last.decode("utf-8", "replace") if isinstance(last, bytes) else str(last or "")).rstrip("\0")
    return "" if place.startswith("inproc:") else f"{verb} the ZeroMQ socket {place}".rstrip()
