"""A fix with a step that Reflex can't do: what it would do is shown, why not is said, and nothing can be clicked."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook

START = "%load_ext reflex_ipython\ntotal = 1"
PROVIDER = """\
from reflex_ipython.models import Edit, Fix, Install, new_id

class Installs:
    name, where, cost, label = "installs", "instant", "", ""

    def propose(self, cause, request):
        here = cause.situation
        steps = (Install("pyarrow --pre"), Edit(here.place, here.source, "print(total)"))
        yield Fix(new_id(), steps, "`pyarrow` is not installed.", self.name)

plugins = get_ipython().reflex_extension.assembly.session.plugins
plugins.loaded = ([Installs()], [])"""


def test_a_step_that_can_not_be_done_is_said_and_can_not_be_accepted(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook([f"{START}\n{PROVIDER}", "print(toatl)"])
    notebook.run(0)
    notebook.fail(1)
    panel = notebook.panel(1)
    expect(panel.locator(".rx-verdict")).to_contain_text(
        "'pyarrow --pre' is more than that. If you trust it, install it yourself"
    )
    expect(panel).to_contain_text("It would install pyarrow --pre.")
    expect(notebook.button(1, "Accept & run")).to_be_disabled()
    expect(notebook.button(1, "Other ways to accept")).to_be_hidden()
    expect(panel.get_by_role("button", name="Copy")).to_be_visible()
    notebook.shot("refused-step")
    notebook.button(1, "Reject").click()
    expect(panel).to_contain_text("Rejected. The cell is as it was.")
    assert notebook.source(1) == "print(toatl)"
