"""Accepting a fix goes on where the cell failed, in a real kernel: what has run does not run twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.kernel.driver import Kernel, Ran


def accept(kernel: Kernel) -> Ran:
    return kernel.run("%reflex accept")


def outcome(kernel: Kernel) -> str:
    return str(kernel.value("get_ipython().reflex_extension.assembly.session.repairs.latest().rerun.state"))


def test_what_has_run_does_not_run_twice_and_its_outputs_are_there_in_order(kernel: Kernel) -> None:
    kernel.run("from IPython.display import HTML, display\ncounter, total = 0, [3]")
    kernel.run("counter += 1\nprint('slow')\ndisplay(HTML('<b>rich</b>'))\nprint('second', counter)\nprint(toatl)")
    ran = accept(kernel)
    assert kernel.value("counter") == 1
    assert ran.kinds == ["stream", "display_data", "stream", "display_data"]
    note = ran.contents("display_data")[-1]["data"]["text/plain"]
    assert note.endswith("Resumed at line 5 · state restored")
    assert ran.text == "slow\nsecond 1\n[3]\n"
    assert outcome(kernel) == "resumed at line 5, state restored exactly"


def test_what_went_to_stderr_is_there_again(kernel: Kernel) -> None:
    kernel.run("import sys\ntotal = [3]")
    kernel.run("print('warned', file=sys.stderr)\nprint(toatl)")
    assert accept(kernel).text == "warned\n[3]\n"


MERGES = """\
for column in ["a", "b"]:
    df = df.merge(pd.DataFrame({"v": [1, 2, 3], column: [0, 0, 1]}), on="v")
    print(total[0])"""


def test_a_frame_that_a_loop_has_merged_is_merged_anew_from_what_it_was(kernel: Kernel) -> None:
    kernel.run("import pandas as pd\ntotal, df = [3], pd.DataFrame({'v': [3, 1, 2]})")
    failed = kernel.run(MERGES.replace("total", "toatl"), "a")
    kernel.accept(kernel.hello(), kernel.settled(failed), sources=[MERGES])
    kernel.run(MERGES, "a")
    assert kernel.value("list(df.columns)") == ["v", "a", "b"]
    assert outcome(kernel).endswith("state restored exactly")


def test_before_a_statement_starts_from_its_own_result_it_is_asked(kernel: Kernel) -> None:
    kernel.run("import numpy as np\ntotal, large = [3], np.ones(1_000_000)")
    failed = kernel.run("for step in range(2):\n    large = large * 2\n    print(toatl)", "a")
    fix = kernel.settled(failed)["fixes"][0]
    assert ["large (its old value no longer exists)" in option["repeats"] for option in fix["run_options"]] == [True]


WARNS = "np.mean([])"
"""A library's own line warns."""


@pytest.mark.parametrize(
    ("before", "failing", "told"),
    [
        ("", f"{WARNS}, {{}}", 1),
        (f"{WARNS};\n", f"{WARNS}, {{}}", 1),  # the first told of it, and is not run again
        ("", f"other({WARNS}, {{}})", 1),
    ],
)
def test_what_a_library_has_warned_of_once_is_told_of_by_the_fixed_statement(
    before: str, failing: str, told: int, kernel: Kernel
) -> None:
    kernel.run("import numpy as np\ntotal, other = [3], lambda *them: them")
    failed = kernel.run(before + failing.format("toatl"), "a")
    assert failed.text.count("Mean of empty slice") == told
    fixed = before + failing.format("total")
    kernel.accept(kernel.hello(), kernel.settled(failed), sources=[fixed])
    ran = kernel.run(fixed, "a")
    assert ran.text.count("Mean of empty slice") == told
    assert kernel.run(WARNS, "b").text.count("Mean of empty slice") == 0  # as without us


@pytest.mark.parametrize(
    "shows",
    ["get_ipython().run_cell('1 / 0');", "try: 1 / 0\nexcept Exception: get_ipython().showtraceback()"],
)
def test_an_error_that_a_statement_has_only_shown_is_there_again(shows: str, kernel: Kernel) -> None:
    kernel.run("total = [3]")
    failed = kernel.run(f"{shows}\nprint(toatl)", "a")
    assert [error["ename"] for error in failed.contents("error")] == ["ZeroDivisionError", "NameError"]
    fixed = f"{shows}\nprint(total)"
    kernel.accept(kernel.hello(), kernel.settled(failed), sources=[fixed])
    ran = kernel.run(fixed, "a")
    assert [error["ename"] for error in ran.contents("error")] == ["ZeroDivisionError"]
    assert ran.text == "[3]\n"


def test_the_error_of_a_statement_that_does_not_compile_is_not_shown_again(kernel: Kernel) -> None:
    kernel.run("counter = 0")
    failed = kernel.run("counter += 1\nreturn 5", "a")
    fixed = "counter += 1\nprint(counter)"
    kernel.accept(kernel.hello(), kernel.settled(failed), sources=[fixed])
    ran = kernel.run(fixed, "a")
    assert (ran.contents("error"), ran.text) == ([], "1\n")


