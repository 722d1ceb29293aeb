"""Ports for kernels that no other process takes between their choice and their use.

What a system hands out by itself, to sockets that listen on any port and to each connection that goes out, is above
32,767 (Linux) or 49,151 (macOS, Windows). A kernel whose port was taken while it started says so, and may then hang
instead of ending.
"""

from __future__ import annotations

import itertools
import os
import socket

FIRST, LAST = 10_000, 32_000
BLOCK = 100
"""So many in a row are a process's own: processes that start one after the other begin far from each other."""

_blocks = (LAST - FIRST) // BLOCK
_ports = itertools.cycle(range(FIRST, LAST))
for _ in range(os.getpid() * 97 % _blocks * BLOCK):
    next(_ports)


def free_ports(count: int) -> list[int]:
    """So many ports of this machine's loopback address that nobody listens on."""
    return list(itertools.islice(filter(_is_free, _ports), count))


def _is_free(port: int) -> bool:
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as zmq does: one that is closing is free
        try:
            taken.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
