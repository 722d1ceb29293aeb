"""Going on where a cell failed, in every way that a cell can be written and run."""

from __future__ import annotations

import ast
import os
import re
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.kernel.conftest import LOAD
from tests.kernel.driver import NAPS, Kernel, Ran

SETUP = "counter, total, seen = 0, [3], []"
STATE = "get_ipython().reflex_extension.assembly.session.repairs.latest().rerun.state"
ONE_OF_THREE = re.compile(r"(resumed at line \d+, )?(state restored exactly|restored except: .+|not undone: .+)")

# The cell, what `(counter, seen)` is once it is accepted, what it then shows, the line where it goes on.
CELLS: dict[str, tuple[str, tuple[int, list[object]], str, int | None]] = {
    "%%time: its lines are one statement": (
        "%%time\ncounter += 1\nseen.append(1)\nprint('before')\nprint(toatl)",
        (1, [1]),
        "before\n[3]\n",
        None,
    ),
    "%time in a line above": (
        "print('first')\n%time counter += 1\nprint(toatl)",
        (1, []),
        "first\n[3]\n",
        3,
    ),
    "magics, shell commands and help in the middle": (
        "counter += 1\n%matplotlib inline\nhere = %pwd\n!echo hi\nlen?\nprint(toatl)",
        (1, []),
        "hi\n[3]\n",
        6,
    ),
    "semicolons on one line": (
        "counter += 1; seen.append(counter); print('p'); print(toatl); seen.append('after')",
        (1, [1, "after"]),
        "p\n[3]\n",
        1,
    ),
    "a cell that the cell runs": (
        "counter += 1\nget_ipython().run_cell('seen.append(1)\\nseen.append(2)');\nprint(toatl)",
        (1, [1, 2]),
        "[3]\n",
        3,
    ),
    "a long loop: one statement": (
        "for n in range(3000):\n    counter += 1\n    seen[:] = [n]\n    if n == 2000: print(toatl)",
        (3000, [2999]),
        "[3]\n",
        None,
    ),
    "coroutines that were awaited": (
        "import asyncio\nasync def work(n):\n    await asyncio.sleep(0)\n    seen.append(n)\n    return n\n"
        "counter += 1\nr = await asyncio.gather(work(1), work(2))\nprint(toatl, r)",
        (1, [1, 2]),
        "[3] [1, 2]\n",
        8,
    ),
    "the mistake in a coroutine": (
        "import asyncio\ncounter += 1\nasync def work(n):\n    await asyncio.sleep(0)\n    seen.append(n)\n"
        "    return toatl\nprint(await work(1))",
        (1, [1]),
        "[3]\n",
        3,
    ),
}


@pytest.mark.parametrize("number", range(len(CELLS)), ids=list(CELLS))
@pytest.mark.parametrize("cell", ["of-a-page", ""], ids=["with an id", "without"])
def test_it_goes_on_with_the_state_and_the_outputs_that_a_first_run_would_have_had(
    loaded: Kernel, number: int, cell: str
) -> None:
    source, expected, text, line = list(CELLS.values())[number]
    loaded.run(SETUP)
    loaded.run(source, cell)
    ran = loaded.run("%reflex accept")
    assert re.sub("\r|(CPU times|Wall time).*\n", "", ran.text) == text
    assert loaded.value("(counter, seen)") == expected
    assert loaded.value(STATE) == (f"resumed at line {line}, " if line else "") + "state restored exactly"


def prepared(kernel: Kernel, fixed: str) -> None:
    """Have the state put back for a source that no rule comes to. A silent request counts as no cell."""
    code = (
        "from reflex_ipython.ipython.resumption import Resumer\nfrom reflex_ipython.models import Edit, CellRef\n"
        "watch = get_ipython().reflex_extension.watch\ncell = watch.failures.last.cell\n"
        f"edit = Edit(CellRef(cell.id, cell.number), cell.source, {fixed!r})\n"
        "resumer = Resumer(get_ipython(), watch.failures, watch.leaving_out)\n"
        "get_ipython().said = resumer.prepare(edit).words\nwatch.ended(failed=False)"
    )
    kernel.run(f"exec({code!r}, {{}})", silent=True)  # what it names is nobody's


def test_the_cell_inside_a_cell_magic_is_put_back_to_its_beginning(kernel: Kernel) -> None:
    kernel.run(SETUP)
    kernel.run("%%capture out\ncounter += 1\nseen.append(1)\nprint(toatl)")
    prepared(kernel, "%%capture out\ncounter += 1\nseen.append(1)\nprint(total)")
    assert kernel.value("(get_ipython().said, counter, seen)") == ("state restored exactly", 0, [])


