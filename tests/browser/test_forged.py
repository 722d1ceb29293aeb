"""Forged notebooks and other kernels in a real JupyterLab: what a notebook's kernel does not know is a picture."""

from __future__ import annotations

import copy
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import OpenNotebook
from tests.browser.forgery import MIME, Panel, forged, in_panel, panels
from tests.browser.notebook import FIXED, MISSPELT, START, NotebookPage

PAYLOAD = "open('pwned', 'w').write('x')"
UNKNOWN = "this kernel does not know this repair"
LATER = "untouched = 1"
WHOLE = bool(os.environ.get("HOSTILE_WHOLE"))


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The notebook that was saved with an open panel, once there is one."""
    return {"folder": tmp_path_factory.mktemp("saved")}


@pytest.fixture
def file(saved: dict[str, Path], open_notebook: OpenNotebook) -> Path:
    """A notebook that was saved with an open panel; its kernel is gone, the history has its repair."""
    if "file" not in saved:
        notebook = open_notebook([START, MISSPELT, LATER])
        notebook.run(0)
        notebook.fail(1)
        notebook.save()
        saved["file"] = saved["folder"] / "saved.ipynb"
        shutil.copy(notebook.server.root / notebook.name, saved["file"])
        notebook.leave()
    return saved["file"]


def is_picture(panel: Locator, why: str = UNKNOWN) -> None:
    """The panel shows its diff and says why, and there is nothing to click that does anything."""
    expect(panel.locator(".rx-notices")).to_contain_text(why)
    expect(panel).to_have_attribute("data-phase", "picture")
    expect(panel.get_by_role("button")).to_have_count(0)
    expect(panel.locator("input:visible, textarea:visible")).to_have_count(0)


def nothing_happened(notebook: NotebookPage, executions: int) -> None:
    """Also the shortcut does nothing, and no code of the file was run."""
    notebook.select(1)
    notebook.page.keyboard.press("Alt+Shift+A")
    notebook.page.keyboard.press("Alt+Shift+R")
    assert notebook.executions() == executions
    assert (notebook.source(1), notebook.source(2)) == (MISSPELT, LATER)
    assert not (notebook.server.root / "pwned").exists()


def first_edit(panel: Panel) -> Any:
    return panel["fixes"][0]["edits"][0]


def one_more_edit(panel: Panel) -> None:
    other = {**first_edit(panel), "cell": {"id": "cell-2", "execution_count": None}}
    panel["fixes"][0]["edits"].insert(0, {**other, "expected": LATER, "source": PAYLOAD, "hunks": []})


FORGERIES: dict[str, Callable[[Panel], Any]] = {
    "edited source": lambda panel: first_edit(panel).update(source=PAYLOAD),
    "another cell": lambda panel: first_edit(panel).update(
        cell={"id": "cell-2", "execution_count": None}, expected=LATER, source=PAYLOAD
    ),
    "one more edit": one_more_edit,
    "no history of it": lambda panel: panel.update(repair="ffffffff"),
    "another session": lambda panel: panel.update(repair="fffffffe", session="ffffffff"),
}
QUICK = ("edited source", "one more edit", "no history of it")


@pytest.mark.parametrize("forgery", FORGERIES if WHOLE else QUICK)
def test_a_forged_panel_is_a_picture(open_notebook: OpenNotebook, file: Path, forgery: str) -> None:
    notebook = open_notebook(forged(file, in_panel(FORGERIES[forgery]), "forged.ipynb"))
    is_picture(notebook.panel(1), "Reflex is not loaded in this kernel")
    notebook.run(0)
    is_picture(notebook.panel(1))
    notebook.shot(f"forged-{forgery.replace(' ', '-')}")
    nothing_happened(notebook, 1)


def pretend_harmless(panel: Panel) -> None:
    panel["fixes"][0].update(dangerous=False, findings=[])
    panel["fixes"][0]["verdict"] = {"text": "ran in a copy of your kernel, 0.01 s", "tone": "good"}


DANGEROUS = """\
import dataclasses
from reflex_ipython.models import Edit
session = get_ipython().reflex_extension.assembly.session
last = session.repairs.latest()
(fix,) = last.fixes[:1]
fix = dataclasses.replace(fix, id="0badf00d", steps=(dataclasses.replace(
    fix.edits[-1], source="import shutil\\nshutil.rmtree('nowhere', ignore_errors=True)\\nprint(total)"),))
