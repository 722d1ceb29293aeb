"""What a cell that succeeds pays: kernels by turns, one with the extension. Ratios of medians of one run.

Of the time until a front end has the cell's end, and of what the kernel's main thread takes of a processor for it.
"""

from __future__ import annotations

import collections
import dataclasses
import itertools
import os
import statistics
import textwrap
import time
from collections.abc import Callable
from typing import NamedTuple

from tests.bench import processor
from tests.bench.figures import heading
from tests.bench.light_notebook import CELLS, PREPARE
from tests.kernel.driver import Kernel

GOAL = "≤ 1.05"
MB = 1_000_000
_SETS = 3
"""Of kernels, in which a row is timed; the figure is the mean of their medians."""
_PAUSE = 0.8
"""Seconds before a cell that fails runs once more: nobody mends one and runs it sooner. Until then a copy of the kernel
is made, a fix is tried, and the kernel gets its memory back.
"""
_PEAK = "int(open('/proc/self/status').read().split('VmHWM:')[1].split()[0]) * 1024"


@dataclasses.dataclass(frozen=True)
class Row:
    """A cell that is timed.

    Parameters
    ----------
    name : str
    cell : str
    setup : str
        Run once in front.
    before : str
        Run each time in front, not timed.
    rounds : int
        In all sets of kernels together.
    runs : int
        So many, one after the other, make one figure, their mean: else it would depend on whether Python collects all
        its garbage in a little more or a little less than half of them.
    fails : bool
        Whether the cell fails, in its last statement.
    needs : int
        Bytes of free memory without which the row is left out.
    memory : bool
        Whether the peak of memory is compared as well.
    """

    name: str
    cell: str
    setup: str = ""
    before: str = ""
    rounds: int = 9
    runs: int = 1
    fails: bool = False
    needs: int = 0
    memory: bool = False


def _many(count: int, *, fails: bool = False) -> str:
    shapes = ("a{0} = {0}", "b = a{0} + 1", "c[{0} % 50] = b", "d.append(b)", "e = len(d)", "f = (b, e)", "g = str(b)")
    lines = [shapes[i % len(shapes)].format(i - i % len(shapes)) for i in range(count)]
    return "\n".join([*lines[:-1], "toatl" if fails else lines[-1]])


EVERYTHING = "%config Reflex.keep_cells = 5\n%config Reflex.look_ahead = True\n%config Reflex.recall = True"
_LISTS = "c, d = {}, []"
_NAMES = "for i in range(100_000): globals()[f'v{i}'] = i\ndel i\nx = 1"
_FRAME = "import numpy as np, pandas as pd\nframe = pd.DataFrame(np.ones((6_250_000, 10)), columns=list('abcdefghij'))"
_NO_K = "if 'k' in frame: del frame['k']"
_READS = "\n".join(
    ("X.shape", "X.dtype", "X.ndim", "len(X)", "X[0]", "X[-1]", "X[:5]", "X.nbytes", "X.flags", "X.T.shape") * 2
)
_SMALL = "\n".join(f"y = x + {i}" for i in range(50))
ROWS = (
    Row("pass", "pass", rounds=41, runs=20),
    Row("300 short statements in a cell", _many(300), _LISTS, "c, d = {}, []", rounds=41, runs=5),
    Row("1,000 statements", _many(1_000), _LISTS, "c, d = {}, []", rounds=15, runs=5),
    Row("1,000 statements, the last one fails", _many(1_000, fails=True), _LISTS, "c, d = {}, []", 15, 5, fails=True),
    Row("10,000 statements", _many(10_000), _LISTS, "c, d = {}, []", rounds=9),
    Row("10,000 statements, the last one fails", _many(10_000, fails=True), _LISTS, "c, d = {}, []", fails=True),
    Row("200 statements that print", "print(1)\n" * 200, rounds=21, runs=5),
    Row("300 appends", "d.append(1)\n" * 300, _LISTS, "d = []", rounds=41, runs=5),
    Row("`pass` beside 100,000 names", "pass", _NAMES, rounds=41, runs=10),
    Row("50 statements beside 100,000 names", _SMALL, _NAMES, rounds=41, runs=10),
    Row("frame.head(), 500 MB", "frame.head()", _FRAME, rounds=21, runs=5, needs=1_500 * MB),
    Row("reads of a frame, 500 MB", "frame.shape\nframe.dtypes\nframe['a'].iloc[0]\nframe.tail(3)", _FRAME, "", 21, 5),
    Row("a column's sum, 500 MB", "frame['a'].sum()", _FRAME, rounds=15),
    Row("a column added, 500 MB", "frame['k'] = frame['a'] * 2", _FRAME, _NO_K, needs=1_500 * MB),
    Row("a write in place, 500 MB", "frame.iloc[0, 0] = 5.0", _FRAME, rounds=21, runs=5, needs=1_500 * MB),
    Row("X.shape, 250 MB", "X.shape", "import numpy as np\nX = np.ones(31_250_000)", rounds=41, runs=10),
    Row("20 statements that read, 250 MB", _READS, "import numpy as np\nX = np.ones(31_250_000)", rounds=41, runs=10),
    Row("X.shape, 2 GB", "X.shape", "import numpy as np\nX = np.ones(250_000_000)", "", 21, 10, needs=5_000 * MB),
    Row("20 reads, 2 GB", _READS, "import numpy as np\nX = np.ones(250_000_000)", "", 21, 10, needs=5_000 * MB),
    Row("seven times x = x + 1, 200 MB", "x = x + 1\n" * 7, "import numpy as np\nx = np.ones(25_000_000)", memory=True),
    Row(
        "the same in one statement", "for i in range(7):\n    x = x + 1",
        "import numpy as np\nx = np.ones(25_000_000)", memory=True,
    ),
)  # fmt: skip


