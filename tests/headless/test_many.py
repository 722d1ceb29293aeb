"""Many notebooks: side by side on this machine, and on a Dask cluster with processes of its own."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

from reflex_ipython.cli import main
from tests.headless.notebooks import MENDABLE, MENDED, shown, sources, written

PATIENCE = 120
"""Seconds, for a busy machine."""
DASK = "dask_{} --host 127.0.0.1 --no-dashboard"


def lines(path: Path) -> dict[str, dict[str, Any]]:
    """What is known of each notebook, by its name: each was written down once."""
    told = [json.loads(line) for line in path.read_text().splitlines()]
    found = {Path(one["notebook"]).stem: one for one in told}
    assert len(found) == len(told)
    return found


def test_one_bad_notebook_does_not_stop_the_others_and_an_interrupted_run_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    written(folder / "mend.ipynb", *MENDABLE)
    written(folder / "deep" / "dies.ipynb", "import os\nos._exit(1)")
    (folder / "bad.ipynb").write_text("{")
    written(folder / "old.healed.ipynb", "1 / 0")
    results, report = out / "results.jsonl", out / "report.md"
    command = ["heal", str(folder), "-o", str(out), "--jobs", "2", "--results", str(results), "--report", str(report)]
    assert main(command) == 1
    assert {name: one["status"] for name, one in lines(results).items()} == {
        "mend": "healed",
        "dies": "kernel-died",
        "bad": "invalid",
    }
    assert sources(nbformat.read(out / "mend.ipynb", as_version=4))[1] == MENDED
    assert (out / "deep" / "dies.ipynb").exists()
    said = report.read_text()
    assert "| healed | 1 | 33% |" in said
    assert "| NameError | 1 | 1 |" in said
    assert "](<deep/dies.ipynb>)" in said
    assert "+ count = len(total)" in said

    kept = results.read_text().splitlines(keepends=True)
    results.write_text("".join(one for one in kept if '"mend"' in one or "mend.ipynb" in one) + '{"notebook": "dies')
    (out / "mend.ipynb").unlink()
    (folder / "deep" / "dies.ipynb").unlink()
    capsys.readouterr()
    assert main([*command[:-2], "--report", str(out / "report.html")]) == 2
    assert "has 1 of 2; the others run." in capsys.readouterr().err
    assert not (out / "mend.ipynb").exists()
    page = (out / "report.html").read_text()
    assert "<td>healed</td>" in page
    assert "Cell 2: NameError: name &#x27;totl&#x27; is not defined" in page


@contextlib.contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, "-m", *arguments], text=True, **quiet) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.kill()


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """A scheduler and two workers; gives its address."""
    file = folder / "scheduler.json"
    local = ("--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file))
    with contextlib.ExitStack() as running:
        running.enter_context(started("distributed.cli.dask_scheduler", *local, "--port", "0"))
        until(lambda: file.exists() and file.read_text())
        for number in range(2):
            place = str(folder / f"worker-{number}")
            worker = ("--no-nanny", "--nthreads", "1", "--local-directory", place)
            running.enter_context(started("distributed.cli.dask_worker", *local, *worker))
        yield json.loads(file.read_text())["address"]


def until(holds: Any) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.skipif(os.name != "posix", reason="a process is killed")
def test_a_worker_that_is_killed_has_its_notebook_run_elsewhere_and_each_is_written_once(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    seen, out = tmp_path / "seen", tmp_path / "out"
    seen.mkdir()
    runs = f"""\
import os, pathlib, time
seen = pathlib.Path({str(seen)!r})
(seen / str(os.getppid())).touch()  # this kernel's worker
while len(list(seen.iterdir())) < 2:
    time.sleep(0.05)
print('ran')"""
    written(tmp_path / "in" / "killed.ipynb", runs)
    written(tmp_path / "in" / "mend.ipynb", *MENDABLE)

    def kill_the_first() -> None:
        until(lambda: list(seen.iterdir()))
        os.kill(int(next(seen.iterdir()).name), signal.SIGKILL)

    with cluster(tmp_path) as address:
        killer = threading.Thread(target=kill_the_first)
        killer.start()
        results = tmp_path / "results.jsonl"
        code = main(["heal", str(tmp_path / "in"), "-o", str(out), "--dask", address, "--results", str(results)])
        killer.join()
    assert code == 0
    assert {name: one["status"] for name, one in lines(results).items()} == {"killed": "clean", "mend": "healed"}
    assert shown(nbformat.read(out / "killed.ipynb", as_version=4).cells[0]) == "ran\n"
    assert sources(nbformat.read(out / "mend.ipynb", as_version=4))[1] == MENDED
    assert len(list(seen.iterdir())) == 2


def test_a_cluster_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("distributed")
    path = written(tmp_path / "a.ipynb", "1")
    assert main(["heal", str(path), "--dask", "nonsense://x"]) == 2
    assert "There is no Dask scheduler at nonsense://x" in capsys.readouterr().err