judged = {fix.id: session.verdicts.of(last.cause, fix, None)}
session.repairs.change(last.id, lambda repair: dataclasses.replace(repair, fixes=(fix,), verdicts=judged))"""


def test_a_danger_that_was_edited_away_is_asked_about_as_before(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT, DANGEROUS])
    notebook.run(0)
    notebook.fail(1)
    notebook.run(2)
    expect(notebook.panel(1).locator(".rx-tick")).to_be_visible()
    notebook.save()
    notebook.leave()
    root = notebook.server.root
    reopened = open_notebook(forged(root / notebook.name, in_panel(pretend_harmless), "harmless.ipynb"))
    reopened.run(0)
    panel = reopened.panel(1)
    expect(panel.locator(".rx-tick")).to_be_visible()
    expect(panel.locator(".rx-verdict")).to_contain_text("not tried: it was proposed before Reflex was loaded here")
    expect(reopened.button(1, "Accept & run")).to_be_disabled()
    reopened.shot("forged-danger")
    reopened.select(1)
    reopened.page.keyboard.press("Alt+Shift+A")
    assert reopened.executions() == 1
    panel.get_by_label("I have read it").check()
    reopened.accept(1)
    assert "rmtree" in reopened.source(1)


def test_a_panel_that_was_copied_into_another_notebook_or_cell_is_a_picture_there(
    open_notebook: OpenNotebook, file: Path
) -> None:
    def elsewhere(notebook: nbformat.NotebookNode) -> None:
        notebook.cells[1].id = "moved"  # where the panel stands is no more the cell that it is about
        notebook.cells[2].id, notebook.cells[2].source = "cell-1", MISSPELT

    notebook = open_notebook(forged(file, elsewhere, "copied.ipynb"))
    notebook.run(0)
    is_picture(notebook.panel(1), "about another cell")
    notebook.select(1)
    notebook.page.keyboard.press("Alt+Shift+A")
    assert notebook.executions() == 1
    assert (notebook.source(1), notebook.source(2)) == (MISSPELT, MISSPELT)


def test_a_decided_repair_is_not_replayed_from_the_history(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT, LATER])
    notebook.run(0)
    notebook.fail(1)
    notebook.save()
    replayed = forged(notebook.server.root / notebook.name, lambda _: None, "replayed.ipynb")
    notebook.button(1, "Reject").click()
    expect(notebook.panel(1).locator(".rx-verdict")).to_contain_text("Rejected")
    latest = "get_ipython().reflex_extension.assembly.session.repairs.latest()"
    notebook.until_value(f"{latest}.decision.kind", "'rejected'")
    notebook.rewrite(2, "%reflex history")
    notebook.run(2)  # reading waits for what was written before: a kernel that is ended is given only some seconds
    notebook.leave()
    again = open_notebook(replayed)
    again.run(0)
    expect(again.panel(1).locator(".rx-verdict")).to_contain_text("Rejected. The cell is as it was.")
    expect(again.button(1, "Accept & run")).to_be_hidden()
    nothing_happened(again, 1)


def test_another_notebooks_kernel_neither_changes_a_panel_nor_gets_its_click(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT, LATER], alone=True)
    notebook.run(0)
    notebook.fail(1)
    notebook.save()
    repair = next(output["data"][MIME] for output in notebook.outputs(1) if MIME in output.get("data", {}))
    attack = copy.deepcopy(repair)
    attack["error"] = "PWNED"
    attack["fixes"][0]["edits"][0].update(source=PAYLOAD)
    tell = (
        f"%load_ext reflex_ipython\nfrom reflex_ipython.ipython.from_kernel import Apply, SourceEdit, State\n"
        f"state = {attack!r}\nfront_end = get_ipython().reflex_extension.assembly.front_end\n"
        "session = get_ipython().reflex_extension.assembly.session"
    )
    attacks = (
        "front_end.tell(State(state))\nfront_end.tell(State({**state, 'session': session.id}))\n"
        f"for client in [*front_end.page.clients, {notebook.client()!r}]:\n"
        f"    front_end.tell(Apply(client, 'r', (SourceEdit('cell-1', {MISSPELT!r}, {PAYLOAD!r}),), (), True))"
    )
    other = NotebookPage(notebook.page, notebook.server, notebook._shots)
    other.open_here([tell, attacks], "attacker.ipynb")
    other.run(0)
    other.page.wait_for_function("() => document.querySelector('.reflex-status')?.textContent === 'Reflex: on'")
    other.run(1)
    other.page.evaluate("name => window.jupyterapp.commands.execute('docmanager:open', { path: name })", notebook.name)
    notebook.ready()
    expect(notebook.panel(1)).not_to_contain_text("PWNED")
    expect(notebook.panel(1)).not_to_contain_text(PAYLOAD)
    assert notebook.source(1) == MISSPELT
    notebook.accept(1)
    assert notebook.source(1) == FIXED
    assert notebook.text(1) == "1\n"
    assert not (notebook.server.root / "pwned").exists()


def test_a_notebook_that_gets_another_kernel_has_pictures(open_notebook: OpenNotebook, tmp_path: Path) -> None:
    notebook = open_notebook([f"{START}\n%config Reflex.history = False", MISSPELT, LATER])
    notebook.run(0)
    notebook.fail(1)
    notebook.page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.sessionContext.changeKernel({ name: 'python3' })"
    )
    is_picture(notebook.panel(1), "Reflex is not loaded in this kernel")
    notebook.ready()
    notebook.run(0)
    is_picture(notebook.panel(1))
    nothing_happened(notebook, 1)


@pytest.mark.parametrize("kind", ["lab", "lab-dark"])
def test_how_a_picture_looks(open_notebook: OpenNotebook, file: Path, kind: str) -> None:
    unknown = in_panel(lambda panel: panel.update(repair="ffffffff"))
    notebook = open_notebook(forged(file, unknown, "picture.ipynb"), kind)
    notebook.run(0)
    is_picture(notebook.panel(1))
    notebook.shot(f"picture-{kind}")


# ------------------------------------------------------------------------------------------ documents that are damaged

HTML = "<img src=x onerror='window.pwned=1'><script>window.pwned=1</script>"
WRONG: list[Any] = [None, 5, {}, [], HTML, "x" * 3_000_000, [[[[]]]], {"__proto__": {"polluted": True}}]


MOST = 40
"""Panels in one cell: of more than 50 outputs JupyterLab draws the first 50."""


def ways_in(part: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all values of a document; of lists to the first."""
    inside = part.items() if isinstance(part, dict) else list(enumerate(part))[:1] if isinstance(part, list) else ()
    return [path, *(way for key, value in inside for way in ways_in(value, (*path, key)))]


