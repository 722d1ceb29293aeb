"""IPython's traps around a failing cell, one test a row: what the user sees and what the reply says stays as it was."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import nbformat
import papermill
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from tests.kernel.driver import MIME, NAPS, PATIENCE, Kernel

FAILING: dict[str, tuple[str, str]] = {
    "a runtime error": ("1 / 0", "ZeroDivisionError"),
    "a syntax error": ("x = = 1", "SyntaxError"),
    "an unclosed string": ('x = "abc', "SyntaxError"),
    "an indentation error": ("if True:\nx = 1", "IndentationError"),
    "an indentation error of the tokenizer": ("if True:\n        x = 1\n    y = 2", "IndentationError"),
    "return outside a function": ("return 5", "SyntaxError"),
    "a compile error raised late": ("a = 1; print(a); return 5", "SyntaxError"),
    "top-level await": ("import asyncio\nawait asyncio.sleep(0)\n1 / 0", "ZeroDivisionError"),
    "an await of nothing awaitable": ("await 5", "TypeError"),
    "a magic that is not there": ("%nothing_like_it", "UsageError"),
    "an error in a chain": ("try:\n    1 / 0\nexcept Exception as e:\n    raise ValueError('b') from e", "ValueError"),
    "a class of BaseException": ("class Mine(BaseException): pass\nraise Mine('x')", "Mine"),
    "an error whose text raises": (
        "class Bad(Exception):\n    def __str__(self):\n        raise RuntimeError('no text')\nraise Bad()",
        "RuntimeError|Bad",
    ),
}
if sys.version_info >= (3, 11, 4):  # before, it is no SyntaxError, and no kernel with IPython replies to it
    FAILING["a null byte"] = ("x = 1\0", "SyntaxError")
if sys.version_info >= (3, 11):
    FAILING["an exception group"] = ("raise ExceptionGroup('many', [ValueError(1), KeyError('k')])", "ExceptionGroup")


@pytest.mark.parametrize(("source", "ename"), FAILING.values(), ids=FAILING.keys())
def test_the_traceback_is_shown_once_then_the_panel_and_the_reply_stays_an_error(
    loaded: Kernel, plain: Kernel, source: str, ename: str
) -> None:
    ran, before = loaded.run(source), plain.run(source)
    assert ran.status == before.status == "error"
    assert ran.reply["ename"] == before.reply["ename"]
    assert ran.reply["evalue"] == before.reply["evalue"]
    assert ran.kinds == [*before.kinds, "display_data"], ran.text
    assert ran.shown[0]["error"].startswith(tuple(ename.split("|")))
    assert loaded.value("1 + 1") == 2


# Under %time IPython 8 only shows the error; 9 raises it.
SHOWN_ONLY: dict[str, tuple[str, str]] = {
    "%time": ("%time 1 / 0", "ZeroDivisionError"),
    "%%time": ("%%time\n1 / 0", "ZeroDivisionError"),
    "a script under %run": ("%run {script}", "ZeroDivisionError"),
    "the cell inside %%capture": ("%%capture\n1 / 0", "ZeroDivisionError"),
    "a formatter": (
        "class R:\n    def _repr_html_(self):\n        raise KeyError('html')\nR()",
        "KeyError",
    ),
}


@pytest.mark.parametrize(("source", "ename"), SHOWN_ONLY.values(), ids=SHOWN_ONLY.keys())
def test_what_ipython_only_shows_gets_a_panel_too_and_the_reply_is_what_it_was(
    loaded: Kernel, plain: Kernel, tmp_path: Path, source: str, ename: str
) -> None:
    script = tmp_path / "script.py"
    script.write_text("x = 1\n1 / 0\n")
    source = source.format(script=script) if "{script}" in source else source
    ran, before = loaded.run(source), plain.run(source)
    assert ran.status == before.status
    assert ran.kinds == [*before.kinds, "display_data"], ran.text
    assert ran.shown[-1]["error"].startswith(ename)


NEVER = {
    "KeyboardInterrupt": "raise KeyboardInterrupt",
    "SystemExit": "raise SystemExit(3)",
    "a cancelled await": "import asyncio\nraise asyncio.CancelledError",
    "a generator's end": "raise GeneratorExit",
    "an interrupt inside %%capture": "%%capture\nraise KeyboardInterrupt",
    "a command of ours that is wrong": "%reflex histry",
    "no error at all": "1 + 1",
    "an error that was caught": "try:\n    1 / 0\nexcept ZeroDivisionError:\n    pass",
}


@pytest.mark.parametrize("source", NEVER.values(), ids=NEVER.keys())
def test_what_is_no_failure_of_the_code_gets_no_panel(loaded: Kernel, source: str) -> None:
    loaded.run("1 / 0", "before")
    assert not loaded.run(source).shown


@pytest.mark.skipif(sys.platform == "win32", reason="Windows interrupts a kernel by an event, not by a signal")
@pytest.mark.parametrize(
    "source",
    [
        f"import time\n[print('begun', flush=True), {NAPS}]",
        "import asyncio\nfor n in range(600):\n    await asyncio.sleep(0.1)\n    if n == 1: print('begun', flush=True)",
    ],
)
def test_an_interrupted_cell_gets_no_panel_and_the_kernel_goes_on(kernel: Kernel, source: str) -> None:
    request = kernel.send(source)
    while kernel.client.get_iopub_msg(timeout=60)["msg_type"] != "stream":
        pass
    kernel.manager.interrupt_kernel()
    ran = kernel.finish(request)
    assert ran.status == "error"
    assert not ran.shown
    assert "reflex:" not in ran.text
    assert kernel.value("1 + 1") == 2


HANDLER = """
seen = []
def handler(shell, etype, value, tb, tb_offset=None):
    seen.append(etype.__name__)
    return shell.showtraceback((etype, value, tb), tb_offset=tb_offset, running_compiled_code=True)
