"""The process of `WorkerProcess`: a line of JSON in for each request; lines of JSON out, the last one its result.

What the model writes runs in copies of this process alone, in a sandbox; it is the copies' ancestor and holds the key.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from typing import Any, TextIO

from reflex_ipython.errors import BadInput
from reflex_ipython.execution.events import ExecutionEvent
from reflex_ipython.execution.worker_process import ExecutionJob
from reflex_ipython.execution.workshop import RunningRequest
from reflex_ipython.models import to_json


def main() -> None:
    """Serve until there are no more requests."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # nothing that is printed may get in between
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(lines,), name="reflex-jobs", daemon=True).start()
    lock = threading.Lock()
    while True:
        _serve(lines.get(), out, lock)


def _read(lines: queue.SimpleQueue[str]) -> None:
    """Pass requests on; once nobody can send any more, nobody waits for an answer either."""
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)


def _serve(line: str, out: TextIO, lock: threading.Lock) -> None:
    def say(message: dict[str, Any]) -> None:
        with lock:
            out.write(json.dumps(message) + "\n")
            out.flush()

    def listen(event: ExecutionEvent) -> None:
        say({"event": event.kind, "data": event.data})

    try:
        job = ExecutionJob.of(line)
        done = RunningRequest(job.request, dict(job.namespace), job.settings, job.bounds, listen).wait()
    except BadInput as error:
        say({"refused": str(error)})
    else:
        say({"execution": to_json(done)})


if __name__ == "__main__":
    main()
