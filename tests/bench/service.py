"""The service of the Jupyter server under load: 200 requests, 8 at a time, with a model that answers at once."""

from __future__ import annotations

import statistics
import tempfile
import threading
import time
from pathlib import Path

from reflex_ipython.testing import ScriptedServer
from tests.bench.figures import heading, row
from tests.server.conftest import Service, answer

REQUESTS, AT_ONCE = 200, 8


CASES = {"code that runs at once": "say {n} * 2", "code that fails first": "first 1/0 then {n} * 2"}


def main() -> None:
    heading(f"{REQUESTS} requests to the service, {AT_ONCE} at a time")
    with tempfile.TemporaryDirectory() as home, ScriptedServer(answer=answer) as model:
        service = Service(Path(home), model.base_url)
        try:
            for name, words in CASES.items():
                _ask_all(service, words, AT_ONCE * 2)  # its processes have started then
                started = time.perf_counter()
                took = _ask_all(service, words, REQUESTS)
                whole = time.perf_counter() - started
                row(f"{name}: one request", took)
                p95 = statistics.quantiles(took, n=20)[-1]
                print(f"    p95 {p95 * 1e3:.0f} ms, {REQUESTS / whole:.1f} requests a second")
        finally:
            service.close()


def _ask_all(service: Service, words: str, count: int) -> list[float]:
    """Seconds of each; every one has the answer that is its own."""
    numbers, took = iter(range(count)), list[float]()
    lock = threading.Lock()

    def client() -> None:
        while True:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            start = time.perf_counter()
            told = service.post({"request": words.format(n=number)})
            took.append(time.perf_counter() - start)
            assert told.status == 200, told
            assert told.json["final_result"] == str(number * 2), told

    threads = [threading.Thread(target=client) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(took) == count, "one was lost"
    return took
