"""Files that are read and are not there: told only where nothing can make them before."""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
import threading
import types
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from reflex_ipython.foreseen import foresee, local_files
from reflex_ipython.foreseen.local_files import is_missing

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what is mounted is only read on Linux")

PREPARED = """
import json, math, time
from functools import lru_cache
def scale(x): return sum([x, 1]) * math.pi
def writes(): open('sals.csv', 'w').close()
def leaves(): export(1)
def export(x): x.to_csv('sals.csv')
def gets():
    import urllib.request
    urllib.request.urlretrieve('x', 'sals.csv')
class Model:
    def fit(self, x):
        self.mean = x.mean()
        return self
class Saver:
    def fit(self, x): x.to_pickle('sals.csv')
model, saver, numbers, handlers = Model(), Saver(), [1, 2], {'write': writes}
"""


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A namespace, and a folder with a file in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sales.csv").write_text("a\n1\n")
    namespace: dict[str, Any] = {
        "__name__": "__main__",
        "asked": 1,
        "np": np,
        "pd": pd,
        "table": pd.DataFrame({"a": [1.0]}),
    }
    exec(PREPARED, namespace)
    return namespace


def foreseen(cell: str, names: dict[str, Any]) -> str:
    found = foresee(ast.parse(cell).body, 1, names)
    return "" if found is None else f"{getattr(found.node, 'lineno', 0)}: {type(found.error).__name__}: {found.error}"


MISSING = "2: FileNotFoundError: [Errno 2] No such file or directory: 'sals.csv'"


@pytest.mark.parametrize(
    "cell",
    [
        "time.sleep(9)\ndata = pd.read_csv('sals.csv')",
        "scale(3)\ndata = pd.read_csv('sals.csv', sep=';').dropna()",
        "model.fit(table['a'])\nwith open('sals.csv') as file:\n    text = file.read()",
        "for n in numbers:\n    print(n, table.groupby('a').mean())\njson.load(open('sals.csv', 'rb'))".replace(
            "\n    ", " "
        ),
        "text = open('sales.csv').read()\nnp.load('sals.csv')",
        "keep = lambda x: x + 1; time.sleep(9)\nopen('sals.csv', encoding='utf-8')",
    ],
)
def test_it_is_told_with_the_words_of_the_system(cell: str, names: dict[str, Any]) -> None:
    assert foreseen(cell, names) == MISSING


def test_they_are_the_words_that_are_raised_then(names: dict[str, Any]) -> None:
    for call in ("pd.read_csv", "pd.read_table", "pd.read_fwf", "pd.read_pickle", "pd.read_excel", "np.load", "open"):
        with pytest.raises(FileNotFoundError) as raised:
            eval(f"{call}('sals.csv')", names)
        assert f"2: FileNotFoundError: {raised.value}" == foreseen(f"time.sleep(9)\n{call}('sals.csv')", names)


@pytest.mark.parametrize(
    "before",
    [
        "table.to_csv('sals.csv')",
        "writes()",
        "leaves()",
        "gets()",
        "saver.fit(table)",
        "handlers['write']()",
        "table.apply(writes)",
        "for one in several:\n    one.run(())",
        "for one in registry:\n    one('sals.csv')",
        "wrapped()",
        "part()",
        "space.write()",
        "mapped = list(lazily)",
        "bound()",
        "cached()",
        "open('sals.csv', 'w').close()",
        "how = open",
        "exec('1')",
        "import os; os.chdir('..')",
        "import urllib.request",
        "from shutil import copy",
        "np.savetxt('sals.csv', [1])",
        "savetxt('sals.csv', [1])",
        "get_ipython().system('make')",
        "await asked",
        "def make():\n    open('sals.csv', 'x')",
        "run.start()",
    ],
)
def test_what_may_make_it_before_keeps_it_from_being_told(before: str, names: dict[str, Any]) -> None:
    writes = names["writes"]
    names["wrapped"] = functools.wraps(writes)(lambda: writes())
    names["part"], names["space"] = functools.partial(writes), types.SimpleNamespace(write=writes)
    names["savetxt"], names["several"], names["registry"] = np.savetxt, [1, subprocess], {np.savetxt: 1}
    names["lazily"], names["bound"] = map(writes, []), subprocess.run.__get__(1)
    names["cached"], names["run"] = functools.lru_cache(writes), threading.Thread(target=print)
    assert foreseen(f"{before}\npd.read_csv('sals.csv')", names) == ""
    assert foreseen(f"time.sleep(9)\n{before}\npd.read_csv('sals.csv')", names) == ""


@pytest.mark.parametrize(
    "line",
    [
        "pd.read_csv('sales.csv')",
        "pd.read_csv('https://example.org/sals.csv')",
        "pd.read_csv('~/sals.csv')",
        "pd.read_csv('sal?.csv')",
        "pd.read_csv('../sals.csv')",
        "pd.read_csv(path)",
        "open('sals.csv', 'w')",
        "open('sals.csv', 'a+')",
        "open('sals.csv', mode)",
        "open('sals.csv', opener=scale)",
        "open('sales.csv/inside')",
        "open('link/inside')",
        "np.loadtxt('sals.csv')",
        "pd.read_csv('sals.csv') if numbers else 1",
    ],
)
def test_only_a_plain_path_that_is_read_for_sure_is_looked_at(line: str, names: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/nowhere")
    names["path"], names["mode"] = "sals.csv", "w"
    if line.endswith("else 1"):
        line = "if numbers:\n    pd.read_csv('sals.csv')"
    assert foreseen(f"time.sleep(9)\n{line}", names) == ""


def test_nothing_is_told_while_a_thread_or_a_process_of_the_users_runs(names: dict[str, Any]) -> None:
    cell = "time.sleep(9)\npd.read_csv('sals.csv')"
    assert foreseen(cell, names) == MISSING
    go_on = names["go_on"] = threading.Event()
    exec("def waits():\n    go_on.wait()", names)
    thread = threading.Thread(target=names["waits"])
    thread.start()
    told = foreseen(cell, names)
    go_on.set()
    thread.join()
    assert told == ""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as names["process"]:
        assert foreseen(cell, names) == ""
        names["process"].communicate(b"\n")


def test_below_what_is_mounted_from_elsewhere_nothing_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = tmp_path / "mountinfo"
    monkeypatch.setattr(local_files, "_MOUNTED", str(mounts))
    disk = "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
    mounts.write_text(disk)
    assert is_missing(f"{tmp_path}/data/none.csv")
    mounts.write_text(f"{disk}2 1 0:9 / {tmp_path}/data rw - nfs4 host:/data rw\n")
    assert not is_missing(f"{tmp_path}/data/none.csv")
    assert is_missing(f"{tmp_path}/database/none.csv")
    mounts.write_text(f"{disk}2 1 0:9 / {tmp_path} rw shared:1 - fuse.sshfs host: rw\n")
    assert not is_missing(f"{tmp_path}/none.csv")
    mounts.write_text("")
    assert not is_missing(f"{tmp_path}/none.csv")
