"""Every fault has a sentence and an exit code, and what ran is kept."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import nbformat
import pytest

from reflex_ipython.cli import main
from reflex_ipython.errors import BadInput
from reflex_ipython.headless import heal
from reflex_ipython.headless.heal import Options, heal_notebook
from reflex_ipython.headless.healed import EXIT_CODES, HealedNotebook
from reflex_ipython.headless.jobs import Done, Job
from reflex_ipython.headless.notebook_file import parsed
from reflex_ipython.headless.results import kept
from tests.headless.notebooks import notebook, shown, written
from tests.headless.processes import ends

HUGE = "import numpy as np\nx = np.ones(2_000_000_000)"


@pytest.mark.parametrize(
    ("status", "source", "options", "words"),
    [
        ("kernel-died", "import os, signal\nos.kill(os.getpid(), 9)", {}, "was killed in cell 2"),
        ("timeout", "import time\ntime.sleep(600)", {"timeout": 6}, "Cell 2 ran for more than 6 s."),
        ("input", "x = input()", {}, "Cell 2 asks for input, and nobody is there to answer."),
        ("too-much-output", "while True: print('x' * 100_000)", {"max_output": 1_000_000}, "Cell 2 was interrupted"),
        pytest.param("out-of-memory", HUGE, {"memory": 2_000_000_000}, "Cell 2 needs more memory than there is, which",
                     marks=pytest.mark.skipif(sys.platform != "linux", reason="the limit is Linux's")),
    ],
)  # fmt: skip
def test_what_ends_a_run_is_told_and_what_ran_is_kept(
    status: str, source: str, options: dict[str, Any], words: str
) -> None:
    healed = heal_notebook(notebook("print('ran')", source, "print('never')"), **options)
    assert (healed.status, healed.exit_code) == (status, EXIT_CODES[status])  # type: ignore[index]
    assert words in healed.words
    assert shown(healed.notebook.cells[0]) == "ran\n"
    assert healed.notebook.cells[2].outputs == []


def test_what_a_cell_shows_long_after_its_reply_is_kept() -> None:
    late = """\
import sys, time
sys.stdout.flush_timeout = sys.stderr.flush_timeout = 0.1  # the reply does not wait for it
get_ipython().kernel.iopub_thread.schedule(lambda: time.sleep(5))
display('late')"""
    healed = heal_notebook(notebook(late))
    assert [output.data["text/plain"] for output in healed.notebook.cells[0].outputs] == ["'late'"]


def test_the_time_for_a_notebook_is_for_all_its_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there, timer = tmp_path / "there", heal._timer

    def once_there(seconds: float | None, stop: Any) -> asyncio.TimerHandle | None:
        """A machine on which the second cell is reached within that time."""
        if there.exists():
            return timer(0, stop)
        assert seconds == 20
        return asyncio.get_running_loop().call_later(0.05, once_there, seconds, stop)

    monkeypatch.setattr(heal, "_timer", once_there)
    hangs = f"import time\nopen({str(there)!r}, 'w').close()\ntime.sleep(600)"
    healed = heal_notebook(notebook("print('ran')", hangs), notebook_timeout=20)
    assert (healed.status, healed.left) == ("timeout", "The time for the notebook was up in cell 2.")
    assert shown(healed.notebook.cells[0]) == "ran\n"


def test_a_kernel_that_is_not_there_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    path, out = written(tmp_path / "a.ipynb", "1"), tmp_path / "out.ipynb"
    assert main(["heal", str(path), "-o", str(out), "--kernel", "nope"]) == EXIT_CODES["no-kernel"]
    assert not out.exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"not json", "can't be read as a notebook: it is not JSON"),
        (b"\xff\xfe\xfa", "can't be read as a notebook"),
        (b'{"nbformat": 9, "nbformat_minor": 0}', "can't be read as a notebook"),
        (
            b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code"}]}',
            "not a valid notebook",
        ),
    ],
)
def test_what_is_no_notebook_is_said_and_stops_no_other(
    tmp_path: Path, content: bytes, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.ipynb"
    path.write_bytes(content)
    assert main(["heal", str(path), "--json"]) == EXIT_CODES["invalid"]
    told = json.loads(capsys.readouterr().out)
    assert words in told["words"]
    assert path.read_bytes() == content


def test_a_notebook_of_format_3_is_read_as_one_of_format_4() -> None:
    cell = {
        "cell_type": "code",
        "input": "x = 1",
        "language": "python",
        "outputs": [],
        "collapsed": False,
        "metadata": {},
    }
    old = {
        "nbformat": 3,
        "nbformat_minor": 0,
        "metadata": {"name": ""},
        "worksheets": [{"cells": [cell], "metadata": {}}],
    }
    read = parsed(json.dumps(old))
    assert (read.nbformat, read.cells[0].source) == (4, "x = 1")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nope.ipynb"], "There is no notebook 'nope.ipynb'."),
        (["a.ipynb", "-o", "a.ipynb"], "a.ipynb would be overwritten: say --in-place"),
        (["a.ipynb", "b.ipynb", "-o", "c.ipynb"], "c.ipynb is one notebook, and there are 2"),
        (["a.ipynb", "--report", "r.pdf"], "A report is written as .html, .md or .json"),
        (["a.ipynb", "-o", "a.ipynb/x/y.ipynb"], "Nothing can be written in"),
        (["a.ipynb", "--base-url", "http://localhost:1/v1"], "name it with --model"),
    ],
)
def test_what_can_not_be_done_is_said_before_anything_runs(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        written(tmp_path / f"{name}.ipynb", "1")
    assert main(["heal", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_what_can_not_be_written_where_it_should_be_is_put_elsewhere(tmp_path: Path) -> None:
    job = Job(str(written(tmp_path / "a.ipynb", "1")), Options())
    done = Done(job, job.load().digest, HealedNotebook(notebook("1 + 1"), "clean"))
    (tmp_path / "out.ipynb").mkdir()
    result = kept(done, tmp_path / "out.ipynb", backup=False)
    assert (result.healed.status, result.healed.exit_code) == ("unwritten", 2)
    assert nbformat.read(result.output, as_version=4).cells[0].source == "1 + 1"
    assert not list(tmp_path.glob(".*"))


def test_a_notebook_that_was_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = written(tmp_path / "a.ipynb", "1")
    job = Job(str(path), Options())
    done = Done(job, job.load().digest, HealedNotebook(notebook("1 + 1"), "clean"))
    written(path, "my own words")
    result = kept(done, path, backup=True)
    assert "it was changed meanwhile" in result.healed.left
    assert nbformat.read(path, as_version=4).cells[0].source == "my own words"


@pytest.mark.skipif(os.name != "posix", reason="a signal is sent")
def test_an_interrupt_keeps_what_ran_and_leaves_no_kernel(tmp_path: Path) -> None:
    pid, out = tmp_path / "pid", tmp_path / "out.ipynb"
    hangs = f"import os, time\nopen({str(pid)!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)"
    path = written(tmp_path / "a.ipynb", "print('ran')", hangs)
    command = [sys.executable, "-m", "reflex_ipython", "heal", str(path), "-o", str(out)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while not (pid.exists() and pid.read_text()):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert "Interrupted in cell" in process.communicate()[1]
    assert process.returncode == EXIT_CODES["interrupted"]
    assert shown(nbformat.read(out, as_version=4).cells[0]) == "ran\n"
    assert ends(int(pid.read_text()))


def test_an_option_out_of_range_is_refused() -> None:
    with pytest.raises(BadInput, match="attempts has to be 1 or more"):
        Options(attempts=0)
