"""`%reflex accept` asks before something happens again, in every front end, in real kernels."""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.kernel.driver import Kernel

WAYS = "[r]esume / run [w]hole / [n]o: "


def failed(kernel: Kernel, folder: Path, last: str = "print({}, toatl)") -> str:
    """Run a cell that writes to one file, then to another one in the statement that fails; gives its repair's id."""
    kernel.run("total = [3]")
    one, two = (f"open({str(folder / name)!r}, 'a').write('x')" for name in ("one.txt", "two.txt"))
    return str(kernel.run(f"{one}\n{last.format(two)}", "a").shown[-1]["repair"])


def written(folder: Path) -> tuple[str, str]:
    return (folder / "one.txt").read_text(), (folder / "two.txt").read_text()


@pytest.mark.parametrize(
    ("answers", "expected"),
    [(["r"], ("x", "xx")), (["W"], ("xx", "xx")), (["perhaps", "resume"], ("x", "xx"))],
    ids=["resume", "whole", "what is no answer"],
)
def test_the_answer_decides(kernel: Kernel, tmp_path: Path, answers: list[str], expected: tuple[str, str]) -> None:
    failed(kernel, tmp_path)
    ran, prompts = kernel.answer("%reflex accept", *answers)
    assert ran.status == "ok"
    assert prompts == [WAYS] * len(answers)
    resume, whole = ran.text.splitlines()[:2]
    assert resume.startswith("Resume at line 2: repeats what can't be undone: wrote ")
    assert resume.endswith("two.txt")
    assert "one.txt" not in resume
    assert whole.startswith("Run the whole cell: repeats what can't be undone: wrote ")
    assert written(tmp_path) == expected


@pytest.mark.parametrize("answer", ["n", "", "NO"])
def test_a_no_changes_nothing_and_can_be_thought_over(kernel: Kernel, tmp_path: Path, answer: str) -> None:
    failed(kernel, tmp_path)
    ran, _ = kernel.answer("%reflex accept", answer)
    assert (ran.status, ran.reply["payload"]) == ("ok", [])
    assert ran.text.endswith("Not accepted: nothing has changed.\n")
    assert written(tmp_path) == ("x", "x")
    ran, _ = kernel.answer("%reflex accept", "r")
    assert ran.text.endswith("1 [3]\n")
    assert written(tmp_path) == ("x", "xx")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows interrupts a kernel by an event, not by a signal")
@pytest.mark.parametrize("last", ["print({}, toatl)", "import asyncio\nprint({}, await asyncio.sleep(0), toatl)"])
def test_ctrl_c_is_a_no(kernel: Kernel, tmp_path: Path, last: str) -> None:
    failed(kernel, tmp_path, last)
    request = kernel.send("%reflex accept", allow_stdin=True)
    kernel.client.get_stdin_msg(timeout=60)
    kernel.manager.interrupt_kernel()
    assert kernel.finish(request).text.endswith("Not accepted: nothing has changed.\n")
    assert written(tmp_path) == ("x", "x")
    assert kernel.value("total") == [3]


@pytest.mark.parametrize(("flag", "expected"), [("--resume", ("x", "xx")), ("--whole", ("xx", "xx"))])
def test_a_flag_is_an_answer_and_nothing_is_asked(
    kernel: Kernel, tmp_path: Path, flag: str, expected: tuple[str, str]
) -> None:
    repair = failed(kernel, tmp_path)
    assert kernel.run(f"%reflex accept {repair} {flag}").text == "1 [3]\n"
    assert written(tmp_path) == expected


def test_where_nobody_can_answer_nothing_happens_and_the_flags_are_named(kernel: Kernel, tmp_path: Path) -> None:
    failed(kernel, tmp_path)
    ran = kernel.run("%reflex accept")
    assert (ran.status, ran.reply["ename"]) == ("error", "CommandError")
    assert "Choose with `%reflex accept --resume` or `%reflex accept --whole`" in ran.reply["evalue"]
    assert "Run the whole cell: repeats what can't be undone: wrote " in ran.reply["evalue"]
    assert written(tmp_path) == ("x", "x")
    assert kernel.run("%reflex accept --resume").status == "ok"
    assert written(tmp_path) == ("x", "xx")


def test_what_can_only_run_whole_is_not_resumed_by_a_flag(kernel: Kernel, tmp_path: Path) -> None:
    kernel.run("total = [3]")
    kernel.run(f"print(open({str(tmp_path / 'one.txt')!r}, 'a').write('x'), toatl)")
    ran = kernel.run("%reflex accept --resume")
    assert (ran.status, ran.reply["ename"]) == ("error", "CommandError")
    assert "The cell can't be resumed." in ran.reply["evalue"]
    _, prompts = kernel.answer("%reflex accept", "w")
    assert prompts == ["run [w]hole / [n]o: "]
    assert (tmp_path / "one.txt").read_text() == "xx"


def test_what_repeats_nothing_is_not_asked_about(kernel: Kernel) -> None:
    kernel.run("total = [3]")
    kernel.run("print('one')\nprint(toatl)")
    assert kernel.answer("%reflex accept")[0].text == "one\n[3]\n"


def test_a_page_that_rewrites_cells_is_told_nothing_before_the_answer(kernel: Kernel, tmp_path: Path) -> None:
    comm = kernel.hello()
    failed(kernel, tmp_path)
    assert kernel.answer("%reflex accept", "n")[0].text.endswith("Not accepted: nothing has changed.\n")
    ran, _ = kernel.answer("%reflex accept", "w")
    told = [content["data"] for content in ran.contents("comm_msg") if content["comm_id"] == comm]
    (apply,) = [message for message in told if message["type"] == "apply"]
    assert apply["run"] == "a"
    kernel.run(apply["edits"][-1]["source"], "a")
    assert written(tmp_path) == ("xx", "xx")


def test_a_page_can_be_told_to_rewrite_the_cell_only(kernel: Kernel, tmp_path: Path) -> None:
    kernel.hello()
    failed(kernel, tmp_path)
    ran = kernel.run("%reflex accept --only-rewrite")
    (apply,) = [content["data"] for content in ran.contents("comm_msg") if content["data"].get("type") == "apply"]
    assert (ran.status, apply["run"]) == ("ok", "")
    assert written(tmp_path) == ("x", "x")


def test_without_a_page_only_rewriting_puts_the_text_into_the_next_cell(kernel: Kernel, tmp_path: Path) -> None:
    failed(kernel, tmp_path)
    (payload,) = kernel.run("%reflex accept --only-rewrite").reply["payload"]
    assert payload["text"].endswith("total)")
    assert written(tmp_path) == ("x", "x")


def test_nbclient_is_told_what_to_write(tmp_path: Path) -> None:
    target = str(tmp_path / "one.txt")
    sources = ["%load_ext reflex_ipython", "total = [3]", f"print(open({target!r}, 'a').write('x'), toatl)"]
    cells = [nbformat.v4.new_code_cell(source) for source in [*sources, "%reflex accept", "%reflex accept --whole"]]
    document = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "p"}})
    NotebookClient(document, timeout=60, allow_errors=True).execute()
    (refused,), accepted = document.cells[3].outputs, document.cells[4].outputs
    assert "Choose with `%reflex accept --whole`" in refused.evalue
    assert accepted[0].text == "1 [3]\n"
    assert (tmp_path / "one.txt").read_text() == "xx"