@pytest.mark.parametrize(
    "change",
    [
        "%config InteractiveShell.ast_node_interactivity = 'all'",
        "get_ipython().ast_node_interactivity = 'all'",
        "from IPython.core.interactiveshell import InteractiveShell\nInteractiveShell.ast_node_interactivity = 'all'",
    ],
)
def test_the_rest_shows_what_it_would_have_shown_though_another_setting_stands_now(change: str, kernel: Kernel) -> None:
    kernel.run("total = [3]")
    failed = kernel.run(f"{change}\nprint(toatl)\n2\n3", "a")
    fixed = f"{change}\nprint(total)\n2\n3"
    kernel.accept(kernel.hello(), kernel.settled(failed), sources=[fixed])
    ran = kernel.run(fixed, "a")
    assert [result["data"]["text/plain"] for result in ran.contents("execute_result")] == ["3"]
    assert len(kernel.run("4\n5").contents("execute_result")) == 2


def test_the_cell_that_a_statement_wants_inserted_is_asked_for_once_the_rest_runs(kernel: Kernel) -> None:
    kernel.run("total = [3]")
    wants = "get_ipython().set_next_input('one')\nget_ipython().set_next_input('two', replace=True)"
    dropped = "if True:\n    get_ipython().set_next_input('three')\n    print(toatl)"
    failed = kernel.run(f"{wants}\n{dropped}", "a")
    fixed = f"{wants}\nprint(total)"
    kernel.accept(kernel.hello(), kernel.settled(failed), sources=[fixed])
    ran = kernel.run(fixed, "a")
    assert [payload["text"] for payload in ran.reply["payload"]] == ["two"]
    assert kernel.run("total").reply["payload"] == []


def test_what_the_failed_statement_half_did_is_undone_in_place(kernel: Kernel) -> None:
    kernel.run("total = [3]\nalias = total")
    kernel.run("for i in range(3):\n    total.append(i)\n    if i == 1:\n        toatl.append(9)")
    accept(kernel)
    assert kernel.value("(alias, alias is total)") == ([3, 0, 1, 9, 2], True)
    assert outcome(kernel) == "state restored exactly"


@pytest.mark.parametrize(
    ("setup", "change", "shows"),
    [
        ("", "%precision 3", "get_ipython().display_formatter.formatters['text/plain'].float_precision"),
        ("", "%alias mine echo", "'mine' in get_ipython().magics_manager.magics['line']"),
        ("class A: pass", "class B(A): pass", "len(A.__subclasses__())"),
        ("", "get_ipython = None", "callable(globals().get('get_ipython'))"),
        ("", "open = len", "open is len"),
        ("", "del exit", "'exit' in globals()"),
        ("import sys; sys.stdout.tags = []", "sys.stdout.tags.append(1)", "sys.stdout.tags"),
        (
            "from concurrent.futures import Future; done = Future(); done.set_result([])",
            "done.result().append(1)",
            "done.result()",
        ),
    ],
)
def test_what_the_failed_statement_has_set_elsewhere_is_as_if_it_had_never_run(
    setup: str, change: str, shows: str, kernel: Kernel
) -> None:
    kernel.run(f"{setup}\ntotal = [3]")
    before = kernel.value(shows)
    panel = kernel.settled(kernel.run(f"if True:\n    {change}\n    print(toatl)", "a"))
    fixed = "if True:\n    print(total)"
    kernel.accept(kernel.hello(), panel, sources=[fixed])
    kernel.run(fixed, "a")
    assert outcome(kernel) == "state restored exactly"
    assert kernel.value(shows) == before


def test_what_a_magic_of_the_failed_statement_has_the_shell_call_is_called_no_more(kernel: Kernel) -> None:
    kernel.run("total = [3]")
    called = "{name: [*map(repr, all)] for name, all in get_ipython().events.callbacks.items()}"
    before = kernel.value(called)
    ran = kernel.run("if True:\n    %matplotlib inline\n    print(toatl)", "a")
    fixed = "if True:\n    print(total)"
    kernel.accept(kernel.hello(), kernel.settled(ran), sources=[fixed])
    assert kernel.run(fixed, "a").text == "[3]\n"
    assert kernel.value(called) == before


def test_what_the_accepted_cell_shows_is_told_of_that_cell_whatever_context_it_uses(kernel: Kernel) -> None:
    kernel.run("import contextvars\ntotal, found, ctx = [3], [], contextvars.copy_context()")
    cell = "for i in range(2):\n    found.append(len(ctx) > 0)\n    print(toatl)"
    fixed = cell.replace("toatl", "total")
    kernel.accept(kernel.hello(), kernel.settled(kernel.run(cell, "a")), sources=[fixed])
    assert kernel.run(fixed, "a").text == "[3]\n[3]\n"
    assert kernel.value("found") == [True, True]


def test_a_log_that_the_failed_statement_has_started_is_over(kernel: Kernel, tmp_path: Path) -> None:
    kernel.run("total = [3]")
    log = tmp_path / "log.py"
    panel = kernel.settled(kernel.run(f"if True:\n    %logstart -q {log} over\n    print(toatl)", "a"))
    fixed = "if True:\n    print(total)"
    kernel.accept(kernel.hello(), panel, sources=[fixed])
    kernel.run(fixed, "a")
    assert "log.py" in outcome(kernel)
    kernel.run("later = 1")
    assert kernel.value("get_ipython().logger.log_active") is False
    assert "later" not in log.read_text()