@pytest.mark.parametrize(
    ("first", "failing", "words"),
    [
        ("steps = (n for n in range(9))", "next(steps), toatl", "not undone: steps (generator)"),
        (
            "%config Reflex.undo_nodes = 1",
            "eval('[seen, total]'), toatl",
            "restored except: total (more than 1 objects)",
        ),
        ("pass", "seen.append(1), toatl", "state restored exactly"),
    ],
    ids=["not undone", "except", "exactly"],
)
def test_the_user_is_told_exactly_one_of_three_things(kernel: Kernel, first: str, failing: str, words: str) -> None:
    kernel.run(f"{SETUP}\n{first}")
    kernel.run(failing)
    kernel.run("%reflex accept --whole")
    said = kernel.value(STATE)
    assert ONE_OF_THREE.fullmatch(said)
    assert words in said


def test_a_statement_that_never_began_needs_nothing_put_back(kernel: Kernel) -> None:
    kernel.run(SETUP)
    kernel.run("counter += 1\nreturn 5")
    prepared(kernel, "counter += 1\n5")
    assert kernel.value("(get_ipython().said, counter)") == ("resumed at line 2, state restored exactly", 1)


# ------------------------------------------------------------------------------------------ other extensions

MODULE = "def f(x):\n    calls.append(x)\n    return x + {}\n"


@pytest.mark.parametrize("ours_first", [True, False], ids=["we load first", "autoreload loads first"])
def test_a_module_that_was_edited_meanwhile_runs_as_it_is_on_the_disk(
    plain_kernel: Kernel, tmp_path: Path, ours_first: bool
) -> None:
    kernel, path = plain_kernel, tmp_path / "edited_meanwhile.py"
    path.write_text("calls = []\n" + MODULE.format(1))
    loads = [LOAD, "%load_ext autoreload\n%autoreload 2"]
    for source in loads if ours_first else loads[::-1]:
        kernel.run(source)
    kernel.run(f"import sys\nsys.dont_write_bytecode = True\nsys.path.insert(0, {str(tmp_path)!r})\n{SETUP}")
    kernel.run("import edited_meanwhile as tools")
    kernel.run("counter += tools.f(1)\nprint(counter)\nprint(toatl, tools.f(1))")
    path.write_text("calls = []\n" + MODULE.format(100))
    os.utime(path, (2e9, 2e9))
    ran = kernel.run("%reflex accept")
    assert ran.text == "2\n[3] 101\n"
    assert kernel.value("(counter, tools.f(0))") == (2, 100)
    assert kernel.value(STATE) == "resumed at line 3, state restored exactly"


def test_a_module_that_was_loaded_anew_before_accepting_stays_new(kernel: Kernel, tmp_path: Path) -> None:
    path = tmp_path / "loaded_anew.py"
    path.write_text("calls = []\n" + MODULE.format(1))
    kernel.run("%load_ext autoreload\n%autoreload 2")
    kernel.run(f"import sys\nsys.dont_write_bytecode = True\nsys.path.insert(0, {str(tmp_path)!r})\n{SETUP}")
    kernel.run("import loaded_anew as tools")
    kernel.run("counter += 1\nprint(tools.f(1), toatl)")
    path.write_text("calls = []\n" + MODULE.format(100))
    os.utime(path, (2e9, 2e9))
    kernel.run("%reflex history")  # which autoreload takes for any other cell
    assert kernel.run("%reflex accept").text == "101 [3]\n"
    assert kernel.value("(counter, tools.f(0))") == (1, 100)
    assert kernel.value(STATE) == "resumed at line 2, restored except: tools (changed since the cell ended)"


def test_transformers_of_others_see_the_whole_cell_and_what_they_make_of_it_is_resumed(kernel: Kernel) -> None:
    kernel.run(
        "import ast\nclass Doubles(ast.NodeTransformer):\n    def visit_Constant(self, node):\n"
        "        return ast.Constant(node.value * 2) if node.value == 21 else node\n"
        "get_ipython().ast_transformers.append(Doubles())"
    )
    kernel.run(SETUP)
    kernel.run("counter += 21\nprint(toatl, 21)")
    assert kernel.run("%reflex accept").text == "[3] 42\n"
    assert kernel.value("counter") == 42
    assert kernel.value(STATE) == "resumed at line 2, state restored exactly"


# ------------------------------------------------------------------------------------------ runs that end otherwise


def interrupted(kernel: Kernel, source: str, until: str) -> Ran:
    """Run a cell and interrupt the statement that prints that."""
    request = kernel.send(source)
    while until not in str(kernel.client.get_iopub_msg(timeout=60)["content"].get("text")):
        pass
    kernel.manager.interrupt_kernel()
    return kernel.finish(request)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows interrupts a kernel by an event, not by a signal")
def test_a_rerun_that_is_interrupted_leaves_what_it_did_and_the_kernel_goes_on(kernel: Kernel) -> None:
    kernel.run(SETUP)
    kernel.run(f"import time\ncounter += 1\n[print(toatl, flush=True), {NAPS}]\nseen.append(1)")
    ran = interrupted(kernel, "%reflex accept", "[3]")
    assert (ran.status, ran.reply["ename"]) == ("error", "KeyboardInterrupt")
    assert kernel.value("(counter, seen)") == (1, [])
    assert kernel.value(STATE) == "resumed at line 3, state restored exactly"
    assert kernel.run("counter += 1\nprint(total)").text == "[3]\n"


