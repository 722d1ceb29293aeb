"""A package that is not installed: named in the panel, and installed by a click and nothing else."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenNotebook

# `%pip` is the user's: here it says what it was given, and makes the module by itself. No network, no package.
START = """\
%load_ext reflex_ipython
import sys, types
from IPython.core.magic import register_line_magic
asked = []

@register_line_magic
def pip(line):
    asked.append(line)
    print(f"pip was given: {line}")
    if WORKS:
        sys.modules["haversine"] = types.ModuleType("haversine")
    get_ipython().user_ns["_exit_code"] = 0 if WORKS else 1
counter = 0
WORKS = """
CELL = "counter += 1\nimport haversine\nprint('done', counter)"


@pytest.mark.parametrize("kind", ["lab", "lab-dark", "lab-without"])
def test_a_package_is_installed_at_a_click_and_the_cell_goes_on(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = open_notebook([f"{START}True", CELL], kind)
    notebook.run(0)
    panel = notebook.fail(1)
    expect(panel).to_contain_text("haversine is a package that is not installed here.")
    expect(panel.locator(".rx-verdict")).to_contain_text("not tried: installing can't be tried on a copy")
    install = notebook.button(1, "Install haversine & run")
    expect(install).to_be_enabled()
    expect(notebook.button(1, "Other ways to accept")).to_be_hidden()
    expect(notebook.button(1, "Copy fixed source")).to_be_hidden()  # there is none: the text stays as it is
    assert notebook.value("asked") == "[]", "nothing is installed without a click"
    notebook.shot(f"install-{kind}")
    notebook.forget_run(1)
    install.click()
    notebook.until_printed(1, "done 1")
    assert notebook.value("asked") == "['install \"haversine\"']"
    assert notebook.text(1).index("pip was given") < notebook.text(1).index("done 1")
    assert notebook.source(1) == CELL, "no line is written into the cell"


@pytest.mark.parametrize("kind", ["lab", "lab-without"])
def test_where_pip_fails_the_cell_says_so_in_plain_words(open_notebook: OpenNotebook, kind: str) -> None:
    notebook = open_notebook([f"{START}False", CELL], kind)
    notebook.run(0)
    notebook.fail(1)
    notebook.forget_run(1)
    notebook.button(1, "Install haversine & run").click()
    notebook.until_printed(1, "pip was given")
    expect(notebook.cell(1)).to_contain_text("haversine could not be installed: what pip said is above.")
    if kind == "lab-without":
        expect(notebook.panel(1)).to_contain_text("Accepted; what it needs could not be installed")
        expect(notebook.button(1, "Copy fixed source")).to_be_hidden()
    notebook.shot(f"install-failed-{kind}")
    assert notebook.value("counter") == "1"
