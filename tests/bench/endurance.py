"""A thousand mixed trials while other threads are busy: what hangs, what is left, what is different afterwards."""

from __future__ import annotations

import contextlib
import os
import random
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reflex_ipython.check.trial.limits import Limits
from reflex_ipython.check.trial.preconditions import why_not_fork
from reflex_ipython.check.trial.process import children
from reflex_ipython.check.trial.zygote import Zygote
from reflex_ipython.execution.plain_runner import PlainRunner
from tests.check.build import edits
from tests.check.digest import digest

COUNT = 1_000
SECONDS = 2.0  # that a trial may take
GRACE = 1.0  # seconds more, for a busy machine
LIMITS = Limits(memory=512 << 20)  # so that a balloon bursts soon
ZYGOTE_LIVES = 12  # trials

SOURCES: dict[str, str] = {
    "plain": "n = 1",
    "compute": "sum(n * n for n in range(20_000))",
    "change": "items.append(4); table.loc[0, 'a'] = 7.0; len(items)",
    "error": "table['no such column']",
    "rows": "table = table.dropna()",
    "openmp": "model.fit(x, x[:, 0]).predict(x[:2]).shape",
    "blas": "float((x.T @ x).sum())",
    "pool": "list(pool.map(abs, range(-5, 0)))",
    "figure": "axes.plot([1, 2, 3]); figure.canvas.draw()",
    "await": "import asyncio\nawait asyncio.gather(*(asyncio.sleep(0.001) for _ in range(20)))",
    "sqlite": "connection.execute('INSERT INTO t VALUES (9)').rowcount",
    "commit": "connection.execute('INSERT INTO t VALUES (9)'); connection.commit()",
    "file": "file.write('from the trial'); file.flush(); file.seek(0); file.read()",
    "write": "open(path, 'w').write('x')",
    "delete": "import os; os.unlink(path)",
    "network": "import urllib.request as u; u.urlopen('http://127.0.0.1:9/')",
    "process": "import subprocess; subprocess.run(['true'])",
    "fork": "import os\nfor _ in range(2): os.fork()",
    "exit": "import os; os._exit(3)",
    "crash": "import ctypes; ctypes.string_at(0)",
    "lock": "lock.acquire()",
    "loop": "import time\nend = time.monotonic() + 9\nwhile time.monotonic() < end: pass",
    "balloon": "b = [bytearray(64 << 20) for _ in range(200)]",
    "output": "print('x' * 1_000_000)",
    "temporary": "import tempfile\nwith tempfile.TemporaryDirectory() as d: open(d + '/a', 'w').write('x')",
    "thread": "import threading; t = threading.Thread(target=print); t.start(); t.join()",
}
SLOW = ("lock", "loop")
OFTEN = 6  # as often as a slow one


@dataclass(frozen=True)
class Tried:
    """One trial: its kind, its outcome, its seconds, and what was different in this process afterwards."""

    kind: str
    outcome: str
    seconds: float
    changed: list[str]


def main() -> None:
    """Print the figures; end with an error if they are not as they should be."""
    with tempfile.TemporaryDirectory() as name:
        tempfile.tempdir = name  # nobody else's files are here
        before = left()
        with tempfile.TemporaryDirectory() as data, busy_threads(), hostile(Path(data)) as namespace:
            tried = list(trials(namespace, Path(data)))
        strays = {what: len(after - before[what]) for what, after in left().items()}
    tempfile.tempdir = None
    report(tried, strays)


def report(tried: list[Tried], strays: dict[str, int]) -> None:
    """Print the figures."""
    late = sum(one.seconds > SECONDS + GRACE for one in tried)
    different = Counter(f"{what} after {one.kind}" for one in tried for what in one.changed)
    seconds = [one.seconds for one in tried]
    print(
        f"\n{len(tried)} mixed trials: median {statistics.median(seconds) * 1e3:.0f} ms, load {os.getloadavg()[0]:.2f}"
    )
    print(f"  hung for {GRACE:g} s beyond the limit of {SECONDS:g} s: {late}; the longest took {max(seconds):.2f} s")
    print(f"  left behind: {', '.join(f'{number} {what}' for what, number in strays.items())}")
    print(f"  times that something of the process was different: {sum(different.values())} {dict(different) or ''}")
    for (kind, outcome), number in sorted(Counter((one.kind, one.outcome) for one in tried).items()):
        print(f"    {kind:<10} {outcome:<13} {number}")
    if late or different or any(strays.values()):
        sys.exit("not as it should be")


def trials(namespace: dict[str, Any], folder: Path) -> Iterator[Tried]:
    """All of them, by chance; now and then in a new copy."""
    assert not why_not_fork(), why_not_fork()
    chance = random.Random(0)
    kinds = [one for one in SOURCES if one not in SLOW] * OFTEN + list(SLOW)
    with contextlib.ExitStack() as stack:
        for number in range(COUNT):
            if number % ZYGOTE_LIVES == 0:
                stack.close()
                namespace["model"].fit(namespace["x"], namespace["x"][:, 0])  # OpenMP's threads are there
                zygote = Zygote.start(PlainRunner(namespace), limits=LIMITS)
                stack.callback(zygote.close)
                zygote.trial(edits("1"))  # it has settled
            before = digest(namespace, folder)
            kind = chance.choice(kinds)
            start = time.perf_counter()
            trial = zygote.trial(edits(SOURCES[kind]), SECONDS)
            seconds = time.perf_counter() - start
            after = digest(namespace, folder)
            yield Tried(kind, trial.outcome, seconds, [what for what in before if before[what] != after[what]])


def left() -> dict[str, set[Any]]:
    """What there is of all that a trial could leave behind."""
    return {
        "processes": set(children()),
        "files": {path.name for path in Path(tempfile.gettempdir()).iterdir()},
        "descriptors": set(os.listdir("/proc/self/fd")),
        "threads": set(threading.enumerate()),
    }


@contextmanager
def busy_threads() -> Iterator[None]:
    """Two threads that work and wait by turns."""
    stop = threading.Event()

    def work() -> None:
        while not stop.wait(0.002):
            sum(range(2_000))

    threads = [threading.Thread(target=work, name=f"busy-{n}") for n in range(2)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@contextmanager
def hostile(folder: Path) -> Iterator[dict[str, Any]]:
    """A namespace of all that does not survive a fork by itself."""
    from concurrent.futures import ThreadPoolExecutor

    import matplotlib
    import numpy as np
    import pandas as pd
    from sklearn.ensemble import HistGradientBoostingRegressor

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    precious = folder / "precious.txt"
    precious.write_text("precious", encoding="utf-8")
    lock = threading.Lock()
    connection = sqlite3.connect(folder / "sales.db")
    connection.execute("CREATE TABLE t (n)")
    connection.commit()
    connection.execute("INSERT INTO t VALUES (1)")  # a transaction is open
    x = np.random.default_rng(0).normal(size=(5_000, 5))
    table = pd.DataFrame(x, columns=list("abcde"))
    model = HistGradientBoostingRegressor(max_iter=5)
    with lock, ThreadPoolExecutor(2) as pool, open(folder / "log.txt", "w+", encoding="utf-8") as file:
        list(pool.map(abs, range(8)))
        yield {
            "items": [1, 2, 3], "table": table, "x": x, "model": model, "pool": pool, "lock": lock, "figure": figure,
            "axes": axes, "connection": connection, "file": file, "path": str(precious),
        }  # fmt: skip
    connection.close()
