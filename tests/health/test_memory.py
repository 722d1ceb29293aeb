"""A cell's peak of memory, and what it holds afterwards, are what they are without the extension."""

from __future__ import annotations

import sys

import pytest

from tests.health.conftest import Pair
from tests.health.kernels import Subject

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process is read and reset through /proc")
MB = 1_000_000
BIG: dict[str, tuple[str, str]] = {
    "seven arrays under one name": ("x = np.ones(10_000_000)", "x = x + 1\n" * 7),
    "the same in a loop": ("x = np.ones(10_000_000)", "for i in range(7):\n    x = x + 1"),
    "the same in a function": ("x = np.ones(10_000_000)\ndef step(x): return x * 2", "x = step(x)\n" * 5),
    "an array that is deleted first": ("x = np.ones(10_000_000)", "del x\nx = np.zeros(10_000_000) + 1\ndel x\nx = np.ones(10_000_000)"),
    "an array in a dict": ("d = {'x': np.ones(10_000_000)}", "d['x'] = d['x'] + 1\n" * 5),
    "an attribute": ("class A: pass\na = A()\na.x = np.ones(10_000_000)", "a.x = a.x + 1\n" * 5),
    "a list of arrays that is emptied": ("l = [np.ones(5_000_000) for i in range(3)]", "l.pop()\nl.clear()\nl.append(np.ones(10_000_000))\nl[:] = []\nl = [np.ones(10_000_000)]"),
    "a frame that is filtered": ("f = pd.DataFrame(np.ones((1_000_000, 10)))", "f = f[f[0] > 0]\n" * 4),
    "a frame that gets columns": ("f = pd.DataFrame(np.ones((1_000_000, 10)))", "f['k'] = 1.0\nf['l'] = f['k'] * 2\nf = f.assign(m=3.0)\nf = f.drop(columns='m')"),
    "a frame that is loaded again": ("f = pd.DataFrame(np.ones((1_000_000, 10)))\nf.to_pickle('f.pkl')", "del f\nf = pd.read_pickle('f.pkl')\nf = None\nf = pd.read_pickle('f.pkl')"),
    "an array that is only read": ("x = np.ones(10_000_000)", "x.shape\nx.sum()\nlen(x)\ny = x[0]\nx.mean()\nx[:10].tolist()\nprint(x.dtype)"),
    "a frame that is only read": ("f = pd.DataFrame(np.ones((1_000_000, 10)))", "f.shape\nf.head()\nf[0].sum()\nf.iloc[0, 0]\nf.columns\nf.describe();\nf.groupby(0).size()"),
    "bytes and lists": ("b = bytes(80_000_000)", "b = b[:-1]\nb = b[:-1]\nb = bytearray(b)\nb = None\nl = list(range(2_000_000))\nl = [i + 1 for i in l]\nl = None"),
    "garbage in cycles": ("import gc\nclass N: pass", "for i in range(4):\n    n = N()\n    n.me, n.x = n, np.ones(10_000_000)\n    del n\n    gc.collect()\nn = N(); n.me, n.x = n, np.ones(10_000_000)\nn = None\ngc.collect()\nn = np.ones(10_000_000)"),
    "results that are shown": ("x = np.ones(5_000_000)", "x = x + 1\nx"),
}  # fmt: skip


@pytest.mark.parametrize(("setup", "cell"), BIG.values(), ids=BIG.keys())
def test_a_cell_of_big_objects_takes_no_more_memory_than_without_the_extension(
    pair: Pair, setup: str, cell: str
) -> None:
    (plain, plain_after), (loaded, loaded_after) = (taken(s, setup, cell) for s in (pair.plain, pair.loaded))
    assert loaded <= 1.05 * plain + 4 * MB
    assert loaded_after <= plain_after + 4 * MB


def taken(subject: Subject, setup: str, cell: str) -> tuple[int, int]:
    """Bytes that a cell takes at most above what the process holds before it, and bytes that are there after it."""
    subject.run(f"import numpy as np, pandas as pd\n{setup}")
    subject.run("pass")
    before = subject.forget_peak()
    assert subject.run(cell)[-1][1]["status"] == "ok"
    peak = subject.peak()
    subject.run("pass")
    after = subject.forget_peak()
    subject.forget_names()
    return peak - before, after - before
