"""Trials with a real IPython shell, in this process and in a kernel."""

from __future__ import annotations

import ast
import base64
import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("IPython")

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from reflex_ipython.ipython.trial_runner import ShellRunner
from reflex_ipython.models import Edit, Trial
from reflex_ipython.state.definitions import CompiledCell
from reflex_ipython.state.hotswap import hot_swap
from tests.check.build import edits
from tests.check.conftest import Start
from tests.kernel.driver import Kernel


@pytest.fixture
def shell() -> Iterator[Any]:
    """A shell without history."""
    config = Config()
    config.HistoryManager.enabled = False  # a thread and a file of IPython's
    yield InteractiveShell.instance(config=config)
    InteractiveShell.clear_instance()


@pytest.fixture
def with_history(tmp_path: Path) -> Iterator[Any]:
    """A shell whose history is a file: there before `start` has counted the descriptors."""
    config = Config()
    config.HistoryManager.hist_file = str(tmp_path / "history.sqlite")
    yield InteractiveShell.instance(config=config)
    InteractiveShell.clear_instance()


def _stay(source: str) -> None:
    """There is no journal here: the state stays as it is."""


def _run(edit: Edit) -> BaseException | None:
    """The new text of an earlier cell takes effect as if it had been run."""
    result = InteractiveShell.instance().run_cell(edit.source)
    return result.error_in_exec  # type: ignore[no-any-return]  # IPython is not typed


def attempt(shell: Any, start: Start, source: str, seconds: float = 10.0) -> Trial:
    return start(runner=ShellRunner(shell, _stay, _run)).trial(edits(source), seconds)