class Cost(NamedTuple):
    """Seconds that a cell has taken: until its end, and of a processor."""

    time: float
    processor: float


class Kernels:
    """Two plain ones, the second of which tells how much two equal kernels differ, and one with the extension."""

    def __init__(self) -> None:
        self.by_name = {"plain": Kernel(), "plain again": Kernel(), "with": Kernel()}
        self.by_name["with"].run("%load_ext reflex_ipython")
        self.by_name["with"].hello()  # as JupyterLab does, where the labextension draws the panels

    def all(self, source: str) -> None:
        for kernel in self.by_name.values():
            if source:
                assert kernel.run(source).status == "ok", source

    def close(self) -> None:
        for kernel in self.by_name.values():
            kernel.close()


def main() -> None:
    """Print the figures."""
    heading("Cells that succeed, without and with the extension (three kernels, by turns)")
    print(f"  {'':<48}{'plain':>11}{'with':>11}   ratio  noise of two plain kernels")
    print(f"  {'':<48}{'':>11}{'':>11}   the same of the main thread's processor time")
    _notebook()
    _notebook(EVERYTHING, ", everything on")
    for setup, rows in itertools.groupby(ROWS, key=lambda row: row.setup):
        kept = [row for row in rows if not _is_short(row)]
        if kept:
            _rows(setup, kept)


def _is_short(row: Row) -> bool:
    """Whether there is too little memory for a row; it is said."""
    short = _free() < row.needs
    if short:
        print(f"  {row.name:<48}   left out: memory is short")
    return short


def _rows(setup: str, rows: list[Row]) -> None:
    """Rows beside the same objects, in several sets of kernels: two equal ones differ for as long as they live."""
    medians: list[dict[str, list[Cost]]] = [collections.defaultdict(list) for _ in rows]
    peaks: dict[str, dict[str, float]] = {}
    for _ in range(_SETS):
        kernels = Kernels()
        kernels.all(setup)
        for row, middles in zip(rows, medians):
            for kind, costs in _taken(kernels, row, peaks).items():
                middles[kind].append(_median(costs))
        kernels.close()
    for row, middles in zip(rows, medians):
        _print_both(row.name, middles)
        if row.name in peaks:
            _print("  its peak of memory", peaks[row.name], "MB")


def _notebook(settings: str = "", name: str = "", rounds: int = 5) -> None:
    """Several times, in fresh kernels: two equal kernels differ by up to 7 % over one notebook."""
    sums: dict[str, list[Cost]] = collections.defaultdict(list)
    medians: dict[str, list[Cost]] = collections.defaultdict(list)
    held = 0
    for _ in range(rounds):
        costs, held = _once(settings)
        for kind, took in costs.items():
            sums[kind].append(Cost(*map(sum, zip(*took))))
            medians[kind].append(_median(took))
    _print_both(f"a light notebook of {len(CELLS)} cells{name}", {kind: [_median(each)] for kind, each in sums.items()})
    _print_both("  its cells, the median", {kind: [_median(each)] for kind, each in medians.items()})
    print(f"  {'  held in the end, to take cells back':<48}{held / MB:8.2f} MB")


