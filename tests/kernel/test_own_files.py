"""A mistake in a module of the user's own is mended in its file, tried before that is written, and can be undone."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from tests.kernel.driver import Kernel

AREA = '''"""Shapes."""
import math

CALLS = []


def area(radius):
    CALLS.append(radius)
    return maht.pi * radius ** 2


class Ring:
    def __init__(self, outer):
        self.outer = outer

    def size(self):
        return area(self.outer)
'''
FIXED = AREA.replace("maht", "math")


@pytest.fixture
def project(tmp_path: Path, loaded: Kernel) -> Path:
    """A folder of modules that the kernel imports from; each test has names of its own in it."""
    folder = tmp_path / "project"
    folder.mkdir()
    loaded.run(f"import sys; sys.path.insert(0, {str(folder)!r}); sys.dont_write_bytecode = False")
    return folder


def write(project: Path, name: str, text: str = AREA) -> Path:
    path = project / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return path


def panel_of(kernel: Kernel, source: str, cell: str) -> dict[str, Any]:
    return kernel.settled(kernel.run(source, cell))


def accept(kernel: Kernel, panel: dict[str, Any], source: str, cell: str) -> Any:
    kernel.accept(kernel.hello(), panel)
    return kernel.run(source, cell)


def state(kernel: Kernel, repair: str) -> str:
    expression = f"get_ipython().reflex_extension.assembly.session.repairs[{repair!r}].rerun.state"
    return str(kernel.value(expression))


def test_the_file_is_mended_once_it_is_accepted_and_the_cell_resumes(loaded: Kernel, project: Path) -> None:
    path = write(project, "shapes1")
    loaded.run("import shapes1\nfrom shapes1 import area\nring = shapes1.Ring(2)\nruns = 0", "one")
    source = "runs += 1\nring.size()"
    panel = panel_of(loaded, source, "two")
    fix = panel["fixes"][0]
    assert fix["explanation"] == "`area` in shapes1.py: The name `maht` is not defined; the closest is `math`."
    assert fix["verdict"]["text"].startswith("ran in a copy of your kernel")
    edits = [(edit["file"], edit["label"].rpartition("/")[2], edit["source"]) for edit in fix["edits"]]
    assert edits == [(True, "shapes1.py", FIXED), (False, "", source)]
    assert path.read_text() == AREA, "nothing is written before it is accepted"
    ran = accept(loaded, panel, source, "two")
    assert ran.contents("execute_result")[0]["data"]["text/plain"].startswith("12.56")
    assert path.read_text() == FIXED
    assert loaded.value("(runs, shapes1.area is area, round(area(1), 2))") == (1, True, 3.14)
    assert state(loaded, panel["repair"]).endswith("`area` runs its new code")


def test_undo_gives_the_file_and_the_state_back(loaded: Kernel, project: Path) -> None:
    path = write(project, "shapes2")
    loaded.run("import shapes2\nsizes = []", "one")
    source = "sizes.append(shapes2.area(2))\nlen(sizes), shapes2.CALLS"
    panel = panel_of(loaded, source, "two")
    ran = accept(loaded, panel, source, "two")
    assert path.read_text() == FIXED
    result = ran.contents("execute_result")[0]["data"]["text/plain"]
    assert result == "(1, [2])", "what the failed call had done was undone"
    words = loaded.run(f"%reflex undo {panel['repair']}").text
    assert path.read_text() == AREA
    assert loaded.value("(sizes, shapes2.CALLS)") == ([], [])
    assert "the file shapes2.py has its old text back" in words
    assert "`area` has its old code again" in words
    assert loaded.run("shapes2.area(2)", "three").reply["ename"] == "NameError"


def test_the_history_shows_the_file_and_a_copy_of_its_old_text_is_kept(loaded: Kernel, project: Path) -> None:
    write(project, "shapes3")
    loaded.run("import shapes3", "one")
    panel = panel_of(loaded, "shapes3.area(2)", "two")
    accept(loaded, panel, "shapes3.area(2)", "two")
    shown = loaded.run(f"%reflex show {panel['repair']}").contents("display_data")[0]["data"]["text/plain"]
    assert "shapes3.py" in shown
    assert "The user accepted a fix" in shown
    folder = Path(loaded.value("str(__import__('platformdirs').user_data_path('reflex_ipython', appauthor=False))"))
    copies = [copy for copy in (folder / "backups").iterdir() if copy.name.endswith("-shapes3.py")]
    assert [copy.read_text() for copy in copies] == [AREA]
    assert stat.S_IMODE(copies[0].stat().st_mode) == 0o600


def test_a_file_that_has_changed_since_is_left_alone(loaded: Kernel, project: Path) -> None:
    path = write(project, "shapes4")
    loaded.run("import shapes4", "one")
    panel = panel_of(loaded, "shapes4.area(2)", "two")
    path.write_text(AREA + "\n# mine\n")
    told = accept_refused(loaded, panel)
    assert told == "Not applied: shapes4.py has changed since this fix was made."
    assert path.read_text() == AREA + "\n# mine\n"


def test_a_read_only_file_is_left_alone_and_the_panel_says_so_beforehand(loaded: Kernel, project: Path) -> None:
    path = write(project, "shapes5")
    path.chmod(0o444)
    loaded.run("import shapes5", "one")
    panel = panel_of(loaded, "shapes5.area(2)", "two")
    assert "can't be applied now: shapes5.py is read-only." in str(panel["fixes"][0])
    assert accept_refused(loaded, panel) == "Not applied: shapes5.py is read-only."
    assert path.read_text() == AREA


def accept_refused(kernel: Kernel, panel: dict[str, Any]) -> str:
    """The words with which an acceptance is refused."""
    comm = kernel.hello()
    repair = panel["repair"]
    fix = panel["fixes"][0]
    kernel.tell(
        comm, type="accept", session=panel["session"], request="no", client=kernel.client.session.session,
        repair=repair, shown=fix, sources=[], run=True, whole=False, read=False,
    )  # fmt: skip
    return str(kernel.until_told("declined")["reason"])


def test_a_link_stays_one_and_line_ends_encoding_and_permissions_are_kept(loaded: Kernel, project: Path) -> None:
    real = project / "real.py"
    text = "# -*- coding: latin-1 -*-\r\nname = 'Zoë'\r\ndef greet():\r\n    return nmae\r\n"
    real.write_bytes(text.encode("latin-1"))
    real.chmod(0o640)
    (project / "shapes6.py").symlink_to(real)
    loaded.run("import shapes6", "one")
    panel = panel_of(loaded, "shapes6.greet()", "two")
    accept(loaded, panel, "shapes6.greet()", "two")
    assert real.read_bytes() == text.replace("nmae", "name").encode("latin-1")
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert (project / "shapes6.py").is_symlink()
    assert sorted(os.listdir(project)) == ["__pycache__", "real.py", "shapes6.py"], "nothing else is left there"


def test_a_module_that_does_not_parse_is_mended_and_then_imported(loaded: Kernel, project: Path) -> None:
    path = write(project, "shapes7", "def area(side:\n    return side ** 2\n")
    panel = panel_of(loaded, "import shapes7\nshapes7.area(3)", "one")
    assert panel["fixes"][0]["verdict"]["text"].startswith("ran in a copy of your kernel")
    ran = accept(loaded, panel, "import shapes7\nshapes7.area(3)", "one")
    assert ran.contents("execute_result")[0]["data"]["text/plain"] == "9"
    assert path.read_text() == "def area(side):\n    return side ** 2\n"


def test_a_module_that_fails_when_it_is_imported_is_mended(loaded: Kernel, project: Path) -> None:
    path = write(project, "shapes8", "import mathh\nroot = mathh.sqrt(4)\n")
    panel = panel_of(loaded, "import shapes8\nshapes8.root", "one")
    assert panel["fixes"][0]["edits"][0]["file"]
    path_after = panel["fixes"][0]["edits"][0]["source"]
    accept(loaded, panel, "import shapes8\nshapes8.root", "one")
    assert path.read_text() == path_after


def test_a_file_that_was_edited_since_it_was_imported_is_not_offered(loaded: Kernel, project: Path) -> None:
    path = write(project, "shapes9")
    loaded.run("import shapes9", "one")
    path.write_text("# one more line\n" + AREA)
    panel = panel_of(loaded, "shapes9.area(2)", "two")
    assert not any(edit["file"] for fix in panel["fixes"] for edit in fix["edits"])


def test_a_page_that_can_not_rewrite_its_cell_leaves_the_file_as_it_was(loaded: Kernel, project: Path) -> None:
    path = write(project, "shapes10")
    loaded.run("import shapes10", "one")
    panel = panel_of(loaded, "shapes10.area(2)", "two")
    comm = loaded.hello()
    message = loaded.accept(comm, panel)
    assert path.read_text() == FIXED
    loaded.tell(comm, type="applied", request=message["request"], status="source-changed")
    loaded.until_told("state", lambda data: data["state"]["phase"] == "ready" and data["state"]["notice"])
    assert path.read_text() == AREA


def test_accepting_without_a_run_writes_the_file_and_its_functions_run_the_new_code(
    loaded: Kernel, project: Path
) -> None:
    path = write(project, "shapes11")
    loaded.run("import shapes11", "one")
    panel = panel_of(loaded, "shapes11.area(2)", "two")
    loaded.accept(loaded.hello(), panel, run=False)
    assert path.read_text() == FIXED
    assert loaded.value("round(shapes11.area(1), 2)") == 3.14
    loaded.run(f"%reflex undo {panel['repair']}")
    assert path.read_text() == AREA
    assert loaded.run("shapes11.area(2)", "three").reply["ename"] == "NameError"


def test_a_library_is_never_rewritten(loaded: Kernel, project: Path) -> None:
    library = project / "site-packages"
    library.mkdir()
    path = write(library, "shapes12")
    loaded.run(f"sys.path.insert(0, {str(library)!r})\nimport shapes12", "one")
    panel = panel_of(loaded, "shapes12.area(2)", "two")
    assert not any(edit["file"] for fix in panel["fixes"] for edit in fix["edits"])
    assert path.read_text() == AREA


def test_a_function_that_heals_has_the_panel_in_a_notebook(loaded: Kernel) -> None:
    loaded.run("import reflex_ipython\n@reflex_ipython.heal('size')\ndef size(values):\n    return lne(values)", "one")
    panel = panel_of(loaded, "size([1, 2])", "two")
    ran = accept(loaded, panel, "size([1, 2])", "two")
    assert ran.contents("execute_result")[0]["data"]["text/plain"] == "2"


def test_results_that_cells_have_computed_with_the_old_code_are_named(loaded: Kernel, project: Path) -> None:
    text = "RATES = {2: 7}\n\n\ndef rate(year):\n    return 5 if year == 1 else RATSE[year]\n\n\nclass Till:\n"
    text += "    def total(self, year):\n        return rate(year) * 2\n\n\ndef other():\n    return 1\n"
    write(project, "rates1", text)
    loaded.run("import rates1 as r\nfrom rates1 import Till as Box, other\nbox = r.Till()", "one")
    number = loaded.run("first = r.rate(1)\nplain = other()\nBox().total(1)", "two").reply["execution_count"]
    loaded.run("second = Box().total(1)\nlater = first + 1\nfirst = 0", "three")
    panel = panel_of(loaded, "r.rate(2)", "four")
    fix = next(fix for fix in panel["fixes"] if fix["edits"][0]["file"])
    stale = [finding["text"] for finding in fix["findings"] if "computed with" in finding["text"]]
    assert stale == [f"Out[{number}], `second` and `later` were computed with the old `rate`"]