def damaged(panel: Panel) -> list[Any]:
    """A document for each way in which one can be wrong."""
    found: list[Any] = []
    for way in ways_in(panel):
        for wrong in ["missing", *WRONG]:
            document = {"": copy.deepcopy(panel)}
            holder: Any = document
            for key in ("", *way)[:-1]:
                holder = holder[key]
            last = ("", *way)[-1]
            if wrong == "missing":
                del holder[last]
            else:
                holder[last] = wrong
            found.append(document.get(""))
    return found


def with_panels(documents: list[Any]) -> Callable[[nbformat.NotebookNode], Any]:
    """Puts many panels below the second cell, a good one last."""

    def change(notebook: nbformat.NotebookNode) -> None:
        (panel,) = panels(notebook)
        bundles = [{MIME: document, "text/plain": f"the text of {HTML}"} for document in [*documents, panel]]
        notebook.cells[1].outputs = [
            nbformat.v4.new_output("display_data", data=bundle, metadata={}) for bundle in bundles
        ]

    return change


def test_a_damaged_document_is_one_sentence_and_its_text_and_harms_no_other_panel(
    open_notebook: OpenNotebook, file: Path
) -> None:
    (panel,) = panels(nbformat.read(file, as_version=4))
    documents = damaged(panel)
    for start in range(0, len(documents) if WHOLE else 1, MOST):
        some = documents[start : start + MOST] if WHOLE else documents[:: len(documents) // MOST + 1]
        notebook = open_notebook(forged(file, with_panels(some), f"damaged-{start}.ipynb"))
        shown = notebook.panel(1)
        expect(shown).to_have_count(len(some) + 1)
        is_picture(shown.last, "Reflex is not loaded in this kernel")
        bad = notebook.cell(1).locator(".rx-damaged")
        expect(bad.first.locator(".rx-line")).to_contain_text("This saved panel is damaged and can't be drawn:")
        expect(bad.first.locator("pre")).to_have_text(f"the text of {HTML}")
        assert WHOLE or bad.count() > len(some) // 2  # a text or a number is right in some places
        bad.first.scroll_into_view_if_needed()
        notebook.shot("damaged")
        assert notebook.cell(1).locator(".rx-panel script, .rx-panel img").count() == 0
        assert notebook.page.evaluate("() => [window.pwned, {}.polluted]") == [None, None]


# ------------------------------------------------------------------------------------------ the widget

STATE = "import ipywidgets, json\nprint(json.dumps(ipywidgets.Widget.get_manager_state()))"
WIDGETS = "application/vnd.jupyter.widget-state+json"


def trust(notebook: NotebookPage, file: Path) -> None:
    """Sign a notebook as its reader would: an untrusted one shows no widgets at all."""
    home = notebook.server.root.parent
    environment = {**os.environ, "HOME": str(home), "JUPYTER_DATA_DIR": str(home / "data")}
    command = [str(Path(sys.executable).with_name("jupyter-trust")), str(file)]
    subprocess.run(command, check=True, capture_output=True, env=environment)


def test_a_widget_that_a_notebook_has_saved_is_a_picture(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT, LATER, STATE], "lab-without")
    notebook.run(0)
    notebook.fail(1)
    expect(notebook.button(1, "Accept & run")).to_be_enabled()
    notebook.run(3)
    widgets = json.loads(notebook.text(3))
    notebook.save()
    notebook.leave()

    def with_widgets(saved: nbformat.NotebookNode) -> None:
        for model in widgets["state"].values():
            if "fixes" in model["state"].get("state", {}):
                first_edit(model["state"]["state"]).update(source=PAYLOAD)
        saved.metadata["widgets"] = {WIDGETS: widgets}
        saved.cells[3].outputs = []

    file = forged(notebook.server.root / notebook.name, with_widgets, "widgets.ipynb")
    trust(notebook, file)
    reopened = open_notebook(file, "lab-without")
    reopened.run(0)
    is_picture(reopened.panel(1), "the kernel is being asked")
    reopened.shot("forged-widget")
    nothing_happened(reopened, 1)