def test_what_fails_in_a_notebook_that_the_cell_runs_is_not_resumed(kernel: Kernel, tmp_path: Path) -> None:
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("print(toatl)")]), tmp_path / "part.ipynb")
    kernel.run(SETUP)
    assert kernel.run(f"counter += 1\n%run {tmp_path}/part.ipynb").shown
    assert kernel.run("%reflex accept").reply["ename"] == "CommandError"
    assert kernel.value("counter") == 1


def test_a_script_that_the_cell_runs_is_mended_in_its_file_and_run_again(kernel: Kernel, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("inner = [1]\nprint(toatl)\n")
    kernel.run(SETUP)
    kernel.settled(kernel.run(f"counter += 1\n%run -i {script}"))
    ran = kernel.run("%reflex accept")
    assert (ran.status, ran.text.strip()) == ("ok", "[3]")
    assert script.read_text() == "inner = [1]\nprint(total)\n"
    assert kernel.value("counter") == 1, "what ran before it did not run twice"
    assert kernel.value(STATE) == "resumed at line 2, state restored exactly"


def test_a_long_cell_of_which_more_is_found_out_after_its_reply_is_resumed(kernel: Kernel) -> None:
    comm = kernel.hello()
    kernel.run(SETUP)
    ran = kernel.run("counter += 1\n" * 500 + "print(toatl)", "a")
    fixed = "counter += 1\n" * 500 + "print(total)"
    kernel.accept(comm, kernel.settled(ran), sources=[fixed])
    assert kernel.run(fixed, "a").text == "[3]\n"
    assert kernel.value("counter") == 500
    assert kernel.value(STATE) == "resumed at line 501, state restored exactly"


def test_the_fix_of_a_cell_of_many_statements_is_there_with_its_end(kernel: Kernel) -> None:
    """It is judged with what they did, which the thread alone can find out that waits for it meanwhile."""
    kernel.run(SETUP)
    ran = kernel.run("counter += 1\n" * 150 + "print(toatl)")
    assert ran.shown[-1]["fixes"][0]["edits"][0]["source"].endswith("print(total)")


@pytest.mark.parametrize("above", ["counter += 1\n" * 200, f"text = '{'x' * 6_000}'\n"], ids=["lines", "letters"])
def test_the_rules_read_a_long_cell_once_its_reply_is_out(above: str, kernel: Kernel) -> None:
    kernel.hello()
    kernel.run(SETUP)
    ran = kernel.run(f"{above}print(toatl)")
    assert (ran.shown[-1]["fixes"], ran.shown[-1]["working"]) == ([], "looking for a fix")
    assert kernel.settled(ran)["fixes"][0]["edits"][0]["source"].endswith("print(total)")


def test_a_fix_that_the_rules_still_look_for_is_waited_for(kernel: Kernel, tmp_path: Path) -> None:
    go_on = tmp_path / "go on"
    kernel.run(SETUP)
    kernel.run(
        "import os, time\n"
        "plugins = get_ipython().reflex_extension.assembly.session.plugins\n"
        "for rules in plugins.providers:\n"
        "    def propose(failure, request, known=rules.propose):\n"
        f"        while not os.path.exists({str(go_on)!r}): time.sleep(0.01)\n"
        "        yield from known(failure, request)\n"
        "    rules.propose = propose"
    )
    assert kernel.run("counter += 1\nprint(toatl)").shown[-1]["fixes"] == []
    accepted = kernel.send("%reflex accept")
    kernel.until_begun(accepted)
    go_on.touch()
    assert kernel.finish(accepted).text == "[3]\n"
    assert kernel.value("counter") == 1


def test_the_choice_of_a_fix_in_the_very_next_cell_waits_until_all_were_tried(kernel: Kernel) -> None:
    """The copy of the kernel that they are tried in is made once a reply is out: nobody may wait for it in vain."""
    kernel.run("users = [{'name': 'Ada', 'age': 36}, {'name': 'Alan'}]")
    for cell, printed in (
        ("total = sum(user['age'] for user in users)\nprint(total)", "36\n"),
        (
            "total = 0\nfor user in users:\n    total += user['age']\nprint(total)",
            "36\n",
        ),
    ):
        assert kernel.run(cell).status == "error"
        accepted = kernel.run("%reflex accept 1")
        assert (accepted.status, accepted.text) == ("ok", printed)


# ------------------------------------------------------------------------------------------ other front ends


def test_nbclient_accepts_in_the_next_cell() -> None:
    sources = [
        LOAD,
        SETUP,
        "counter += 1\nprint('one')\nprint(toatl)",
        "%reflex accept",
        "counter",
    ]
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    document = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "p"}})
    NotebookClient(document, timeout=60, allow_errors=True).execute()
    accepted, counter = document.cells[3].outputs, document.cells[4].outputs
    assert "".join(output.text for output in accepted if output.output_type == "stream") == "one\n[3]\n"
    assert "Resumed at line 3 · state restored" in accepted[-1].data["text/plain"]
    assert ast.literal_eval(counter[0].data["text/plain"]) == 1
