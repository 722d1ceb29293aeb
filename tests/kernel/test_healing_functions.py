"""A function that heals, in a notebook: what is accepted on the panel is kept by its id."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.kernel.driver import Kernel

SETUP = "from reflex_ipython import heal\nkept = {}\nstore = (kept.get, kept.__setitem__)"
CELL = "@heal('size', store=store)\ndef size(values):\n    return lne(values)\nalias = size"
FIXED = CELL.replace("lne", "len")


def accepted(kernel: Kernel, source: str, cell: str) -> tuple[dict[str, Any], Any]:
    panel = kernel.settled(kernel.run(source, cell))
    kernel.accept(kernel.hello(), panel)
    return panel, kernel.run(source, cell)


def test_what_is_accepted_is_swapped_in_kept_and_repeated_once(loaded: Kernel) -> None:
    loaded.run(f"{SETUP}\ncalls = []", "setup")
    loaded.run(CELL, "size")
    panel, ran = accepted(loaded, "calls.append(1)\nsize([1, 2])", "call")
    assert panel["fixes"][0]["edits"][0]["source"] == FIXED
    assert ran.contents("execute_result")[0]["data"]["text/plain"] == "2"
    assert loaded.value("(calls, alias([1]))") == ([1], 1)
    assert loaded.value("kept['size'].partition(chr(10))[2]") == "def size(values):\n    return len(values)\n"
    repair = f"get_ipython().reflex_extension.assembly.session.repairs[{panel['repair']!r}]"
    assert "the new `size` is kept by its id 'size'" in loaded.value(f"{repair}.rerun.state")
    loaded.run(CELL, "size")  # as at the next start, where the old text was kept
    assert loaded.value("size([1, 2, 3])") == 3
    loaded.run(FIXED, "size")  # or where it was saved
    assert loaded.value("(size([1]), list(kept))") == (1, ["size"])


def test_undo_keeps_the_old_text_again(kernel: Kernel) -> None:
    kernel.run(SETUP, "setup")
    kernel.run(CELL, "size")
    kernel.settled(kernel.run("size([1, 2])", "call"))
    ran = kernel.run("%reflex accept", "accept")
    assert ran.status == "ok", ran.reply
    assert "len" in kernel.value("kept['size']")
    assert "`size` has its old code again" in kernel.run("%reflex undo", "undo").text
    assert "lne" in kernel.value("kept['size']")
    assert kernel.run("size([1])", "again").reply["ename"] == "NameError"


def test_a_function_of_a_file_is_kept_as_well(loaded: Kernel, tmp_path: Path) -> None:
    (tmp_path / "sizes.py").write_text(f"{SETUP}\n\n\n{CELL}\n")
    loaded.run(f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nimport sizes", "import")
    _, ran = accepted(loaded, "sizes.size([1, 2])", "call")
    assert ran.contents("execute_result")[0]["data"]["text/plain"] == "2"
    assert "return len(values)" in loaded.value("sizes.kept['size']")


def test_of_a_text_that_stands_in_no_cell_and_no_file_the_cell_itself_asks(loaded: Kernel) -> None:
    loaded.run(
        f"{SETUP}\nfrom reflex_ipython import run\nsource = 'def size(values):\\n    return lne(values)\\n'", "setup"
    )
    call = "run('size', 'count them', source, [1, 2], store=store)"
    assert loaded.run(call, "nobody is there").reply["ename"] == "NameError"
    ran, prompts = loaded.answer(call, "n", cell="no")
    assert (ran.reply["ename"], len(prompts), loaded.value("list(kept)")) == ("NameError", 1, [])
    ran, prompts = loaded.answer(call, "y", cell="yes")
    assert ran.contents("execute_result")[0]["data"]["text/plain"] == "2"
    assert all(shown in ran.text for shown in ("lne", "len"))
    assert "[y/N]" in prompts[0]
    assert "return len(values)" in loaded.value("kept['size']")
    assert loaded.run(call, "from now on").contents("execute_result")[0]["data"]["text/plain"] == "2"
