"""A provider of another package in a real kernel: the panel offers to ask it, though no model was chosen."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from reflex_ipython.present.kept import BOUNDS, kept_state, slim
from reflex_ipython.present.panel import panel_state
from reflex_ipython.protocols import StoreContext
from reflex_ipython.remember.store import SqliteStore
from reflex_ipython.settings import Settings
from reflex_ipython.testing import full_repair
from tests.ipython.test_providers import COLLEAGUE
from tests.kernel.conftest import LOAD
from tests.kernel.driver import Kernel
from tests.test_plugins import install

PLUGINS = "get_ipython().reflex_extension.assembly.session.plugins"


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, new_kernel: Callable[..., Kernel]) -> Kernel:
    """A kernel with the extension, beside a package with a provider, which is asked at a click only."""
    install(tmp_path, monkeypatch, COLLEAGUE)
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    started = new_kernel(PYTHONPATH=path)
    assert started.run(f"{LOAD}\n%config Reflex.ask_model = 'on request'", "load").status == "ok"
    return started


def test_the_panel_offers_to_ask_it_and_asking_asks_it(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = kernel.settled(kernel.run("answer = nothing_like_it()", "a"))
    assert (panel["model"], panel["chooses_model"]) == ("a colleague", False)
    assert panel["model_terms"] == "It runs on this machine and costs nothing."
    assert panel["fixes"] == []
    kernel.tell(comm, type="ask", session=panel["session"], repair=panel["repair"], hint="the usual")
    asked = kernel.until_told("state", lambda data: data["state"]["fixes"])["state"]
    assert [(fix["origin"], fix["edits"][-1]["source"]) for fix in asked["fixes"]] == [("colleague", "answer = 42")]
    questions = kernel.value(f"{PLUGINS}.providers[-1].asked")
    assert set(questions) == {"the usual"}, "more than one by now: a number instead of a computation is doubted"


def test_a_page_that_shows_what_is_not_the_saved_repair_loads_no_plugin(kernel: Kernel, tmp_path: Path) -> None:
    history = str(tmp_path / "history.sqlite")
    SqliteStore(StoreContext(lambda: Settings(history_file=history))).save(full_repair("1a2b3c4d"))
    kernel.run(f"%config Reflex.history_file = {history!r}")
    comm = kernel.hello()
    kernel.tell(comm, type="recall", request="1", repair="1a2b3c4d", shown={})
    kernel.until_told("unknown")
    assert kernel.value(f"('other_plugin' in __import__('sys').modules, {PLUGINS}.are_loaded)") == (False, False)


def test_a_panel_of_an_earlier_session_offers_to_ask_it(kernel: Kernel, tmp_path: Path) -> None:
    history, repair = str(tmp_path / "history.sqlite"), full_repair("1a2b3c4d", decided=None)
    SqliteStore(StoreContext(lambda: Settings(history_file=history))).save(repair)
    kernel.run(f"%config Reflex.history_file = {history!r}")
    comm, shown = kernel.hello(), slim(kept_state(panel_state(repair), BOUNDS[0]))
    kernel.tell(comm, type="recall", request="1", repair=repair.id, shown=shown)
    assert kernel.until_told("state")["state"]["model"] == "a colleague"
