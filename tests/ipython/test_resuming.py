"""Which outputs count as the cell's own, and what is kept of a run."""

from __future__ import annotations

import ast
import contextlib
import itertools
import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.ipython import interrupts
from reflex_ipython.ipython.cache_dirs import cache_dirs
from reflex_ipython.ipython.cell_run import MOST_OUTPUTS, CellRun, ShellsOwn
from reflex_ipython.ipython.cell_watch import CellWatch
from reflex_ipython.ipython.cells import CellLog, RanCell
from reflex_ipython.ipython.kept_outputs import keep_output
from reflex_ipython.ipython.resumption import Resumer, Resumption
from reflex_ipython.ipython.trees import tree_of
from reflex_ipython.models import CellRef, Edit
from reflex_ipython.settings import Settings
from reflex_ipython.state import putting_back
from reflex_ipython.state.journal import Journal


@pytest.fixture
def watch(plain_shell: Any) -> CellWatch:
    """Watching a cell that runs."""
    made = CellWatch(plain_shell, CellLog(), Settings, lambda: 1, pytest.fail)
    made.starts(RanCell(None, 1, "x"), None)
    return made


def running(watch: CellWatch) -> CellRun:
    assert watch._running is not None
    return watch._running


def test_streams_and_displays_are_kept_in_order(watch: CellWatch) -> None:
    display = {"data": {"text/plain": "x"}, "transient": {"display_id": "theirs"}}
    keep_output(watch._take, "stream", {"name": "stdout", "text": "a"})
    keep_output(watch._take, {"header": {"msg_type": "display_data"}, "content": display})
    keep_output(watch._take, "status", {"execution_state": "busy"})
    assert [kind for _, (kind, _) in running(watch).outputs] == ["stream", "display_data"]


def test_a_panel_that_changes_meanwhile_is_not_the_cells(watch: CellWatch) -> None:
    keep_output(watch._take, "update_display_data", {"data": {}, "transient": {"display_id": "reflex-0a1b2c3d"}})
    assert running(watch).outputs == []


def test_a_cell_with_too_many_outputs_is_known_to_be_incomplete(watch: CellWatch) -> None:
    for _ in range(MOST_OUTPUTS):
        keep_output(watch._take, "stream", {"text": "a"})
    assert running(watch).complete
    keep_output(watch._take, "stream", {"text": "a"})
    assert not running(watch).complete
    assert isinstance(running(watch).journal, Journal)


@pytest.mark.parametrize(("outputs", "start"), [(MOST_OUTPUTS, 1), (MOST_OUTPUTS + 1, 0)], ids=["all", "not all"])
def test_a_cell_whose_outputs_were_not_all_kept_runs_whole(
    plain_shell: Any, watch: CellWatch, outputs: int, start: int
) -> None:
    tree = tree_of(plain_shell, "a = 1\nx")
    assert tree is not None
    running(watch).nodes = tree.body
    for node in tree.body:
        watch._before(compile(ast.Module([node], []), "", "exec"), node)
    for _ in range(outputs):
        keep_output(watch._take, "stream", {"text": "a"})
    watch.ended(failed=True)
    plan = watch.failures.plan(Edit(CellRef(None, 1), "a = 1\nx", "a = 1\na"))
    assert plan is not None
    assert len(plan.done) == start


def test_nothing_of_a_failed_run_is_held_once_another_cell_runs(watch: CellWatch) -> None:
    run = running(watch)
    run.add("stream", {"text": "a"}, len(run.journal))
    run.figures = {1: object()}
    watch.ended(failed=True)
    watch.starts(RanCell(None, 2, "y"), None)
    assert (run.outputs, run.figures, len(run.journal), run.other_cell_ran) == ([], None, 0, True)


