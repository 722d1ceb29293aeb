"""The notebooks, run from top to bottom in a real kernel; what fails is repaired by its first fix."""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
import pytest

from tests.kernel.driver import Kernel

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
REPAIRED = {
    "01_first_repair": 5,
    "02_state_kept": 4,
    "03_words_to_code": 0,
    "04_missing_keys": 3,
    "05_calculator": 1,
    "06_service": 0,
    "07_traces": 1,
}


def code_of(name: str) -> list[str]:
    """The code cells of a notebook."""
    (path,) = (path for path in NOTEBOOKS if path.stem == name)
    return [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_mistake_of_the_notebook_is_repaired_without_a_model(bare_kernel: Kernel, path: Path) -> None:
    repaired = 0
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        ran = bare_kernel.run(cell.source, cell.id)
        if ran.status == "error":
            bare_kernel.settled(ran)  # a choice has to be there before one of it is accepted
            again = bare_kernel.run("%reflex accept 1")
            assert again.status == "ok", again.reply
            repaired += 1
    assert repaired == REPAIRED[path.stem]


def test_a_missing_key_is_a_question_and_each_answer_is_shown_with_what_it_gives(bare_kernel: Kernel) -> None:
    cells = code_of("04_missing_keys")
    for source in cells[:2]:
        bare_kernel.run(source)
    for source, number, expression, expected in (
        (cells[2], 2, "addresses", ["ada@example.org", "alan@example.org"]),
        (cells[3], 1, "total", 81),
    ):
        panel = bare_kernel.settled(bare_kernel.run(source))
        assert panel["question"]
        assert len(panel["fixes"]) == number
        assert all("shows a result" in fix["verdict"]["text"] for fix in panel["fixes"])
        assert bare_kernel.run(f"%reflex accept {number}").status == "ok"
        assert bare_kernel.value(expression) == expected


@pytest.mark.skipif(sys.platform != "linux", reason="a call is tried in a fork, which is of Linux alone")
def test_a_click_on_the_calculator_mends_what_has_one_meaning_and_says_why_it_mends_nothing_else(
    bare_kernel: Kernel,
) -> None:
    for source in code_of("05_calculator"):
        bare_kernel.run(source)
    bare_kernel.run("button.click()")
    assert bare_kernel.value("answer.value") == "<b>3.75</b>"
    assert "return float(a) / float(b)" in bare_kernel.value("code.value")
    for text, error, why in (
        ("0", "ZeroDivisionError: float division by zero", "several things may be meant"),
        ("abc", "ValueError: could not convert string to float: &#x27;abc&#x27;", "no fix was found"),
    ):
        bare_kernel.run(f"b.value = {text!r}; button.click()")
        said = f"{error}<br>reflex: `divide` was not mended: {why}."
        assert bare_kernel.value("answer.value") == said
    bare_kernel.run("b.value = '4'; button.click()")
    assert bare_kernel.value("answer.value") == "<b>1.875</b>"


@pytest.mark.skipif(sys.platform != "linux", reason="a call is tried in a fork, which is of Linux alone")
def test_the_service_is_mended_once_and_answers_every_client_but_those_that_name_no_quantity(
    bare_kernel: Kernel,
) -> None:
    for source in code_of("06_service"):
        bare_kernel.run(source.replace("text_percent=25", "text_percent=100"))
    assert bare_kernel.value("[status for status, _ in answers]") == [200] * 40
    assert bare_kernel.value("dict(counts)") == {"requests": 41, "mended": 1, "healed": 40, "errors": 1}
    bare_kernel.run("text.value = missing.value = 0; button.click(); await running[0]; stop()")
    assert bare_kernel.value("(counts['requests'], len(history), button.disabled)") == (81, 80, False)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook_is_kept_without_outputs(path: Path) -> None:
    assert not any(cell.get("outputs") for cell in nbformat.read(path, as_version=4).cells)


@pytest.mark.skipif(sys.platform != "linux", reason="a copy of the kernel needs Linux")
def test_recorded_calls_stand_up_for_the_fix_which_gets_a_test_and_the_calls_of_a_cell_are_a_tree(
    bare_kernel: Kernel,
) -> None:
    cells = code_of("07_traces")
    for source in cells[:2]:
        bare_kernel.run(source)
    panel = bare_kernel.settled(bare_kernel.run(cells[2]))
    assert "10 of 10 recorded calls give the same, and the failing one passes" in panel["fixes"][0]["verdict"]["text"]
    bare_kernel.run("%reflex accept 1")
    assert "def test_" in "".join(map(str, bare_kernel.run(cells[3]).contents("stream", "display_data")))
    assert "1 passed" in "".join(map(str, bare_kernel.run(cells[4]).contents("stream")))
    bare_kernel.run(cells[5])
    (tree,) = bare_kernel.run(cells[6]).contents("display_data")
    assert "<strong>9 calls of 3 functions" in tree["data"]["text/html"]
