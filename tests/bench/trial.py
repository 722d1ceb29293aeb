"""What a trial costs, and a stress of mixed ones: `python -m tests.bench.trial [COUNT]`.

Figures, not assertions, but for the stress: it ends with an error if a trial hung beyond its limit, or if anything of
this process was different afterwards.
"""

from __future__ import annotations

import itertools
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
from pathlib import Path
from typing import Any

from reflex_ipython.check.trial import memory
from reflex_ipython.check.trial.possible import can_fork
from reflex_ipython.check.trial.process import children
from reflex_ipython.check.trial.runner import PlainRunner
from reflex_ipython.check.trial.zygote import Zygote
from tests.check.digest import digest

GIB = 1 << 30
SECONDS = 2.0  # a trial in the stress
REPEATS = 5


def main(count: int = 200) -> None:
    """Print all figures."""
    print("copy                  resident   fork   ready   first trial   trial   close   private to the copy")
    cost("empty", {})
    cost("scientific", scientific())
    for size in (1, 4):
        if room_for(size * GIB):
            cost(f"arrays of {size} GB", arrays(size * GIB))
    if room_for(3 * GIB):
        cost("objects of 2 GB", objects(2 * GIB))
    stress(count)


def cost(name: str, namespace: dict[str, Any]) -> None:
    """One line: medians over a few zygotes."""
    rows = [one_zygote(namespace) for _ in range(REPEATS)]
    fork, ready, first, trial, close, private = (statistics.median(column) for column in zip(*rows))
    print(
        f"{name:<20} {memory.resident() / GIB:7.2f} GB {fork * 1e3:4.0f} ms {ready * 1e3:4.0f} ms "
        f"{first * 1e3:10.0f} ms {trial * 1e3:4.0f} ms {close * 1e3:4.0f} ms {private / (1 << 20):10.1f} MB",
        flush=True,
    )


def one_zygote(namespace: dict[str, Any]) -> tuple[float, ...]:
    """Seconds to fork on the main thread, to settle, for the first and a later trial, to close; bytes of its own."""
    marks = [time.perf_counter()]
    zygote = Zygote.start(PlainRunner(namespace))
    marks.append(time.perf_counter())
    zygote._problem = str(zygote._receive(30)["problem"])
    marks.append(time.perf_counter())
    for _ in range(2):
        trial = zygote.trial(["n = 1"])
        assert trial.outcome == "passed", trial
        marks.append(time.perf_counter())
    private = zygote.memory()
    before_close = time.perf_counter()
    zygote.close()
    spans = [after - before for before, after in itertools.pairwise(marks)]
    return (*spans, time.perf_counter() - before_close, private)


def room_for(size: int) -> bool:
    """Whether the machine can spare that much twice."""
    fits = memory.available() - memory.reserve() > 2 * size
    if not fits:
        print(f"({size / GIB:.0f} GB is left out: too little memory)")
    return fits


def scientific() -> dict[str, Any]:
    """What a data scientist has loaded, threads used."""
    import numpy as np
    import pandas as pd
    from sklearn.ensemble import HistGradientBoostingRegressor

    x = np.random.default_rng(0).normal(size=(5_000, 5))
    model = HistGradientBoostingRegressor(max_iter=5).fit(x, x[:, 0])
    return {"x": x, "model": model, "df": pd.DataFrame(x, columns=list("abcde")), "np": np, "pd": pd}


def arrays(size: int) -> dict[str, Any]:
    """A namespace of so many bytes in arrays."""
    import numpy as np

    return {f"a{n}": np.ones(GIB // 8 // 4) for n in range(4 * size // GIB)}


def objects(size: int) -> dict[str, Any]:
    """A namespace of about so many bytes in small objects."""
    return {"rows": [{"n": n, "text": f"row {n}", "pair": (n, n + 1.5)} for n in range(size // 520)]}


# ------------------------------------------------------------------ stress

SOURCES: dict[str, str] = {
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
ZYGOTE_LIVES = 12  # trials


def stress(count: int) -> None:
    """So many trials, mixed by chance, while other threads are busy; all is as before after each."""
    with tempfile.TemporaryDirectory() as name, busy_threads(), hostile(Path(name)) as namespace:
        assert not can_fork(), can_fork()
        chance = random.Random(0)
        names = [one for one in SOURCES if one not in SLOW] * 6 + list(SLOW)
        outcomes: Counter[tuple[str, str]] = Counter()
        times: list[float] = []
        zygote = Zygote.start(PlainRunner(namespace))
        zygote.trial(["1"])
        before = digest(namespace, Path(name))
        for number in range(count):
            if number % ZYGOTE_LIVES == ZYGOTE_LIVES - 1:
                zygote.close()
                zygote = Zygote.start(PlainRunner(namespace))
            kind = chance.choice(names)
            start = time.perf_counter()
            trial = zygote.trial([SOURCES[kind]], SECONDS)
            times.append(time.perf_counter() - start)
            outcomes[kind, trial.outcome] += 1
            report(kind, before, digest(namespace, Path(name)), zygote.pid)
        zygote.close()
    assert not [pid for pid in children() if pid != os.getpid()], "a process is left"
    late = [seconds for seconds in times if seconds > SECONDS + 0.5]
    print(f"\n{count} mixed trials: median {statistics.median(times) * 1e3:.0f} ms, longest {max(times):.2f} s")
    print(f"beyond the limit of {SECONDS:g} s: {len(late)}; differences in this process: 0; processes left: 0")
    for (kind, outcome), number in sorted(outcomes.items()):
        print(f"  {kind:<10} {outcome:<13} {number}")
    if late:
        sys.exit("trials hung beyond their limit")


def report(kind: str, before: dict[str, Any], after: dict[str, Any], zygote: int) -> None:
    """End with an error if something is different."""
    for what in before:
        one, other = before[what], after[what]
        if what == "children":  # the zygote itself is another one from time to time
            one, other = len(one), len(other)
        if what == "descriptors":  # and so is the socket that leads to it
            one, other = without_sockets(one), without_sockets(other)
        if one != other:
            sys.exit(f"after {kind!r}, {what} is different:\n{one}\n{other}")


def without_sockets(found: dict[int, tuple[str, str]]) -> list[tuple[str, str]]:
    """The descriptors' targets; of sockets, how many."""
    return sorted(
        ("socket", "") if target.startswith("socket:") else (target, state) for target, state in found.values()
    )


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
    base = scientific()
    with lock, ThreadPoolExecutor(2) as pool, open(folder / "log.txt", "w+", encoding="utf-8") as file:
        list(pool.map(abs, range(8)))
        yield {
            "items": [1, 2, 3], "table": base["df"], "x": base["x"], "model": base["model"], "pool": pool, "lock": lock,
            "figure": figure, "axes": axes, "connection": connection, "file": file, "path": str(precious),
        }  # fmt: skip
    connection.close()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