def test_a_cell_of_which_an_output_could_not_be_kept_runs_whole(
    watch: CellWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = running(watch)
    assert run.complete
    monkeypatch.setattr(watch._streams, "parts", lambda content, begun: 1 / 0)
    watch._take("stream", {"name": "stdout", "text": "a"})
    assert not run.complete


def test_what_is_sent_later_than_what_a_later_statement_has_shown_stands_before_it(watch: CellWatch) -> None:
    run = running(watch)
    run.add("stream", {"text": "of the second"}, 2)
    run.add("stream", {"text": "of the first"}, 1)
    run.add("stream", {"text": "of the first as well"}, 1)
    texts = [content["text"] for _, content in run.shown_before(2)]
    assert texts == ["of the first", "of the first as well", "of the second"]
    assert len(run.shown_before(1)) == 2


def test_figures_that_the_failed_statement_has_made_are_not_opened_again(watch: CellWatch) -> None:
    run = running(watch)
    run.opened, run.count = [(0, []), (1, [1]), (2, [1, 2])], 3
    run.figures = {1: "first", 2: "second", 3: "third"}
    assert run.figures_of(1) == {1: "first"}
    assert run.figures_of(2) == {1: "first", 2: "second"}
    assert run.figures_of(3) == run.figures


def test_a_cell_that_runs_meanwhile_on_another_thread_is_left_alone(watch: CellWatch) -> None:
    run = running(watch)

    def subshell() -> None:
        watch.starts(RanCell("b", 2, "y"), None)
        watch.leaving_out._tapped(ast.parse("y"))
        watch._before(compile("y", "", "exec"), ast.Expr(ast.Name("y")))
        watch.ended(failed=True)

    thread = threading.Thread(target=subshell)
    thread.start()
    thread.join()
    assert (running(watch), run.nodes, len(run.journal)) == (run, None, 0)
    watch.ended(failed=True)
    assert watch.failures.last is run


def test_of_very_many_failures_the_oldest_is_forgotten(watch: CellWatch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reflex_ipython.ipython.failed_runs._MOST", 2)
    for number in (1, 2, 3):
        watch.starts(RanCell("a", number, "x"), None)
        watch.ended(failed=True)
    assert list(watch.failures._runs) == [("a", 2), ("a", 3)]


def test_a_run_of_which_it_was_not_found_out_what_it_did_is_not_resumed(
    plain_shell: Any, watch: CellWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "x = 1\ny"
    edit = Edit(CellRef(None, 1), source, "x = 1\nz = 2")
    run = running(watch)
    run.cell = RanCell(None, 1, source)
    for statement in ast.parse(source).body:
        watch._before(compile(ast.Module([statement], []), "", "exec"), statement)

    def interrupted(run: CellRun) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(CellRun, "find_out", interrupted)
        with pytest.raises(KeyboardInterrupt):
            watch.ended(failed=True)
    assert run.known.is_set()
    assert watch.failures.plan(edit) is None


def test_what_was_read_before_another_cell_ran_is_read_anew(plain_shell: Any, watch: CellWatch) -> None:
    """That cell may have changed how cells are read, also while another thread has read one."""

    class Another(ast.NodeTransformer):
        def visit_Constant(self, node: ast.Constant) -> ast.Constant:
            return ast.Constant(2)

    def value() -> Any:
        tree = watch.failures._tree("x = 1")
        assert tree is not None
        assert isinstance(tree.body[0], ast.Assign)
        return ast.literal_eval(tree.body[0].value)

    class Meanwhile(ast.NodeTransformer):
        def visit_Module(self, node: ast.Module) -> ast.Module:
            watch.failures.outdate()
            return node

    assert value() == 1
    plain_shell.ast_transformers.append(Another())
    assert value() == 1, "it is the same cell's"
    watch.failures.outdate()
    assert value() == 2
    watch.failures.outdate()
    plain_shell.ast_transformers[:] = [Meanwhile()]
    assert value() == 1
    plain_shell.ast_transformers[:] = [Another()]
    assert value() == 2
    plain_shell.ast_transformers.clear()


@pytest.mark.parametrize(("where", "time"), [("before", 1), ("after", 1), ("after", 2)])
def test_a_failure_of_ours_ends_the_watching_with_a_warning(
    plain_shell: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], where: str, time: int
) -> None:
    plain, times = getattr(Journal, where), itertools.count(1)

    def fails(*arguments: Any) -> None:
        if next(times) == time:
            raise RuntimeError("ours")
        plain(*arguments)

    monkeypatch.setattr(Journal, where, fails)
    warnings: list[str] = []
    watch = CellWatch(plain_shell, CellLog(), Settings, lambda: 1, warnings.append)
    uninstall = watch.install()
    watch.starts(RanCell(None, 1, "x = [1]\nprint(x)"), None)
    plain_shell.run_cell("x = [1]\nprint(x)").raise_error()
    uninstall()
    assert warnings == ["RuntimeError inside Reflex itself; this cell can't be resumed: ours"]
    assert capsys.readouterr().out == "[1]\n", "IPython has nothing to show"


def test_the_shells_names_are_not_the_users() -> None:
    shells = "_ __ ___ _i _ii _iii _3 _i3 In Out _ih _oh _dh exit quit get_ipython open __builtins__ _exit_code"
    users = "i _x _data __name x_ In2 opened"
    assert [name for name in shells.split() if name not in ShellsOwn()] == []
    assert [name for name in users.split() if name in ShellsOwn()] == []


def test_a_cell_that_a_transformer_of_others_refuses_has_no_tree(plain_shell: Any) -> None:
    class Refuses:
        def visit(self, node: Any) -> Any:
            raise RuntimeError("refused")

    assert tree_of(plain_shell, "x = 1") is not None
    plain_shell.ast_transformers.append(Refuses())
    assert tree_of(plain_shell, "x = 1") is None


def test_libraries_folders_are_nobodys(plain_shell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path / "fonts"))
    folders = cache_dirs(plain_shell)
    for expected in (str(tmp_path / "cache"), str(tmp_path / "fonts")):
        assert os.path.join(expected, "") in folders
    assert str(Path(plain_shell.profile_dir.location) / "db" / "dhist") in folders


def test_the_shell_is_not_wrapped(plain_shell: Any) -> None:
    before, transformers = vars(plain_shell).copy(), list(plain_shell.ast_transformers)
    uninstall = CellWatch(plain_shell, CellLog(), Settings, lambda: 1, pytest.fail).install()
    assert vars(plain_shell).get("run_code") is before.get("run_code")
    assert plain_shell.ast_transformers == transformers
    uninstall()


def test_a_statement_that_was_done_before_a_resumption_is_not_over_a_second_time(plain_shell: Any) -> None:
    warnings: list[str] = []
    watch = CellWatch(plain_shell, CellLog(), Settings, lambda: 1, warnings.append)
    names = plain_shell.user_ns
    exec("import numpy\nflat = numpy.arange(3.0).flat\ndef write():\n    flat[0] = 5", names)

    def runs(source: str, resumed: Resumption | None = None) -> None:
        watch.starts(RanCell(None, 1, source), resumed)
        assert watch._running is not None
        watch._running.nodes = ast.parse(source).body
        for node in watch._running.nodes[len(resumed.plan.done) if resumed is not None else 0 :]:
            code = compile(ast.Module([node], []), "", "exec")
            watch._before(code, node)
            with contextlib.suppress(NameError):
                exec(code, names)
        watch.ended(failed=True)

    runs("write()\nmissing_one")
    resumed = Resumer(plain_shell, watch.failures, watch.leaving_out).prepare(
        Edit(CellRef(None, 1), "write()\nmissing_one", "write()\nmissing_two")
    )
    runs("write()\nmissing_two", resumed)
    assert warnings == []
    assert watch.failures.last is not None
    assert len(watch.failures.last.journal) == 2


def test_an_interrupt_does_not_leave_the_state_half_put_back(plain_shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = CellWatch(plain_shell, CellLog(), Settings, lambda: 1, pytest.fail)
    names = plain_shell.user_ns
    exec("some, others = [1], [2]", names)
    watch.starts(RanCell(None, 1, "both()"), None)
    assert watch._running is not None
    watch._running.nodes = ast.parse("some.append(0), others.append(0), missing").body
    for node in watch._running.nodes:
        code = compile(ast.Module([node], []), "", "exec")
        watch._before(code, node)
        with contextlib.suppress(NameError):
            exec(code, names)
    watch.ended(failed=True)
    restore = putting_back._restore
    struck: list[str] = []
    handed: list[str] = []

    def interrupted(snapshot: Any) -> Any:
        if not struck:
            struck.append("interrupted")
            signal.raise_signal(signal.SIGINT)
        return restore(snapshot)

    interrupted.__code__ = interrupted.__code__.replace(co_filename=putting_back.__file__)
    monkeypatch.setattr(putting_back, "_restore", interrupted)
    monkeypatch.setattr(interrupts, "hand_on", lambda: handed.append("handed on"))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        resumed = Resumer(plain_shell, watch.failures, watch.leaving_out).prepare(
            Edit(CellRef(None, 1), "both()", "some")
        )
    finally:
        signal.signal(signal.SIGINT, before)
    assert resumed is not None
    assert (names["some"], names["others"], handed) == ([1], [2], ["handed on"])