@pytest.mark.parametrize("keeps", ["%store total", "%bookmark here", "get_ipython().db['own'] = 1"])
def test_what_the_failed_statement_has_kept_in_ipythons_folder_is_named(keeps: str, kernel: Kernel) -> None:
    kernel.run("total = [3]")
    if not kernel.value("hasattr(get_ipython().db, 'root')"):
        pytest.skip("IPython 8.18 keeps nothing in files unless `pickleshare` is installed")
    folder = kernel.value("get_ipython().profile_dir.location")
    failed = kernel.run(f"if True:\n    {keeps}\n    print(toatl)", "a")
    fixed = "if True:\n    print(total)"
    kernel.accept(kernel.hello(), kernel.settled(failed), sources=[fixed])
    kernel.run(fixed, "a")
    assert folder in outcome(kernel)


def test_a_changed_beginning_is_rolled_back_and_the_whole_cell_runs(kernel: Kernel) -> None:
    kernel.run("counter, total = 0, [3]")
    kernel.run("counter += 1\ntotal.append(toatl)", "a")
    comm = kernel.hello()
    panel = kernel.settled(kernel.run("counter += 1\ntotal.append(toatl)", "a"))
    assert kernel.value("counter") == 2
    kernel.accept(comm, panel, sources=["counter += 10\ntotal.append(total[0])"])
    kernel.run("counter += 10\ntotal.append(total[0])", "a")
    assert kernel.value("total") == [3, 3]


def test_a_fix_that_only_drops_what_failed_runs_nothing_again(kernel: Kernel) -> None:
    kernel.run("counter, total = 0, [3]")
    panel = kernel.settled(kernel.run("for i in range(2):\n    counter += 1\n    print(i)\nprint(toatl)", "a"))
    fixed = "for i in range(2):\n    counter += 1\n    print(i)"
    kernel.accept(kernel.hello(), panel, sources=[fixed])
    ran = kernel.run(fixed, "a")
    assert (ran.status, ran.text) == ("ok", "0\n1\n")
    assert kernel.value("counter") == 2
    assert outcome(kernel) == "resumed at line 4, state restored exactly"


def test_the_panel_says_where_it_will_resume(kernel: Kernel) -> None:
    kernel.run("total = [3]")
    panel = kernel.settled(kernel.run("a = 1\nb = 2\nprint(toatl)"))
    assert panel["fixes"][0]["verdict"]["text"].endswith(" · resumes at line 3")


def test_after_another_cell_nothing_is_resumed_and_that_is_said(kernel: Kernel) -> None:
    kernel.run("counter, total = 0, [3]")
    kernel.run("counter += 1\nprint(toatl)")
    kernel.run("unrelated = 1")
    accept(kernel)
    assert outcome(kernel) == "not undone: the failed run (another cell ran)"
    assert kernel.value("counter") == 2


def test_the_cell_that_accepts_has_the_fixed_text_afterwards(kernel: Kernel) -> None:
    kernel.run("total = [3]")
    kernel.run("print(toatl)")
    (payload,) = accept(kernel).reply["payload"]
    assert (payload["source"], payload["text"], payload["replace"]) == ("set_next_input", "print(total)", True)


def test_commands_of_ours_are_no_other_cell(kernel: Kernel) -> None:
    kernel.run("counter, total = 0, [3]")
    kernel.run("counter += 1\nprint(toatl)")
    kernel.run("%reflex history")
    kernel.run("%reflex explain")
    accept(kernel)
    assert outcome(kernel) == "resumed at line 2, state restored exactly"


def test_a_repaired_cell_that_fails_again_can_be_resumed_again(kernel: Kernel) -> None:
    kernel.run("counter, total, other = 0, [3], 5")
    kernel.run("counter += 1\nprint(toatl)\nprint(otehr)")
    accept(kernel)
    ran = accept(kernel)
    assert ran.text == "[3]\n5\n"
    assert kernel.value("counter") == 1
    assert outcome(kernel) == "resumed at line 3, state restored exactly"


SLOWLY_SENT = """
import threading, time
from ipykernel.iostream import OutStream
name = "_rotate_buffers" if hasattr(OutStream, "_rotate_buffers") else "_rotate_buffer"
amid, rotate = threading.Event(), getattr(OutStream, name)
def slowly(stream):
    taken = rotate(stream)
    amid.set()
    time.sleep(0.5)
    return taken
setattr(OutStream, name, slowly)
total = [3]
"""


def test_what_is_just_being_sent_as_the_next_statement_begins_was_printed_before_it(kernel: Kernel) -> None:
    kernel.run(SLOWLY_SENT)
    kernel.run("amid.clear()\nprint('first') or amid.wait(60)\nprint(toatl)")
    assert accept(kernel).text == "first\n[3]\n"