def _once(settings: str) -> tuple[dict[str, list[Cost]], int]:
    """What each cell of the notebook takes, in each kernel; and the bytes that are held in the end."""
    kernels = Kernels()
    if settings:
        kernels.by_name["with"].run(settings)
    kernels.all(PREPARE)
    took: dict[str, list[Cost]] = {name: [] for name in kernels.by_name}
    for cell in CELLS:
        for name, cost in _turn(kernels, lambda kernel, cell=cell: _timed(kernel, cell)).items():
            took[name].append(cost)
    held = int(kernels.by_name["with"].value("get_ipython().reflex_extension.watch.kept.held"))
    kernels.close()
    return took, held


def _median(costs: list[Cost]) -> Cost:
    return Cost(*map(statistics.median, zip(*costs)))


def _taken(kernels: Kernels, row: Row, peaks: dict[str, dict[str, float]]) -> dict[str, list[Cost]]:
    """What a row takes in each of these kernels, after once to warm up; notes the peaks of memory, once."""
    took: dict[str, list[Cost]] = {name: [] for name in kernels.by_name}
    for turn in range(-(-row.rounds // _SETS) + 1):
        if row.memory and turn == 1 and row.name not in peaks:
            peaks[row.name] = {name: _peak(kernel, row.cell) / 1e9 for name, kernel in kernels.by_name.items()}
        for name, cost in _turn(kernels, lambda kernel: _several(kernel, row)).items():
            took[name].append(cost)
    return {name: costs[1:] for name, costs in took.items()}


_turns = 0


def _turn(kernels: Kernels, work: Callable[[Kernel], Cost]) -> dict[str, Cost]:
    """Do it in each of them, another one first each time."""
    global _turns
    _turns += 1
    names = list(kernels.by_name)
    first = _turns % len(names)
    return {name: work(kernels.by_name[name]) for name in names[first:] + names[:first]}


def _several(kernel: Kernel, row: Row) -> Cost:
    """What one of its runs takes on the average."""
    costs = []
    for _ in range(row.runs):
        if row.fails:
            time.sleep(_PAUSE)
        if row.before:
            assert kernel.run(row.before).status == "ok", row.before
        costs.append(_timed(kernel, row.cell, fails=row.fails))
    return Cost(*map(statistics.mean, zip(*costs)))


def _timed(kernel: Kernel, cell: str, *, fails: bool = False) -> Cost:
    """What a cell takes until it has ended for a front end, and what its kernel has worked by the time it rests."""
    pid = kernel.manager.provisioner.pid
    used = processor.at_rest(pid)
    start = time.perf_counter()
    ran = kernel.run(cell)
    took = time.perf_counter() - start
    assert ran.status == ("error" if fails else "ok"), ran.reply
    return Cost(took, processor.at_rest(pid) - used)


def _peak(kernel: Kernel, cell: str) -> float:
    """Bytes in thousands that a cell takes at most above what there is."""
    kernel.run("open('/proc/self/clear_refs', 'w').write('5');", silent=True)
    before = kernel.value(_PEAK)
    kernel.run(cell)
    return float(kernel.value(_PEAK) - before) / 1e3


def _print_both(name: str, costs: dict[str, list[Cost]]) -> None:
    middle = {kind: Cost(*map(statistics.mean, zip(*each))) for kind, each in costs.items()}
    _print(name, {kind: cost.time for kind, cost in middle.items()})
    _print("", {kind: cost.processor for kind, cost in middle.items()})


def _print(name: str, figures: dict[str, float], unit: str = "ms") -> None:
    plain, again, with_it = (figures[kind] for kind in ("plain", "plain again", "with"))
    line = f"{plain * 1e3:8.2f} {unit}{with_it * 1e3:8.2f} {unit}{with_it / plain:8.3f}   {again / plain:.3f}"
    print(f"  {textwrap.shorten(name, 48):<48}{line}   goal {GOAL}", flush=True)


def _free() -> int:
    """Bytes of memory that could be had now, for each of the kernels."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 3
    except (ValueError, OSError, AttributeError):  # not on this system
        return 0