def test_magics_and_the_last_expression_work(shell: Any, start: Start, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("n = 20")
    trial = attempt(shell, start, "%precision 2\nprint('printed')\nm = n + 1\nm / 2")
    assert (trial.outcome, trial.stdout, trial.result) == ("passed", "printed\n", "10.50")
    assert [change.name for change in trial.changes] == ["m"]
    assert "m" not in shell.user_ns
    assert capsys.readouterr().out == ""


def test_the_history_is_read_where_it_is(with_history: Any, start: Start) -> None:
    with_history.run_cell("n = 20", store_history=True)
    with_history.history_manager.writeout_cache()
    zygote = start(runner=ShellRunner(with_history, _stay, _run))
    trial = zygote.trial(edits("[row[2] for row in get_ipython().history_manager.search('n*')]"))
    assert trial.result == "['n = 20']"
    trial = zygote.trial(edits("import glob, os\nset(map(os.path.realpath, glob.glob('/proc/self/fd/*')))"))
    assert with_history.history_manager.hist_file in str(trial.result), "it is no copy"


def test_the_history_of_repairs_is_not_copied_for_each_trial(shell: Any, start: Start, tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as history:
        history.execute("PRAGMA journal_mode = wal")
        history.execute("CREATE TABLE repairs (id)")
        zygote = start(runner=ShellRunner(shell, _stay, _run, history=lambda: path))
        trial = zygote.trial(edits("import glob, os\nset(map(os.path.realpath, glob.glob('/proc/self/fd/*')))"))
    assert f"'{path}'" in str(trial.result)
    assert f"'{path}-wal'" in str(trial.result)


def test_an_error_has_its_line_and_no_traceback_is_printed(shell: Any, start: Start) -> None:
    trial = attempt(shell, start, "x = 1\n\nfor n in range(3):\n    y = 1 / (n - 1)")
    assert (trial.outcome, trial.ename, trial.lineno) == ("other_error", "ZeroDivisionError", 4)
    assert (trial.statement, trial.stdout) == ("y = 1 / (n - 1)", "")


@pytest.mark.parametrize("cell", ["1 / 0", "    1 / 0"])
def test_below_empty_lines_a_line_has_its_own_number(shell: Any, start: Start, cell: str) -> None:
    trial = attempt(shell, start, f"\n  \n{cell}")
    assert (trial.ename, trial.lineno) == ("ZeroDivisionError", 3)


def test_a_traceback_that_nobody_sees_is_not_even_made(
    shell: Any, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shell.InteractiveTB, "structured_traceback", lambda *args, **more: print("made") or ["made"])
    trial = attempt(shell, start, "1 / 0")
    assert (trial.outcome, trial.ename, trial.stdout) == ("other_error", "ZeroDivisionError", "")
    with pytest.MonkeyPatch.context() as kernel:
        printed: list[str] = []
        kernel.setattr(shell, "_showtraceback", lambda etype, error, lines: printed.extend(lines))
        shell.run_cell("1 / 0")
    assert printed == ["made"], "the kernel's own tracebacks must be as they were"


def test_a_syntax_error_has_its_line(shell: Any, start: Start) -> None:
    trial = attempt(shell, start, "x = 1\ny = (")
    assert (trial.ename, trial.lineno) == ("SyntaxError", 2)


def test_await_works_without_a_loop(shell: Any, start: Start) -> None:
    assert attempt(shell, start, "import asyncio\nawait asyncio.sleep(0.01, 'slept')").result == "'slept'"


def test_a_shell_command_is_not_started(shell: Any, start: Start) -> None:
    trial = attempt(shell, start, "files = !ls")
    assert (trial.outcome, "start a process" in trial.reason) == ("blocked", True)


def test_an_earlier_cell_is_put_into_effect_first_its_functions_in_place(shell: Any, start: Start) -> None:
    shell.run_cell("def f():\n    return 1\nalias = f")
    old = CompiledCell(ast.parse(source := "def f():\n    return 1"), shell.user_ns["f"].__code__.co_filename)

    def swap(edit: Edit) -> None:
        new = CompiledCell(ast.parse(edit.source), "<new>")
        assert hot_swap(old, new).swapped == ("f",), "the copy hides the living functions"

    trial = start(runner=ShellRunner(shell, _stay, swap)).trial(edits(source.replace("1", "2"), "alias()"))
    assert (trial.outcome, trial.result) == ("passed", "2"), trial
    assert shell.user_ns["alias"]() == 1


def test_a_line_is_told_of_the_failing_cell_though_an_edited_one_raised(shell: Any, start: Start) -> None:
    trial = start(runner=ShellRunner(shell, _stay, _run)).trial(edits("def f(n):\n\n\n    return 1 / n", "n = 0\nf(n)"))
    assert (trial.ename, trial.lineno, trial.statement, trial.reason) == ("ZeroDivisionError", 2, "f(n)", "")


def test_displays_are_counted(shell: Any, start: Start) -> None:
    source = "from IPython.display import display, HTML\ndisplay(HTML('<b>'))\ndisplay({'image/png': b''}, raw=True)"
    trial = attempt(shell, start, source)
    assert trial.mime_types == ("text/plain", "text/html", "image/png")
    assert trial.figures == 1


KERNEL_SETUP = """
import sys, json, threading
sys.path[:0] = {paths!r}
from reflex_ipython.ipython.trial_runner import ShellRunner
from reflex_ipython.check.trial import ForkedTrials
from tests.check.build import edits
from reflex_ipython.models import to_json
trials = ForkedTrials()
def after(result):
    if result.error_in_exec is not None:
        trials.freeze("r", ShellRunner(get_ipython(), lambda source: None, lambda edit: None))
get_ipython().events.register("post_run_cell", after)
def attempt(*sources):
    found = []
    thread = threading.Thread(target=lambda: found.extend(trials.run("r", edits(source)) for source in sources))
    thread.start(); thread.join()
    for trial in found: print(json.dumps(to_json(trial)))
"""


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    """A kernel whose failures are copied."""
    import sys

    started = Kernel()
    started.run(KERNEL_SETUP.format(paths=sys.path))
    yield started
    started.close()


def trials(kernel: Kernel, *sources: str) -> list[dict[str, Any]]:
    import json

    arguments = ", ".join(map(repr, sources))
    return [json.loads(line) for line in kernel.run(f"attempt({arguments})").text.splitlines()]


def test_a_kernel_is_copied_at_the_failure_and_goes_on(kernel: Kernel) -> None:
    kernel.run("items = [1, 2]\nimport asyncio")
    kernel.run("items.append(3)\n1 / 0")
    kernel.run("items.append('later')")
    found = trials(
        kernel,
        "print('hi')\nitems",
        "await asyncio.sleep(0.01, 'slept')",
        "asyncio.run(asyncio.sleep(0))",
        "input()",
        "1/0",
    )
    assert [one["result"] for one in found[:2]] == ["[1, 2, 3]", "'slept'"]
    assert found[0]["stdout"] == "hi\n"
    assert [one["ename"] for one in found[2:]] == ["RuntimeError", "PermissionError", "ZeroDivisionError"]
    assert kernel.run("items").contents("execute_result")[0]["data"]["text/plain"] == "[1, 2, 3, 'later']"


def test_a_figure_in_a_kernel_is_counted_and_not_shown(kernel: Kernel) -> None:
    pytest.importorskip("matplotlib")
    kernel.run("%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])")
    kernel.run("1 / 0")
    (found,) = trials(kernel, "plt.plot([1, 2]);")
    assert (found["outcome"], found["figures"]) == ("passed", 1), found
    assert base64.b64decode(found["image"]).startswith(b"\x89PNG")
    assert kernel.run("trials.close()").kinds == []
