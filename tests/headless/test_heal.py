"""One notebook, in real kernels."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from reflex_ipython.cli import main
from reflex_ipython.errors import BadInput
from reflex_ipython.headless.heal import heal_notebook
from reflex_ipython.headless.notebook_file import text
from reflex_ipython.present.panel import MIME
from tests.headless.notebooks import MENDABLE, MENDED, notebook, shown, sources, written
from tests.kernel.zygote import all_copied

WRITES = "open('runs', 'a').write('x')\ncount = len(totl)"
EARLIER = "def area(w, h):\n    return w * heigth"
SLIDER = "import ipywidgets\nslider = ipywidgets.IntSlider()\nslider.value = 4\nslider"
SORTS = "names = ['b', 'a']\nnames = names.sort()"


@pytest.fixture(autouse=True, scope="module")
def copied_kernels(common_environment: None) -> Iterator[None]:
    """How a kernel of its own starts and ends is for `test_faults.py` and `test_runners.py`."""
    with all_copied():
        yield


def test_a_notebook_is_healed_in_place_and_verified_and_its_old_text_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "a.ipynb", *MENDABLE)
    before = path.read_bytes()
    assert main(["heal", str(path), "--in-place", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["status"], told["verification"]) == ("healed", {"error": "", "differences": []})
    assert told["words"] == "1 cell healed. Verified: a run from the top shows the same."
    healed = nbformat.read(path, as_version=4)
    assert sources(healed) == [MENDABLE[0], MENDED, MENDABLE[2]]
    assert [shown(cell) for cell in healed.cells] == ["", "once\nof 3\n", "4"]
    (repair,) = healed.cells[1].metadata.reflex_ipython.repairs
    assert (repair["before"], repair["repair"]) == (MENDABLE[1], told["repairs"][0]["id"])
    assert (tmp_path / "a.ipynb.bak").read_bytes() == before
    assert MIME not in text(healed)
    assert main(["diff", str(path)]) == 0
    said = capsys.readouterr().out
    assert "- count = len(totl)" in said
    assert "+ count = len(total)" in said
    assert repair["repair"] in said


def test_what_has_run_does_not_run_twice_and_a_fresh_run_may_say_that_it_fails(tmp_path: Path) -> None:
    given = notebook("total = [1]", WRITES, "open('once', 'x').close()", "print(open('runs').read())")
    healed = heal_notebook(given, folder=str(tmp_path))
    assert (tmp_path / "runs").read_text() == "xx"  # once when it was healed, once from the top
    assert shown(healed.notebook.cells[3]) == "x\n"
    assert (healed.status, healed.exit_code) == ("unverified", 3)
    assert "A run from the top fails: cell 3 raises FileExistsError" in healed.words
    assert sources(given)[1] == WRITES  # what was given stays as it is


def test_a_cell_that_can_not_be_healed_ends_it_as_nbclient_would(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "a.ipynb", "a = 1", "a / 0", "print('never')")
    before, out = path.read_bytes(), tmp_path / "new" / "b.ipynb"
    assert main(["heal", str(path), "-o", str(out)]) == 1
    assert path.read_bytes() == before
    kept = nbformat.read(out, as_version=4)
    error, panel = kept.cells[1].outputs
    assert error.ename == "ZeroDivisionError"
    assert panel.data[MIME]["notice"]["text"].startswith("The number that is divided by is 0 here.")
    assert kept.cells[2].outputs == []
    said = capsys.readouterr().err
    assert "Cell 2 raises ZeroDivisionError: division by zero." in said
    assert "----> 1 a / 0" in said


def test_what_a_kernel_says_of_a_repair_is_kept_however_long_its_panel_takes_it() -> None:
    slow = """
import time
from reflex_ipython.ipython.notebook import NotebookPresenter
def slowly(self, *given, _made=NotebookPresenter._bundle):
    time.sleep(0.3)
    return _made(self, *given)
NotebookPresenter._bundle = slowly"""
    (panel,) = heal_notebook(notebook(slow, "a = 1", "a / 0")).notebook.cells[2].outputs[1:]
    assert panel.data[MIME]["notice"]["text"].startswith("The number that is divided by is 0 here.")


def test_a_fix_is_only_listed_where_none_is_to_be_accepted() -> None:
    healed = heal_notebook(notebook(*MENDABLE), accept="never")
    assert (healed.status, sources(healed.notebook)) == ("failed", list(MENDABLE))
    (repair,) = healed.repairs
    assert (repair.accepted, repair.origin) == (False, "rule: near name")
    (fix,) = healed.notebook.cells[1].outputs[-1].data[MIME]["fixes"]
    assert fix["edits"][0]["source"] == MENDED


def test_earlier_cells_are_rewritten_and_run_again_where_the_mistake_is_there() -> None:
    given = notebook(SORTS, EARLIER, "height = 3", "print(names[0])", "print(area(2, 3))")
    healed = heal_notebook(given)
    assert healed.status == "healed", healed
    assert "height" in healed.notebook.cells[1].source
    assert "names = names.sort()" not in healed.notebook.cells[0].source
    assert [shown(cell) for cell in healed.notebook.cells] == ["", "", "", "a\n", "6\n"]
    assert {change.number for repair in healed.repairs for change in repair.changes} == {1, 2}


def test_a_cell_further_down_is_not_run_first() -> None:
    healed = heal_notebook(notebook("total = twice(2)", "def twice(n):\n    return 2 * n"), accept="always")
    assert healed.status == "failed"
    assert "in the wrong order" in healed.left


def test_a_tagged_cell_may_fail_parameters_are_put_in_and_widgets_are_kept() -> None:
    given = notebook("alpha = 1", "1 / 0", SLIDER, "alpha")
    given.cells[0].metadata["tags"] = ["parameters"]
    given.cells[1].metadata["tags"] = ["raises-exception"]
    healed = heal_notebook(given, parameters={"alpha": 7})
    assert (healed.status, healed.repairs) == ("clean", ())
    assert shown(healed.notebook.cells[-1]) == "7"
    (widgets,) = healed.notebook.metadata.widgets.values()
    assert [one["state"]["value"] for one in widgets["state"].values() if "value" in one["state"]] == [4]


def test_an_option_that_is_none_is_refused() -> None:
    with pytest.raises(BadInput, match="There is no option 'acept'"):
        heal_notebook(notebook("1"), acept="always")
    with pytest.raises(BadInput, match="it can be proven, always, never"):
        heal_notebook(notebook("1"), accept="maybe")