def test_lines_that_print_are_sent_together_and_still_told_apart(kernel: Kernel) -> None:
    kernel.run("total = [3]")
    lines = [f"print({number})" for number in range(60)]
    ran = kernel.run("\n".join([*lines, "print('half') or print(toatl)"]))
    assert len(ran.contents("stream")) < len(lines), "nobody waits for each to be sent"
    shown = "".join(f"{number}\n" for number in range(60))
    assert accept(kernel).text == f"{shown}half\n[3]\n"


@pytest.mark.parametrize("between", ["pass", "time.sleep(0.3)", "sys.stderr.flush()", "display('shown')"])
def test_what_went_to_both_streams_is_told_apart(kernel: Kernel, between: str) -> None:
    kernel.run("import sys, time\ntotal = [3]")
    say = "print('{0}'); print('{0}', file=sys.stderr)"
    kernel.run(f"{say.format('a')}\n{between}\n{say.format('b')}\n{say.format('half')}; print(toatl)")
    accepted = accept(kernel)
    text = dict.fromkeys(("stdout", "stderr"), "")
    for content in accepted.contents("stream"):
        text[content["name"]] += content["text"]
    assert text["stderr"].startswith("a\nb\nhalf\n")
    assert text["stdout"].startswith("a\nb\nhalf\n[3]\n")
    assert text["stdout"].count("half") == text["stderr"].count("half") == 1


def test_what_a_thread_of_an_earlier_cell_prints_meanwhile_is_told_apart(kernel: Kernel) -> None:
    kernel.run(
        "import threading\ntotal, go, gone = [3], threading.Event(), threading.Event()\n"
        "def say():\n    go.wait(60)\n    print('of a thread')\n    gone.set()\n"
        "threading.Thread(target=say).start()"
    )
    kernel.run("print('a')\ngo.set() or gone.wait(60)\nprint('b')\nprint('half') or print(toatl)")
    text = accept(kernel).text
    assert text.replace("of a thread\n", "").startswith("a\nb\nhalf\n[3]\n"), text


def test_what_was_printed_is_kept_where_nothing_is_sent_as_the_error_is_shown(kernel: Kernel) -> None:
    kernel.run("total = [3]\nget_ipython()._showtraceback = lambda *arguments: None")
    kernel.run("print('a')\nprint('b')\nprint(toatl)")
    assert accept(kernel).text == "a\nb\n[3]\n"


def test_each_further_fix_goes_on_where_the_run_before_it_failed(kernel: Kernel) -> None:
    kernel.run("counter, total, other, third = 0, [3], 5, 7")
    kernel.run("counter += 1\nprint('half') or print(toatl)\nprint(otehr)\ncounter += 10; print(thrid)")
    accept(kernel)
    accept(kernel)
    assert accept(kernel).text == "half\n[3]\n5\n7\n"
    assert kernel.value("counter") == 11
    assert outcome(kernel) == "resumed at line 4, state restored exactly"


def test_a_fix_of_a_run_that_was_a_fix_itself_can_be_undone(kernel: Kernel) -> None:
    kernel.run("total, other, log = [3], 5, []")
    kernel.run("log.append(1)\nlog.append(toatl)\nlog.append(otehr)\nlast = 1")
    accept(kernel)
    accept(kernel)
    assert kernel.run("%reflex undo").text.endswith("state restored exactly.\n")
    assert kernel.value("(log, 'last' in globals())") == ([1, [3]], False)


def test_a_plot_of_the_first_part_is_in_the_resumed_cells_output(kernel: Kernel) -> None:
    kernel.run("%matplotlib inline\nimport matplotlib.pyplot as plt\ntotal = [3, 1]")
    kernel.run("fig, ax = plt.subplots()\nax.set_title('kept')\nax.plot(toatl)")
    ran = accept(kernel)
    assert any("image/png" in content["data"] for content in ran.contents("display_data"))
    assert kernel.value("(ax.get_title(), len(ax.lines))") == ("kept", 1)
    assert outcome(kernel).startswith("resumed at line 3, ")


def test_a_figure_that_undoing_puts_back_is_not_drawn_upon_by_the_next_cell(kernel: Kernel) -> None:
    kernel.run("%matplotlib inline\nimport matplotlib.pyplot as plt\ntotal = [3, 1]")
    kernel.run("fig, ax = plt.subplots()\nax.plot(toatl)")
    accept(kernel)
    kernel.run("%reflex undo")
    assert kernel.value("(plt.get_fignums(), len(ax.lines))") == ([], 0)
    assert any("image/png" in content["data"] for content in kernel.run("plt.plot([1])").contents("display_data"))


def test_the_shells_record_of_the_warnings_of_a_cell_is_no_exception(kernel: Kernel) -> None:
    kernel.run("import warnings\ntotal = [3]")
    kernel.run("warnings.warn('first')\nfor n in total:\n    warnings.warn('second')\n    print(toatl)")
    accept(kernel)
    assert outcome(kernel) == "resumed at line 2, state restored exactly"


