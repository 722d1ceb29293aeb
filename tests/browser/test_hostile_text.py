"""Text that wants to be HTML: in errors, names and a model's words. It is shown, and nothing of it runs."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from reflex_ipython.testing import Say, ScriptedServer
from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import MISSPELT, START, NotebookPage, asking

ATTACK = "</div></script><script>window.pwned=1</script><img src=x onerror='window.pwned=1'>"
WORDS = "<script>window.pwned=1</script>"
FAILING = f"boom = {{{ATTACK!r}: 1}}\nraise RuntimeError({ATTACK!r})"
REPLY = f"Because {ATTACK} `{ATTACK}`.\n```python\nshown = {ATTACK!r}\n```\n"


CONTROL = """from IPython.display import HTML\nHTML("<img src='data:,' onerror='window.control = 1'>")"""
"""What does run, in a cell that is trusted: by the time it has, the rest would have."""


def unharmed(notebook: NotebookPage, control: int) -> bool:
    """Whether nothing of the attack has run, in a notebook where such things can run."""
    notebook.page.evaluate(
        "() => { for (const cell of window.jupyterapp.shell.currentWidget.content.widgets) cell.model.trusted = true; }"
    )
    notebook.cell(control).scroll_into_view_if_needed()
    notebook.page.wait_for_function("() => window.control === 1")
    return notebook.page.evaluate("() => { delete window.control; return window.pwned === undefined; }")


@pytest.mark.parametrize("kind", ["lab", "lab-without"])
def test_nothing_in_errors_names_and_a_models_words_runs(open_notebook: OpenNotebook, kind: str) -> None:
    with ScriptedServer(Say([REPLY[:30], REPLY[30:]])) as server:
        notebook = open_notebook([asking(server), FAILING, "%reflex history", CONTROL], kind)
        notebook.run(0)
        panel = notebook.fail(1)
        expect(panel.locator(".rx-explanation")).to_contain_text(WORDS)
        notebook.shot(f"hostile-{kind}")
        notebook.run(2)
        expect(notebook.cell(2).locator("table")).to_contain_text(WORDS)
        notebook.run(3)
        assert unharmed(notebook, 3)
    assert panel.locator("script, img").count() == 0


def test_nothing_runs_in_a_saved_notebook_opened_without_our_labextension(open_notebook: OpenNotebook) -> None:
    with ScriptedServer(Say([REPLY])) as server:
        notebook = open_notebook([asking(server), FAILING, CONTROL])
        notebook.run(0)
        panel = notebook.fail(1)
        expect(panel.locator(".rx-explanation")).to_contain_text(WORDS)
        expect(panel.locator(".rx-progress")).to_be_hidden()
        notebook.run(2)
        notebook.save()
    reopened = open_notebook(notebook.server.root / notebook.name, "lab-without")
    assert unharmed(reopened, 2)
    static = reopened.cell(1).locator(".jp-RenderedHTMLCommon").last
    expect(static).to_contain_text(WORDS)
    static.scroll_into_view_if_needed()
    reopened.shot("hostile-static")
    assert static.locator("script, img").count() == 0


PUBLISH = f"""\
import dataclasses, json
from IPython.display import display
from reflex_ipython.ipython.from_kernel import State
from reflex_ipython.present.panel import MIME, panel_state
assembly = get_ipython().reflex_extension.assembly
state = json.loads(json.dumps(dataclasses.asdict(panel_state(assembly.session.repairs.latest()))))
attack = {ATTACK!r}
state["repair"] = "hostile0"
state["fixes"][0]["preview"] = dict(summary=attack, output=attack, image="A' onerror='pwned=1", changes=[attack])
state["fixes"][0]["run_options"] = [dict(whole=True, label=attack, repeats=attack)]
assembly.front_end.tell(State(state))
display({{MIME: state}}, raw=True)"""


def test_nothing_runs_in_what_a_trial_put_out_and_its_image_is_an_image_or_nothing(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([START, MISSPELT, PUBLISH, CONTROL])
    notebook.run(0)
    notebook.fail(1)
    notebook.run(2)
    panel = notebook.panel(2)
    panel.locator(".rx-preview > summary").click()
    for part in (".rx-preview > summary", ".rx-printed", ".rx-effects", ".rx-run-option", ".rx-repeats"):
        expect(panel.locator(part)).to_contain_text(WORDS)
    notebook.shot("hostile-preview")
    notebook.run(3)
    assert unharmed(notebook, 3)
    assert panel.locator("script, img").count() == 0
