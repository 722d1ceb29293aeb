"""Functions that fail in other processes are repaired in their cell, after a trial of just that work."""

from __future__ import annotations

import sys

import pytest

from reflex_ipython.headless.heal import heal_notebook
from tests.headless.notebooks import notebook, shown

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="a fix is tried in a copy of the kernel, which needs Linux"
)

DEFINED = "limit = 3\ndef {name}(n):\n    return n * {misspelt}"
EXECUTOR = """\
from concurrent.futures import ProcessPoolExecutor
with ProcessPoolExecutor(1) as executor:
    found = list(executor.map(first, [1, 2]))
found"""
POOL = "from multiprocessing import Pool\nwith Pool(1) as pool:\n    found = pool.map(second, [1, 2])\nfound"
JOBLIB = "from joblib import Parallel, delayed\nParallel(n_jobs=2)(delayed(third)(n) for n in [1, 2])"
CLUSTER = """\
from distributed import Client, LocalCluster
cluster = LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None, host="127.0.0.1")
client = Client(cluster)"""
DASK = "client.gather(client.map(fourth, [1, 2]))"
CLOSED = "client.close()\ncluster.close()"


@pytest.mark.alone  # a pool, an executor, loky and a cluster: a dozen processes that wait for each other
def test_in_an_executor_a_pool_joblib_and_a_dask_worker() -> None:
    pytest.importorskip("joblib")
    given = notebook(
        *(DEFINED.format(name=name, misspelt=misspelt) for name, misspelt in (
            ("first", "limt"), ("second", "limi"), ("third", "limits"), ("fourth", "lmit"),
        )),
        EXECUTOR, POOL, JOBLIB, CLUSTER, DASK, CLOSED,
    )  # fmt: skip
    healed = heal_notebook(given, verify=False, timeout=120)
    assert healed.status == "healed", healed.words
    assert [shown(healed.notebook.cells[number]) for number in (4, 5, 6, 8)] == ["[3, 6]"] * 4
    assert [change.number for repair in healed.repairs for change in repair.changes] == [1, 2, 3, 4]