def test_the_results_of_earlier_cells_are_put_back(kernel: Kernel) -> None:
    kernel.run("total, kept = [3], [1]")
    kernel.run("kept")
    kernel.run("for i in total:\n    _.append(i)\n    Out[3].append(i)\n    _3.append(toatl)")
    accept(kernel)
    assert outcome(kernel) == "state restored exactly"
    assert kernel.value("kept") == [1, 3, 3, [3]]


def test_the_first_large_output_is_not_said_to_have_started_a_thread(kernel: Kernel) -> None:
    kernel.run("from IPython.display import display\ntotal = [3]\nhandle = display('first', display_id=True)")
    panel = kernel.settled(kernel.run("for i in total:\n    handle.update('x' * 10 ** 6)\n    toatl"))
    assert panel["fixes"][0]["run_options"] == []


def test_a_class_with_a_cached_property_is_put_back(kernel: Kernel) -> None:
    kernel.run(
        "import functools\ntotal = [3]\nclass Shop:\n    stock = 1\n"
        "    @functools.cached_property\n    def prices(self):\n        return [1]\nshop = Shop()"
    )
    panel = kernel.settled(kernel.run("for i in total:\n    shop.stock += shop.prices[0]\n    toatl"))
    assert panel["fixes"][0]["run_options"] == []
    accept(kernel)
    assert outcome(kernel) == "state restored exactly"
    assert kernel.value("shop.stock") == 2


def test_an_effect_outside_that_would_repeat_is_listed_and_needs_a_yes(kernel: Kernel, tmp_path: Any) -> None:
    target = tmp_path / "log.txt"
    kernel.run("total = [3]")
    source = f"for i in range(2):\n    open({str(target)!r}, 'a').write('x')\n    toatl.append(i)"
    panel = kernel.settled(kernel.run(source))
    fix = panel["fixes"][0]
    assert [option["label"] for option in fix["run_options"]] == ["Run the whole cell"]
    assert "log.txt" in fix["run_options"][0]["repeats"]


def test_resuming_and_running_all_of_it_say_what_each_repeats(kernel: Kernel, tmp_path: Any) -> None:
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    kernel.run("total = [3]")
    source = f"open({str(first)!r}, 'a').write('x')\nprint(open({str(second)!r}, 'a').write('x'), toatl)"
    panel = kernel.settled(kernel.run(source, "a"))
    fix = panel["fixes"][0]
    resume, whole = fix["run_options"]
    assert (resume["whole"], resume["label"]) == (False, "Resume at line 2")
    assert (whole["whole"], whole["label"]) == (True, "Run the whole cell")
    assert "first.txt" not in resume["repeats"]
    assert "first.txt" in whole["repeats"]
    fixed = fix["edits"][-1]["source"]
    kernel.accept(kernel.hello(), panel, whole=True)
    kernel.run(fixed, "a")
    assert (first.read_text(), second.read_text()) == ("xx", "xx")


REPEATS = {
    "display(Javascript('1'))": "ran JavaScript in the page",
    "get_ipython().run_cell_magic('bash', '', 'touch new-file; rm new-file')": "ran `bash`",
    "get_ipython().system('touch new-file; rm new-file')": "ran `touch new-file; rm new-file`",
    "asyncio.get_running_loop().call_later(60, print)": "scheduled a call on the event loop",
    "os.write(descriptor, b'x')": "wrote to a file descriptor",
    "atexit.register(int)": "registered a call for when the kernel ends",
    "threading.Timer(9, int).start()": "started a thread",
}


@pytest.mark.parametrize("statement", REPEATS)
def test_what_would_be_done_twice_is_asked_about_in_true_words(kernel: Kernel, statement: str) -> None:
    kernel.run("import asyncio, atexit, os, threading\nfrom IPython.display import Javascript\ntotal = [3]")
    kernel.run("descriptor = os.open(os.devnull, os.O_WRONLY)")
    for _ in range(2):  # the first time, IPython starts what serves it ever after
        panel = kernel.settled(kernel.run(f"for i in range(2):\n    {statement}\n    toatl.append(i)"))
        assert panel["fixes"][0]["run_options"][0]["repeats"] == f"repeats what can't be undone: {REPEATS[statement]}"


HARMLESS = {
    "a progress bar": "from tqdm import tqdm\nfor i in tqdm(range(3)): pass",
    "a temporary folder": "with tempfile.TemporaryDirectory() as folder: open(folder + '/x', 'w').close()",
    "a command that only reads": "get_ipython().system('ls -l | head -n 1')",
    "the notebook's own stream": "out.write('x')",
    "what was captured": "from IPython.utils.capture import capture_output as o\nwith o() as c: print(1)\nc.stdout",
    "a pool that waits": "list(pool.map(str, [1, 2]))",
    "a widget": "value = slider.value + 1",
    "a thread of the loop's own pool": "await asyncio.to_thread(int)",
    "a log that is shown": "logging.getLogger('notebook').warning('x')",
}


@pytest.mark.parametrize("cell", HARMLESS.values(), ids=HARMLESS)
def test_what_repeats_nothing_is_not_asked_about(kernel: Kernel, cell: str) -> None:
    kernel.run("import asyncio, logging, sys, tempfile, ipywidgets\nfrom concurrent.futures import ThreadPoolExecutor")
    kernel.run("total, out, pool, slider = [3], sys.stdout, ThreadPoolExecutor(2), ipywidgets.IntSlider()")
    panel = kernel.settled(kernel.run(f"{cell}\nprint(toatl)"))
    assert panel["fixes"][0]["run_options"] == []