get_ipython().set_custom_exc((BaseException,), handler)
"""


@pytest.mark.parametrize("ours_first", [True, False], ids=["we load first", "the other loads first"])
def test_another_extensions_handler_for_every_exception_still_runs(plain_kernel: Kernel, ours_first: bool) -> None:
    load = "%load_ext reflex_ipython"
    for source in (load, HANDLER) if ours_first else (HANDLER, load):
        assert plain_kernel.run(source).status == "ok"
    ran = plain_kernel.run("1 / 0")
    assert plain_kernel.value("seen") == ["ZeroDivisionError"]
    assert ran.kinds.count("error") == 1
    assert len(ran.shown) == 1
    plain_kernel.run("%unload_ext reflex_ipython")
    plain_kernel.run("{}['a']")
    assert plain_kernel.value("seen") == ["ZeroDivisionError", "KeyError"]


def test_another_extensions_handler_that_raises_does_not_take_our_panel(kernel: Kernel) -> None:
    kernel.run(
        "def handler(*a, **k): raise RuntimeError('broken')\nget_ipython().set_custom_exc((Exception,), handler)"
    )
    ran = kernel.run("1 / 0")
    assert ran.status == "error"
    assert len(ran.shown) == 1


BREAK_CAPTURE = """
import reflex_ipython.ipython.causes as e
def broken(*arguments, **more):
    raise RuntimeError("ours is broken")
