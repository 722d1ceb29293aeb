"""A provider of another package in a session: it has the context's store, and is asked where no model was chosen."""

from __future__ import annotations

import threading
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython import plugins
from tests.test_plugins import STORE, install

COLLEAGUE = """
from reflex_ipython.models import Edit, Fix, new_id

class Other:
    name, where, cost, label = "colleague", "local", "", "a colleague"

    def __init__(self, context):
        self.context, self.asked, self.decided = context, [], None

    def propose(self, failure, request):
        self.asked.append(request.hint)
        accepted = self.context.store.recent(5, accepted=True)
        self.decided = [repair.applied[-1].source for repair in accepted]
        here = failure.situation
        yield Fix(new_id(), (Edit(here.place, here.source, "answer = 42"),), "It is known.", self.name)
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, COLLEAGUE)


@pytest.fixture
def colleague(installed: None, shell: Any) -> Any:
    """The provider as the session has it; the plugins are loaded for that."""
    return shell.reflex_extension.assembly.session.plugins.providers[-1]


def test_making_the_plugins_opens_no_history(colleague: Any) -> None:
    assert colleague.label == "a colleague"
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("reflex-history")]


def test_a_provider_recalls_what_was_decided_before(run: Any, colleague: Any) -> None:
    run("total = 3")
    run("print(toatl)")
    run("%reflex accept")
    run("answer = nothing_like_it()")
    assert colleague.decided == ["print(total)"]


def test_it_is_asked_again_by_a_command_though_no_model_was_chosen(run: Any, colleague: Any) -> None:
    run("%config Reflex.ask_model = 'on request'")
    run("answer = nothing_like_it()")
    assert colleague.asked == []
    run("%reflex fix")
    assert colleague.asked == [""]
    run("%reflex accept")
    assert run("print(answer)")[1] == "42\n"


def test_what_it_would_be_sent_is_not_said_to_go_to_nobody(run: Any, colleague: Any) -> None:
    run("%config Reflex.ask_model = 'on request'")
    run("answer = nothing_like_it()")
    assert run("%reflex context")[1] == "a colleague would be asked, but it does not show in advance what it sends.\n"
    assert colleague.asked == []


def test_without_it_nobody_is_asked_by_a_command(run: Any) -> None:
    run("answer = nothing_like_it()")
    result, text = run("%reflex fix")
    assert result.success
    assert "asking" not in text
    assert "No model is chosen" in run("%reflex fix with a hint")[1]


def test_a_store_of_another_package_is_made_without_a_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Any, shell: Any
) -> None:
    kept = STORE.replace(
        "def recent(self, count, *, accepted=None): ...",
        """
    def recent(self, count, *, accepted=None):
        names = sorted(name for name in ("settings", "clock", "store") if hasattr(self.context, name))
        raise RuntimeError(" and ".join(names))
""",
    )
    install(tmp_path, monkeypatch, kept, group=plugins.STORES)
    with pytest.raises(RuntimeError, match=r"^clock and settings$"):
        shell.reflex_extension.assembly.session.recorder.recent(1)


@pytest.mark.parametrize("named", [True, False], ids=["the built-in one fails", "none is installed"])
def test_where_no_store_can_be_loaded_it_is_said_once_and_repairs_are_kept_in_memory(
    monkeypatch: pytest.MonkeyPatch, run: Any, named: bool
) -> None:
    found = plugins.entry_points
    broken = EntryPoint("sqlite", "reflex_ipython.remember.store:NoSuchStore", plugins.STORES)
    stores = EntryPoints([broken] if named else [])
    monkeypatch.setattr(
        plugins, "entry_points", lambda group: stores if group == plugins.STORES else found(group=group)
    )
    told = [run(cell)[1] for cell in ("total = 3", "print(toatl)", "%reflex accept", "%reflex history")]
    assert "print(total)" in told[1]
    assert sum(text.count("no history store could be loaded") for text in told) == 1
    assert sum(text.count("the plugin 'sqlite'") for text in told) == named
    assert "NameError" in told[3]