def test_a_file_that_was_half_written_is_asked_about(kernel: Kernel, tmp_path: Any) -> None:
    kernel.run(f"total = [3]\nlog = open({str(tmp_path / 'log.txt')!r}, 'w')")
    panel = kernel.settled(kernel.run("for i in range(2):\n    log.write('x')\n    toatl.append(i)"))
    assert panel["fixes"][0]["run_options"][0]["repeats"] == "repeats what can't be undone: log (open file)"


def test_a_task_that_outlived_the_failure_is_asked_about(kernel: Kernel) -> None:
    kernel.run("import asyncio\ntotal = [3]")
    fails = "async def fails():\n    return toatl\nawait asyncio.gather(asyncio.sleep(30), fails())"
    panel = kernel.settled(kernel.run(f"await asyncio.sleep(0.1)\n{fails}"))
    assert panel["fixes"][0]["run_options"][0]["repeats"] == "repeats what can't be undone: left a task running"


def test_a_cell_that_waited_for_the_event_loop_has_left_no_task(kernel: Kernel) -> None:
    kernel.run("import asyncio\ntotal = [3]")
    kernel.run("for i in range(20):\n    await asyncio.sleep(0.01)\nelse:\n    print(toatl)")
    accept(kernel)
    assert outcome(kernel) == "state restored exactly"


def test_what_is_too_large_to_be_put_back_is_said_before_accepting(kernel: Kernel) -> None:
    kernel.run("rows, total = [{'x': 1} for _ in range(30_000)], []")
    panel = kernel.settled(kernel.run("for row in rows:\n    row['x'] *= 2\ntoatl.append(1)"))
    assert panel["fixes"][0]["findings"] == []  # the loop is not run again
    panel = kernel.settled(kernel.run("for row in rows:\n    row['x'] *= 2\n    toatl.append(1)"))
    texts = [finding["text"] for finding in panel["fixes"][0]["findings"]]
    assert "`rows` can't be put back if the failed run has changed it: more than 10,000 objects" in texts


@pytest.mark.parametrize(("source", "asked"), [("queue.SimpleQueue()", False), ("old", True)])
def test_running_all_of_it_repeats_nothing_with_what_the_cell_itself_made(
    kernel: Kernel, source: str, asked: bool
) -> None:
    kernel.run("import os, queue\ntotal, old, null = [3], queue.SimpleQueue(), os.open(os.devnull, os.O_WRONLY)")
    cell = f"q = {source}\nq.put(1)\nif True:\n    os.write(null, b'x')\n    print(toatl)"
    resume, whole = kernel.settled(kernel.run(cell))["fixes"][0]["run_options"][:2]
    assert "q (queue.SimpleQueue)" not in resume["repeats"]
    assert ("q (queue.SimpleQueue)" in whole["repeats"]) == asked


def test_what_a_library_writes_into_its_cache_needs_no_yes(kernel: Kernel) -> None:
    kernel.run("import os\nfolder = os.path.expanduser('~/.cache/some-library')\nos.makedirs(folder, exist_ok=True)")
    kernel.run("total = [3]")
    panel = kernel.settled(
        kernel.run("for i in range(2):\n    open(folder + '/list', 'w').close()\n    toatl.append(i)")
    )
    assert panel["fixes"][0]["run_options"] == []


@pytest.mark.parametrize(("folder", "asked"), [("", "wrote side.txt"), ("site-packages", "")])
def test_what_a_module_writes_as_it_is_imported_is_asked_about_if_it_is_the_users(
    kernel: Kernel, tmp_path: Any, folder: str, asked: str
) -> None:
    here = tmp_path / folder
    here.mkdir(exist_ok=True)
    (here / "writes_a_file.py").write_text("with open('side.txt', 'a') as f: f.write('x')")
    kernel.run(f"import os, sys\nos.chdir({str(tmp_path)!r})\nsys.path.insert(0, {str(here)!r})\ntotal = [3]")
    panel = kernel.settled(kernel.run("for i in range(2):\n    import writes_a_file\n    toatl.append(i)"))
    said = [option["repeats"] for option in panel["fixes"][0]["run_options"]]
    assert said == ([f"repeats what can't be undone: {asked}"] if asked else [])
    assert (tmp_path / "side.txt").read_text() == "x"