e.capture_failure = broken
"""


def test_a_callback_of_ours_that_raises_costs_one_warning_line(kernel: Kernel) -> None:
    kernel.run(BREAK_CAPTURE)
    ran = kernel.run("class R:\n    def __repr__(self): raise ValueError\nx = R()\n1 / 0")
    assert ran.status == "error"
    assert ran.kinds.count("error") == 1
    assert len([line for line in ran.text.splitlines() if line.startswith("reflex:")]) == 1
    assert kernel.value("1 + 1") == 2


def test_a_result_whose_repr_raises_does_not_stop_the_kernels_reply(kernel: Kernel) -> None:
    ran = kernel.run("class R:\n    def __repr__(self): raise ValueError('no repr')\nR()")
    assert ran.shown[-1]["error"].startswith("ValueError")
    assert kernel.value("1 + 1") == 2


def notebook(*sources: str) -> nbformat.NotebookNode:
    cells = [nbformat.v4.new_code_cell(source) for source in ("%load_ext reflex_ipython", *sources)]
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "p"}})


def test_nbclient_still_stops_and_keeps_the_panel_as_html() -> None:
    document = notebook("total = 1", "toatl", "never = 1")
    with pytest.raises(CellExecutionError, match="NameError"):
        NotebookClient(document, timeout=60).execute()
    failed = document.cells[2].outputs
    assert [output.output_type for output in failed][-2:] == ["error", "display_data"]
    assert "total" in failed[-1].data["text/html"]
    assert MIME in failed[-1].data
    assert not document.cells[3].outputs
    nbformat.validate(document)


def test_papermill_still_stops(tmp_path: Path) -> None:
    nbformat.write(notebook("1 / 0", "never = 1"), tmp_path / "in.ipynb")
    with pytest.raises(papermill.PapermillExecutionError, match="ZeroDivisionError"):
        papermill.execute_notebook(tmp_path / "in.ipynb", tmp_path / "out.ipynb", progress_bar=False)


@pytest.mark.parametrize(
    "cell", ["7a1b", "vscode-notebook-cell:/home/ann/a.ipynb#W2sZmlsZQ%3D%3D", ""], ids=["Lab", "VS Code", "nbclient"]
)
def test_the_cells_id_is_whatever_the_front_end_calls_it(loaded: Kernel, cell: str) -> None:
    assert loaded.run("1 / 0", cell).shown[0]["cell"]["id"] == (cell or None)


LEFT = """
import gc, threading, sys
from comm import get_comm_manager
shell = get_ipython()
def footprint():
    return {
        "events": {name: len(callbacks) for name, callbacks in shell.events.callbacks.items()},
        "cleanup": len(shell.input_transformers_cleanup),
        "post": len(shell.input_transformers_post),
        "ast": len(shell.ast_transformers),
        "custom": repr(shell.custom_exceptions),
        "magics": sorted(shell.magics_manager.magics["line"]) + sorted(shell.magics_manager.magics["cell"]),
        "registry": sorted(shell.magics_manager.registry),
        "configurables": [type(c).__name__ for c in shell.configurables],
        "completers": sorted(shell.strdispatchers["complete_command"].strs),
        "comms": len(get_comm_manager().comms),
        "targets": sorted(get_comm_manager().targets),
        "threads": sorted(t.name for t in threading.enumerate() if t.name.startswith("reflex")),
        "attributes": sorted(a for a in vars(shell) if "reflex" in a),
        "namespace": sorted(n for n in shell.user_ns if "reflex" in n),
        "replaced": ["run_code" in vars(shell), "send" in vars(shell.kernel.session)],
        "hooks": [shell.showtraceback.__func__.__module__, shell._showtraceback.__func__.__module__, sys.excepthook.__module__],
    }
before = footprint()
"""  # noqa: E501 - one line an entry


def test_after_unload_nothing_of_ours_is_left(plain_kernel: Kernel) -> None:
    plain_kernel.run("import ipywidgets\n%load_ext storemagic\n%unload_ext storemagic")
    plain_kernel.run(LEFT)
    assert not plain_kernel.run("%load_ext reflex_ipython").text
    plain_kernel.run("__import__('reflex_ipython').load_ipython_extension(get_ipython())")
    assert len(plain_kernel.run("1 / 0").shown) == 1
    plain_kernel.run("%reflex history")
    assert plain_kernel.run("%unload_ext reflex_ipython").status == "ok"
    end = time.monotonic() + PATIENCE
    while (left := plain_kernel.value("[k for k in before if before[k] != footprint()[k]]")) == ["threads"]:
        assert time.monotonic() < end, "a thread is left"  # on a busy machine nobody waits until the last has ended
    assert left == []
    assert not plain_kernel.run("1 / 0").shown
    plain_kernel.run("%load_ext reflex_ipython")
    assert len(plain_kernel.run("1 / 0").shown) == 1


def test_it_loads_from_a_configuration_file_with_its_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, new_kernel: Callable[..., Kernel]
) -> None:
    profile = tmp_path / "ipython" / "profile_default"
    profile.mkdir(parents=True)
    (profile / "ipython_kernel_config.py").write_text(
        "c.InteractiveShellApp.extensions = ['reflex_ipython']\nc.Reflex.model = 'from-the-file'\n"
    )
    kernel = new_kernel()
    assert "from-the-file" in kernel.run("%reflex").text
    assert kernel.run("1 / 0").shown


def test_a_fix_that_comes_late_goes_to_the_cell_that_failed(kernel: Kernel) -> None:
    kernel.run("import os\ntotal = 3")
    panel = kernel.until_panel(kernel.run("toatl", "the-cell").shown[0], lambda state: state["fixes"])
    assert panel["cell"]["id"] == "the-cell"
    assert panel["fixes"][0]["edits"][0]["source"] == "total"
