"""Serve a GGUF file on a free port of loopback, until standard input ends or the parent is gone.

It is run as a script. The first line on standard input is JSON: the path, the key, the parent's process id. Each line
on standard output is JSON as well: how much was read, then the address, or what went wrong.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from typing import Any

CONTEXT = 8192
"""Tokens of question and answer together."""
BLOCK = 1 << 24
WATCH = 0.5
"""Seconds between two looks for the parent."""


def main() -> None:
    """Serve."""
    asked = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with, args=(asked["parent"],), name="reflex-parent", daemon=True).start()
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")  # if memory runs out, this is to go, not the kernel
    try:
        _read(asked["path"])
        server = _server(asked["path"], asked["key"])
        _say(address=server.listening_address)
    except Exception as error:  # noqa: BLE001 - whatever it is, the kernel says it
        _say(trouble=" ".join(str(error).split())[:300] or type(error).__name__)
        return
    sys.stdin.read()  # ends with the kernel, or when it wants no more


def _end_with(parent: int) -> None:
    """End when the parent is gone: a copy of it may keep standard input open."""
    while os.getppid() == parent:
        time.sleep(WATCH)
    os._exit(0)


def _read(path: str) -> None:
    """Bring the file into memory in order: that is what takes long, and the library does not say how far it is."""
    size, done = max(os.path.getsize(path), 1), 0
    with open(path, "rb", buffering=0) as file:
        while block := file.read(BLOCK):
            done += len(block)
            _say(percent=min(done * 100 // size, 100))


def _server(path: str, key: str) -> Any:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = path
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    parameters.port = 0
    parameters.hostnames = ["127.0.0.1"]
    parameters.api_keys = [key]
    parameters.ui = False
    parameters.endpoint_slots = False
    parameters.offline = True
    parameters.use_jinja = True
    return xllamacpp.Server(parameters)


def _say(**what: object) -> None:
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    main()