def test_what_a_module_of_the_users_does_to_the_notebooks_names_is_asked_about_or_put_back(
    kernel: Kernel, tmp_path: Any
) -> None:
    change = "get_ipython().user_ns['kept'].append(1)"
    (tmp_path / "own_change.py").write_text(f"from IPython import get_ipython\n{change}")
    (tmp_path / "own_function.py").write_text(f"from IPython import get_ipython\ndef go():\n    {change}")
    kernel.run(f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\nimport own_function\nkept, total = [], [3]")
    panel = kernel.settled(kernel.run("if True:\n    import own_change\n    print(toatl)"))
    assert "gets at the names of the notebook" in panel["fixes"][0]["run_options"][0]["repeats"]
    kernel.run("kept.clear()")
    kernel.run("if True:\n    own_function.go()\n    print(toatl)")
    accept(kernel)
    assert kernel.value("kept") == [1]
    assert outcome(kernel) == "state restored exactly"


def test_a_cell_that_awaits_is_resumed(kernel: Kernel) -> None:
    kernel.run("import asyncio\ncounter, total = 0, [3]")
    kernel.run("await asyncio.sleep(0)\ncounter += 1\nawait asyncio.sleep(0)\nprint(toatl)")
    accept(kernel)
    assert kernel.value("counter") == 1
    assert outcome(kernel) == "resumed at line 4, state restored exactly"


def test_an_interrupted_rerun_is_no_success(kernel: Kernel) -> None:
    kernel.run("total = [3]")
    kernel.run("total and toatl.append(1) or (_ for _ in ()).throw(KeyboardInterrupt)")
    accept(kernel)
    rerun = kernel.value("repr(get_ipython().reflex_extension.assembly.session.repairs.latest().rerun)")
    assert "succeeded=False" in rerun
    assert "KeyboardInterrupt" in rerun


def test_nothing_of_a_failed_run_is_kept_after_the_next_successful_cell(kernel: Kernel) -> None:
    kernel.run("import weakref\nclass Big: pass\nbig = Big()\nref = weakref.ref(big)\nholder = [big]")
    kernel.run("holder.clear(); del big; toatl")
    kernel.run("import gc, sys; sys.last_value = sys.last_traceback = sys.last_exc = None\n1")
    kernel.run("gc.collect()")
    assert kernel.value("ref() is None") is True


def test_it_can_be_switched_off(kernel: Kernel) -> None:
    kernel.run("%config Reflex.keep_state = False\ncounter, total = 0, [3]")
    kernel.settled(kernel.run("counter += 1\nprint(toatl)"))  # on a busy machine the reply may be here before the fix
    accept(kernel)
    assert kernel.value("counter") == 2


def test_the_panel_of_a_cell_before_another_one_ran_says_that_it_will_not_resume(kernel: Kernel) -> None:
    kernel.run("total, counter = [3], 0")
    first = kernel.settled(kernel.run("counter += 1\nprint(toatl)"))
    assert first["fixes"][0]["verdict"]["text"].endswith("resumes at line 2")
    kernel.run("%reflex")
    kernel.send("other = 1")
    expected = "another cell has run since; the whole cell will run on the current state"
    kernel.until_panel(first, lambda state: state["fixes"][0]["verdict"]["text"].endswith(expected))


def test_a_repair_is_not_run_with_what_is_known_of_another_failed_cell(kernel: Kernel) -> None:
    kernel.run("total, counter = [3], 0")
    kernel.run("counter += 1\nprint(toatl)", "one")
    first = kernel.value("get_ipython().reflex_extension.assembly.session.repairs.latest().id")
    kernel.run("counter += 1\nprint(1 / 0)", "two")
    ran = kernel.run(f"%reflex accept {first}")
    assert ran.text == "[3]\n"
    assert kernel.value("counter") == 3


def test_undoing_an_accepted_repair_brings_the_state_back_to_where_it_ran_from(kernel: Kernel) -> None:
    kernel.run("total, other = [3], {'a': 1}\nalias = total")
    kernel.run("other['b'] = 2\ntotal.append(4)\ntoatl.append(5)\nlast = 6")
    accept(kernel)
    undone = kernel.run("%reflex undo")
    assert undone.text.endswith("the old text is in the next cell, state restored exactly.\n")
    assert kernel.value("(total, alias is total, other, 'last' in globals())") == (
        [3, 4],
        True,
        {"a": 1, "b": 2},
        False,
    )


def test_undoing_after_another_cell_leaves_the_state_alone_and_says_so(kernel: Kernel) -> None:
    kernel.run("total = [3]")
    kernel.run("toatl.append(5)")
    accept(kernel)
    kernel.run("total.append(6)")
    undone = kernel.run("%reflex undo")
    assert undone.text.endswith("not undone: what the cell did.\n")
    assert kernel.value("total") == [3, 5, 6]


def test_undoing_a_repair_whose_run_failed_again_brings_the_state_back_as_well(kernel: Kernel) -> None:
    kernel.run("total = [3]")
    kernel.run("x = 1\nfor i in range(2):\n    toatl.append(i)\n    1 / (1 - i)")
    accept(kernel)
    undone = kernel.run("%reflex undo")
    assert undone.text.endswith("state restored exactly.\n")
    assert kernel.value("(x, total)") == (1, [3])


def test_nothing_is_held_of_an_accepted_run_once_another_cell_has_run(kernel: Kernel) -> None:
    kernel.run("import weakref, gc\nclass Held: pass\ntotal = [Held()]\nwatched = weakref.ref(total[0])")
    kernel.run("toatl.clear()")
    accept(kernel)
    kernel.run("1")
    assert kernel.value("(gc.collect() >= 0, watched() is None)") == (True, True)


def test_what_a_thread_has_done_since_the_failure_is_kept_and_named(kernel: Kernel) -> None:
    kernel.run(
        "import threading\ntotal, results, go, done = [3], [], threading.Event(), threading.Event()\n"
        "def job():\n    global data\n    go.wait(30)\n    data = [1]\n    results.append(2)\n    done.set()\n"
        "threading.Thread(target=job).start()"
    )
    kernel.run("results.append(1)\ntoatl.append(len(results))")
    kernel.run("go.set()\ndone.wait(30)", silent=True)
    accept(kernel)
    assert kernel.value("(data, results, total)") == ([1], [1, 2], [3, 2])
    assert outcome(kernel).startswith("resumed at line 2, ")
    assert "data (changed since the cell ended)" in outcome(kernel)


def test_what_others_have_changed_since_an_accepted_run_is_kept_when_it_is_undone(kernel: Kernel) -> None:
    kernel.run("total, results = [3], []")
    kernel.run("results.append(toatl)\nlast = 1")
    accept(kernel)
    kernel.run("results.append(2)", silent=True)
    assert "results (changed since the cell ended)" in kernel.run("%reflex undo").text
    assert kernel.value("results") == [[3], 2]


def test_an_undone_repair_can_be_accepted_again(kernel: Kernel) -> None:
    kernel.run("n, total, log = 0, [3], []")
    repair = kernel.run("n += 1\nlog.append(toatl)").shown[-1]["repair"]
    accept(kernel)
    kernel.run("%reflex undo")
    kernel.run(f"%reflex accept {repair}")
    assert kernel.value("(n, log)") == (1, [[3]])
    assert outcome(kernel) == "resumed at line 2, state restored exactly"


def test_an_undone_repair_that_is_accepted_again_is_resumed_undone_and_repaired_as_the_first_time(
    kernel: Kernel,
) -> None:
    kernel.run("n, total, other = 0, [3], 5")
    repair = kernel.run("print('zero')\nn += 1; print(toatl)\nn += 10\nprint(otehr)").shown[-1]["repair"]
    for _ in range(2):
        assert kernel.run(f"%reflex accept {repair}").text == "zero\n[3]\n"
        undone = kernel.run(f"%reflex undo {repair}").text
        assert undone.endswith("state restored exactly, what it has shown stays there.\n")
    kernel.run(f"%reflex accept {repair}")
    assert accept(kernel).text == "zero\n[3]\n5\n"
    assert kernel.value("n") == 11
    assert outcome(kernel) == "resumed at line 4, state restored exactly"


def test_an_undone_repair_is_not_resumed_once_another_cell_has_run(kernel: Kernel) -> None:
    kernel.run("n, total, log = 0, [3], []")
    repair = kernel.run("n += 1\nlog.append(toatl)").shown[-1]["repair"]
    accept(kernel)
    kernel.run("%reflex undo")
    kernel.run("log.append('mine')")
    kernel.run(f"%reflex accept {repair}")
    assert kernel.value("(n, log)") == (2, ["mine", [3]])
    assert outcome(kernel) == "not undone: the failed run (another cell ran)"


def test_undoing_a_run_that_failed_again_closes_the_repair_of_that_failure(kernel: Kernel) -> None:
    kernel.run("total = [3]")
    first = kernel.run("n = 1\nprint(toatl)\nprint(otehr)", "one").shown[-1]["repair"]
    second = kernel.run("%reflex accept", "two").shown[-1]["repair"]
    kernel.run(f"%reflex undo {first}")
    repairs = "get_ipython().reflex_extension.assembly.session.repairs"
    assert kernel.value(f"{repairs}.find({second!r}).decision.reason") == "The failed run was undone."


def test_the_memory_that_is_held_to_put_the_state_back_is_told_until_another_cell_runs(kernel: Kernel) -> None:
    kernel.run("import numpy as np\nx = np.ones(300_000)")
    kernel.run("exec('x += 1')\ntoatl")
    assert "2.4 MB are kept for undo" in kernel.run("%reflex").text
    kernel.run("pass")
    assert "are held to put the state back" not in kernel.run("%reflex").text


def test_a_coroutine_whose_call_is_undone_is_not_said_to_be_unawaited(kernel: Kernel) -> None:
    kernel.run("async def fetch(n):\n    return 2 * n")
    kernel.run("answer = fetch(3)\nanswer + 1")
    ran = accept(kernel)
    assert (ran.text, ran.contents("stream")) == ("", [])
    assert kernel.value("answer") == 6


def test_what_would_start_from_a_value_that_is_gone_runs_whole(kernel: Kernel) -> None:
    pytest.importorskip("pandas")
    kernel.run("import pandas as pd\nraw, made = pd.DataFrame({'n': [2, 1, 1]}), []")
    kernel.run("t = raw.copy()\nmade.append(1)\nt = t.sort_values('n', inplace=True)\nprint(t.shape)")
    ran = accept(kernel)
    assert (ran.status, ran.text) == ("ok", "(3, 1)\n")
    assert kernel.value("made") == [1], "the state was put back to the beginning of the cell"
