"""In each of its states the panel is one that everybody can use: axe finds nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from reflex_ipython.testing import Say, ScriptedServer
from tests.browser.axe import violations
from tests.browser.conftest import OpenNotebook
from tests.browser.forgery import forged
from tests.browser.notebook import MISSPELT, START, NotebookPage, asking
from tests.browser.test_choice import COUNTED, FAILING
from tests.browser.test_looks import CELLS, DANGEROUS, PLOTS, unfold
from tests.browser.test_two_cells import PROVIDER, WRONG

KINDS = ["lab", "lab-dark", "notebook", "notebook-dark", "lab-without"]


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing_while_a_fix_is_read_edited_and_decided(open_notebook: OpenNotebook, kind: str) -> None:
    with ScriptedServer(Say([DANGEROUS])) as server:
        notebook = open_notebook([asking(server), MISSPELT], kind)
        notebook.run(0)
        panel = notebook.fail(1)
        assert violations(panel) == []
