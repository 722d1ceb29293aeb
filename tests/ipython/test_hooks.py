"""Which error is whose, and that none is held."""

from __future__ import annotations

import gc
import sys
import weakref
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import ExecutionInfo

STAGES = {
    "it does not compile": ("x = = 1", "syntax"),
    "it raises": ("1 / 0", "run"),
    "a script that it runs": ("%run {script}", "run"),
    "a cell that it runs": ("get_ipython().run_cell('1 / 0');", "run"),
    "a cell that it runs does not compile": ("get_ipython().run_cell('x = = 1');", "run"),
    "its result's formatter": ("class R:\n    def __repr__(self): raise KeyError\nR()", "display"),
}


def failures(shell: Any) -> list[Any]:
    assembly = shell.reflex_extension.assembled
    return [] if assembly is None else [repair.failure for repair in assembly.session.repairs.all()]


@pytest.mark.parametrize(("source", "stage"), STAGES.values(), ids=STAGES.keys())
def test_a_failure_knows_what_failed(run: Any, shell: Any, tmp_path: Path, source: str, stage: str) -> None:
    script = tmp_path / "script.py"
    script.write_text("1 / 0\n")
    run(source.format(script=script))
    assert [failure.stage for failure in failures(shell)] == [stage]


def test_an_inner_cells_error_counts_even_if_its_handler_shows_nothing_and_another_runs_well(
    run: Any, shell: Any
) -> None:
    shell.set_custom_exc((ZeroDivisionError,), lambda *arguments, **named: None)
    run("get_ipython().run_cell('1 / 0'); get_ipython().run_cell('1');")
    assert [failure.error.ename for failure in failures(shell)] == ["ZeroDivisionError"]


def test_a_cell_that_fails_on_another_thread_is_no_part_of_the_one_that_runs_here(run: Any, shell: Any) -> None:
    run(
        "import threading\n"
        "thread = threading.Thread(target=get_ipython().run_cell, args=('1 / 0',))\nthread.start()\nthread.join()"
    )
    assert [failure.situation.source for failure in failures(shell)] == ["1 / 0"]


def test_no_error_is_held_once_python_itself_has_let_go_of_it(run: Any, shell: Any) -> None:
    run("class Mine(Exception): pass\nraise Mine")
    mine = weakref.ref(sys.last_value)
    run("get_ipython().run_cell('raise Mine');")
    inner = weakref.ref(sys.last_value)
    for name in ("last_value", "last_exc", "last_traceback"):
        vars(sys).pop(name, None)
    shell.InteractiveTB.tb = None
    gc.collect()
    assert (mine(), inner()) == (None, None)


def test_an_error_that_was_shown_counts_though_a_cell_has_begun_on_another_thread_since(
    run: Any, shell: Any, tmp_path: Path
) -> None:
    script = tmp_path / "script.py"
    script.write_text("1 / 0\n")
    run(
        f"import threading\n%run {script}\n"
        "thread = threading.Thread(target=get_ipython().run_cell, args=('2',))\nthread.start()\nthread.join()"
    )
    assert [failure.error.ename for failure in failures(shell) if "import" in failure.situation.source] == [
        "ZeroDivisionError"
    ]


def test_a_cell_that_ends_without_a_result_was_interrupted(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    info = ExecutionInfo("1", True, False, True, None)
    shell.events.trigger("pre_run_cell", info)
    shell.events.trigger("post_run_cell", None)
    assert failures(shell) == []
    assert "reflex:" not in capsys.readouterr().err


@pytest.mark.parametrize("in_between", ["a = 1", "get_ipython().run_cell('a = 1');"])
def test_an_interrupt_at_a_cells_end_hides_no_failure_of_a_later_one(
    run: Any, shell: Any, monkeypatch: pytest.MonkeyPatch, in_between: str
) -> None:
    hooks = shell.reflex_extension._hooks

    def struck(result: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(hooks, "_post_run_cell", struck)
        run(in_between)
    run("1 / 0")
    run("get_ipython().run_cell('x = = 1');")
    assert [failure.stage for failure in failures(shell)] == ["run", "run"]
