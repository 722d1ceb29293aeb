"""Fixes that leave what has run as it is: something inserted before it, a comment changed, the failed line dropped."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.kernel.driver import Kernel, Ran

SETUP = "ran, total, other = [], [3], 5\ndef post(x):\n    ran.append(x)\n    return x * 10"
STATE = "get_ipython().reflex_extension.assembly.session.repairs.latest().rerun.state"
Accept = Callable[..., Ran]


@pytest.fixture
def accept(loaded: Kernel) -> Accept:
    """Runs a cell that fails, then accepts a new text of it as a page does; several texts are accepted one by one."""
    kernel = loaded
    names = "tax", "json", "double", "loud", "first", "last", "x"  # of the tests before
    kernel.run(f"for name in {names!r}:\n    globals().pop(name, None)\n{SETUP}")

    def accepted(source: str, *texts: str) -> Ran:
        panel = kernel.run(source, "a").shown[-1]
        comm = kernel.hello()
        for text in texts:
            kernel.accept(comm, panel, sources=[text])
            ran = kernel.run(text, "a")
            panel = ran.shown[-1] if ran.shown else panel
        return ran

    return accepted


@pytest.mark.parametrize(
    ("source", "fixed", "text", "words"),
    [
        ("post(1)\nprint('one')\nprint(toatl)", "import json\npost(1)\nprint('one')\nprint(json.dumps(total))",
         "one\n[3]\n", "ran line 1 first, resumed at line 4"),
        ("post(1)\nprint('one')\nprint(toatl)", "post(1)\ntax = 2\nprint('one')\nprint(tax)",
         "one\n2\n", "ran line 2 first, resumed at line 4"),
        ("post(1)\nprint(toatl)", "def double(x):\n    return 2 * x\n\npost(1)\nprint(double(4))",
         "8\n", "ran line 1 first, resumed at line 5"),
        ("post(1)\nprint('one')\nprint(toatl)", "# why\npost(\n    1)\n\n\nprint('one')\nprint(total)",
         "one\n[3]\n", "resumed at line 7"),
        ("post(1)\nprint('one')\nprint(toatl)\nprint('end')", "post(1)\nprint('one')\nprint('end')",
         "one\nend\n", "resumed at line 3"),
        ("import asyncio\nawait asyncio.sleep(0)\npost(1)\nprint(toatl)",
         "import json\nimport asyncio\nawait asyncio.sleep(0)\npost(1)\nprint(json.dumps(total))",
         "[3]\n", "ran line 1 first, resumed at line 5"),
        ("%matplotlib inline\npost(1)\nprint(toatl)", "import json\n%matplotlib inline\npost(1)\nprint(json.dumps(1))",
         "1\n", "ran line 1 first, resumed at line 4"),
    ],
    ids=["an import", "a constant", "a function", "layout", "the line dropped", "a cell that awaits", "a magic"],
)  # fmt: skip
def test_what_has_run_does_not_run_again(
    loaded: Kernel, accept: Accept, source: str, fixed: str, text: str, words: str
) -> None:
    ran = accept(source, fixed)
    assert (ran.status, ran.text) == ("ok", text)
    assert loaded.value("ran") == [1]
    assert loaded.value(STATE) == f"{words}, state restored exactly"


def test_a_definition_that_changes_what_was_computed_is_run_with_all_that_it_changes(
    loaded: Kernel, accept: Accept
) -> None:
    ran = accept("first = post(1)\nprint(toatl)", "def post(x):\n    return x\nfirst = post(1)\nprint(total)")
    assert (ran.status, loaded.value("(first, ran)")) == ("ok", (1, []))
    assert loaded.value(STATE) == "state restored exactly"


def test_what_was_inserted_puts_out_its_output_where_it_runs(loaded: Kernel, accept: Accept, tmp_path: Any) -> None:
    (tmp_path / "loud.py").write_text("print('loud')")
    loaded.run(f"import sys\nsys.dont_write_bytecode = True\nsys.path.insert(0, {str(tmp_path)!r})")
    ran = accept("print('one')\npost(1)\nprint(toatl)", "import loud\nprint('one')\npost(1)\nprint(total)")
    assert ran.text == "one\nloud\n[3]\n"
    assert loaded.value("ran") == [1]


def test_an_error_after_it_is_shown_in_the_lines_of_the_new_text(loaded: Kernel, accept: Accept) -> None:
    ran = accept("post(1)\nprint(toatl)", "import json\n\npost(1)\nprint(otehr)")
    traceback = "\n".join(ran.contents("error")[0]["traceback"])
    assert "line 4" in traceback
    assert "otehr" in traceback


def test_a_second_failure_after_it_is_resumed_where_it_failed(loaded: Kernel, accept: Accept) -> None:
    texts = ["import json\npost(1)\npost(json.loads('2'))\npost(otehr)"]
    texts.append(texts[0].replace("otehr", "3"))
    ran = accept("post(1)\npost(toatl)", *texts)
    assert (ran.status, loaded.value("ran")) == ("ok", [1, 2, 3])
    assert loaded.value(STATE) == "resumed at line 4, state restored exactly"


def test_an_insertion_that_fails_itself_is_mended_without_repeating_anything(loaded: Kernel, accept: Accept) -> None:
    first, second = (f"import {name}\nprint('one')\npost(1)\npost(2)" for name in ("jsno", "json"))
    ran = accept("print('one')\npost(1)\npost(toatl)", first, second)
    assert (ran.status, ran.text, loaded.value("ran")) == ("ok", "one\n", [1, 2])
    assert loaded.value(STATE) == "ran line 1 first, resumed at line 4, state restored exactly"


def missing(kernel: Kernel, source: str) -> dict[str, Any]:
    """Run a cell that lacks an import, which a rule inserts; the panel when the fix was tried."""
    kernel.run(SETUP)
    return kernel.settled(kernel.run(source, "a"))


@pytest.mark.skipif(sys.platform != "linux", reason="a copy of the kernel needs Linux")
def test_the_trial_runs_what_the_accepted_cell_runs_and_the_panel_says_where(kernel: Kernel) -> None:
    panel = missing(kernel, "print('one')\npost(1)\nprint(json.dumps(ran))")
    fix = panel["fixes"][0]
    assert fix["edits"][-1]["source"].startswith("import json\n")
    assert fix["verdict"]["tone"] == "good"
    assert fix["verdict"]["text"].endswith(" · runs line 1 first, resumes at line 4")
    assert fix["preview"]["output"] == "[1]"
    assert kernel.run("%reflex accept").text == "one\n[1]\n"
    assert kernel.value("ran") == [1]


def test_undoing_it_takes_the_insertion_back_and_leaves_the_rest(kernel: Kernel) -> None:
    missing(kernel, "print('one')\npost(1)\nlast = json.dumps(ran)")
    kernel.run("%reflex accept")
    assert kernel.run("%reflex undo").text.endswith("state restored exactly.\n")
    assert kernel.value("(ran, 'json' in globals(), 'last' in globals())") == ([1], False, False)


# ------------------------------------------------------------------------------------------ the failed line dropped


@pytest.mark.parametrize(
    ("interactivity", "last", "result", "note"),
    [
        ("last_expr", "post(1)", None, True),
        ("last_expr", "print(post(1))", None, False),
        ("last_expr", "x = post(1)", None, False),
        ("last_expr", "post(1);", None, False),
        ("last_expr", "total", "[3]", False),
        ("last_expr", "total[0]", "3", False),
        ("all", "post(1)", "10", False),
        ("last_expr_or_assign", "post(1)", None, True),
        ("last_expr_or_assign", "x = post(1)", "10", False),
        ("none", "post(1)", None, False),
    ],
)
@pytest.mark.parametrize("inserted", ["", "tax = 2\n"], ids=["alone", "with an insertion"])
def test_dropping_what_failed_runs_nothing_again_and_shows_what_it_can(
    loaded: Kernel, accept: Accept, interactivity: str, last: str, result: str | None, note: bool, inserted: str
) -> None:
    loaded.run(f"get_ipython().ast_node_interactivity = {interactivity!r}", silent=True)
    ran = accept(f"post(0)\n{last}\nprint(toatl)", f"{inserted}post(0)\n{last}")
    loaded.run("get_ipython().ast_node_interactivity = 'last_expr'", silent=True)
    assert loaded.value("ran") == ([0, 1] if "post(1)" in last else [0])
    shown = [content["data"]["text/plain"] for content in ran.contents("execute_result")]
    assert shown[-1:] == ([result] if result else ["0"] if interactivity == "all" else [])
    assert loaded.value(STATE).endswith("not shown: it was not run again") is note


def test_a_run_in_which_nothing_was_left_to_run_can_be_undone(loaded: Kernel, accept: Accept) -> None:
    accept("post(1)\nprint(toatl)", "post(1)")
    extension = "get_ipython().reflex_extension"
    repair = f"{extension}.assembly.session.repairs.latest()"
    undone = loaded.run(f"print({extension}.assembly.runs.undoing({repair})())", silent=True)
    assert undone.text == "state restored exactly\n"
    assert loaded.value("ran") == [1]


# ------------------------------------------------------------------------------------------ scripts


def test_a_script_is_not_sent_a_second_time_and_that_is_said(loaded: Kernel, accept: Accept) -> None:
    loaded.run("from IPython.display import HTML, Javascript, display")
    scripts = "display(Javascript('post()'))\ndisplay(HTML('<SCRIPT>post()</SCRIPT>'))\ndisplay(HTML('<b>kept</b>'))"
    ran = accept(f"{scripts}\nprint(toatl)", f"{scripts}\nprint(otehr)", f"{scripts}\nprint(total)")
    shown = [content["data"] for content in ran.contents("display_data")][:3]
    assert [sorted(data) for data in shown] == [["text/plain"], ["text/plain"], ["text/html", "text/plain"]]
    assert all("was not run again" in data["text/plain"] for data in shown[:2])
