"""Panels of saved notebooks that were changed, copied or made up: a kernel believes what it knows, nothing else."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from reflex_ipython.present.panel import MIME
from tests.kernel.conftest import LOAD
from tests.kernel.driver import Kernel

DANGEROUS = "import os\nos.remove('precious.csv')"
PROPOSE = f"""\
import dataclasses
from reflex_ipython.models import Edit, Fix
from reflex_ipython.protocols import Request
session = get_ipython().reflex_extension.assembly.session
last = session.repairs.latest()
fix = Fix("0badf00d", (Edit(last.situation.place, last.situation.source, {DANGEROUS!r}),), "It was in the way.", "test")
judged = session.verdicts.of(last.cause, fix, None)
session.repairs.change(
    last.id, lambda repair: dataclasses.replace(repair, fixes=(fix, *repair.fixes), verdicts={{fix.id: judged}})
)"""
"""What makes a dangerous fix the first one of the last repair."""

WRITTEN = "get_ipython().reflex_extension.assembly.session.recorder.recent(1)"
"""Ends when all is in the history."""

Panel = dict[str, Any]


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Kernel]]:
    """Starts kernels that have the extension, and one history, as those of a user have."""
    started: list[Kernel] = []
    folder = str(tmp_path_factory.mktemp("data"))

    def start() -> Kernel:
        started.append(Kernel(XDG_DATA_HOME=folder))
        assert started[-1].run(f"{LOAD}\n%config Reflex.trial = 'off'", "load").status == "ok"
        return started[-1]

    yield start
    for kernel in started:
        kernel.close()


@pytest.fixture(scope="module")
def first(kernels: Callable[[], Kernel]) -> Kernel:
    """The kernel whose panels are saved."""
    return kernels()


@pytest.fixture
def second(kernels: Callable[[], Kernel]) -> Kernel:
    """The kernel of a notebook that is opened later."""
    return kernels()


@pytest.fixture(scope="module")
def reader(kernels: Callable[[], Kernel]) -> Kernel:
    """The same, shared by the tests in which it learns nothing."""
    return kernels()


def failed(kernel: Kernel, *, dangerous: bool = False, cell: str = "a") -> Panel:
    """The panel of a cell that failed, as the kernel tells of it."""
    comm = kernel.hello()
    kernel.run("total = 3", "before")
    panel = kernel.until_panel(kernel.run("print(toatl)", cell).shown[-1], lambda state: state["fixes"])
    if dangerous:
        kernel.run(PROPOSE, "", silent=True)
    panel = kernel.state(comm, panel["repair"])
    assert panel["fixes"]
    assert panel["fixes"][0]["dangerous"] is dangerous
    kernel.run(
        "get_ipython().reflex_extension.assembly.session.recorder.recent(1)", silent=True
    )  # it is written by now
    return panel


def saved_by(kernel: Kernel, **what: Any) -> Panel:
    """The same, as a notebook saves it."""
    panel: Panel = kernel.saved[failed(kernel, **what)["repair"]][MIME]
    assert panel["fixes"]
    return panel


def recalled(kernel: Kernel, saved: Any, repair: str | None = None) -> dict[str, Any]:
    """What a kernel answers to a page that shows a saved panel."""
    comm = kernel.hello()
    name = repair if repair is not None else saved["repair"]
    kernel.tell(comm, type="recall", request="r", repair=name, shown=saved)
    return kernel.until_told(("state", "unknown"), lambda data: data.get("repair", name) == name)


def changed(panel: Panel, change: Callable[[Panel], Any]) -> Panel:
    forged = copy.deepcopy(panel)
    change(forged)
    return forged


def edit(panel: Panel) -> Any:
    return panel["fixes"][0]["edits"][0]


PAYLOAD = "import os; os.system('touch pwned')"
FORGERIES: dict[str, Callable[[Panel], Any]] = {
    "source": lambda panel: edit(panel).update(source=PAYLOAD),
    "expected": lambda panel: edit(panel).update(expected=""),
    "target": lambda panel: edit(panel)["cell"].update(id="another"),
    "label": lambda panel: edit(panel).update(label="an earlier cell"),
    "one more edit": lambda panel: panel["fixes"][0]["edits"].append({**edit(panel), "source": PAYLOAD}),
    "no edits": lambda panel: panel["fixes"][0].update(edits=[]),
    "edits null": lambda panel: panel["fixes"][0].update(edits=None),
    "one more fix": lambda panel: panel["fixes"].append({**panel["fixes"][0], "id": "11111111"}),
    "the fix's id": lambda panel: panel["fixes"][0].update(id="11111111"),
    "explanation": lambda panel: panel["fixes"][0].update(explanation="Harmless, believe me."),
    "origin": lambda panel: panel["fixes"][0].update(origin="rule: closest name (checked)"),
    "cell": lambda panel: panel["cell"].update(id="another"),
    "error": lambda panel: panel.update(error="Nothing to see"),
    "the inner id": lambda panel: panel.update(repair="11111111"),
    "fixes null": lambda panel: panel.update(fixes=None),
    "fixes an object": lambda panel: panel.update(fixes={}),
    "fix null": lambda panel: panel.update(fixes=[None]),
    "nothing": lambda panel: panel.clear(),
}


def test_a_repair_of_the_history_comes_alive_with_what_this_kernel_knows_of_it(first: Kernel, second: Kernel) -> None:
    saved = saved_by(first)
    answer = recalled(second, saved)
    assert answer["type"] == "state"
    state = answer["state"]
    assert state["session"] != saved["session"]
    assert (state["phase"], edit(state)["source"]) == ("ready", edit(saved)["source"])
    assert state["fixes"][0]["verdict"]["text"] == "not tried: it was proposed before Reflex was loaded here"
    assert state["fixes"][0]["triable"] is False
    accepted = second.accept(second.comm(), state)
    assert accepted["edits"] == [{"cell": "a", "expected": "print(toatl)", "source": "print(total)"}]


def test_what_the_history_does_not_hold_is_unknown(reader: Kernel, first: Kernel) -> None:
    saved = saved_by(first)
    assert recalled(reader, changed(saved, lambda panel: panel.update(repair="ffffffff")))["type"] == "unknown"
    for name in ("", saved["repair"][:4], saved["repair"] + "0", "%", "'; DROP TABLE repairs; --"):
        assert recalled(reader, saved, name)["type"] == "unknown", name


@pytest.mark.parametrize("forgery", FORGERIES.values(), ids=FORGERIES)
def test_a_saved_panel_with_other_content_than_the_history_is_unknown(
    first: Kernel, reader: Kernel, saved_panel: Panel, forgery: Callable[[Panel], Any]
) -> None:
    answer = recalled(reader, changed(saved_panel, forgery), saved_panel["repair"])
    assert (answer["type"], answer["request"]) == ("unknown", "r")


@pytest.fixture(scope="module")
def saved_panel(first: Kernel) -> Panel:
    return saved_by(first, cell="table")


def test_a_danger_that_was_taken_out_of_the_file_is_there_again_and_needs_its_tick(
    first: Kernel, second: Kernel
) -> None:
    def harmless(panel: Panel) -> None:
        panel["fixes"][0].update(dangerous=False, findings=[], verdict={"text": "ran in a copy", "tone": "good"})

    saved = changed(saved_by(first, dangerous=True), harmless)
    state = recalled(second, saved)["state"]
    fix = state["fixes"][0]
    assert fix["dangerous"] is True
    assert any("remove" in finding["text"] for finding in fix["findings"])
    comm = second.comm()
    assert "First tick that you have read it" in second.accept(comm, state)["reason"]
    assert second.state(comm, state["repair"])["phase"] == "ready"
    forged = {**fix, "dangerous": False}
    ask(second, comm, state, shown=forged, read=True)
    assert "doesn't show the text that the kernel has" in second.until_told("declined")["reason"]
    assert second.accept(comm, state, read=True)["edits"][-1]["source"] == DANGEROUS


def ask(kernel: Kernel, comm: str, state: Panel, **more: Any) -> None:
    """Accept as a page would that draws what it likes."""
    message = {
        "session": state["session"], "repair": state["repair"], "request": "r", "client": kernel.client.session.session,
        "shown": state["fixes"][0], "sources": [], "run": True, "whole": False, "read": False,
    }  # fmt: skip
    kernel.tell(comm, type="accept", **{**message, **more})


OTHERWISE_SHOWN: dict[str, Callable[[dict[str, Any]], Any]] = {
    "source": lambda fix: fix["edits"][0].update(source=PAYLOAD),
    "hunks": lambda fix: fix["edits"][0].update(hunks=[]),
    "target": lambda fix: fix["edits"][0]["cell"].update(id="another"),
    "findings": lambda fix: fix["findings"].append({"text": "looks fine", "tone": "good"}),
    "explanation": lambda fix: fix.update(explanation="Harmless"),
    "id": lambda fix: fix.update(id="11111111"),
    "no id": lambda fix: fix.pop("id"),
    "id a list": lambda fix: fix.update(id=[]),
    "edits null": lambda fix: fix.update(edits=None),
    "nothing": lambda fix: fix.clear(),
    "more than there is": lambda fix: fix.update(__proto__={"dangerous": False}),
}


@pytest.fixture(scope="module")
def open_panel(reader: Kernel) -> Panel:
    return failed(reader, cell="open")


@pytest.mark.parametrize("forgery", OTHERWISE_SHOWN.values(), ids=OTHERWISE_SHOWN)
def test_a_fix_that_was_shown_otherwise_is_not_applied(
    reader: Kernel, open_panel: Panel, forgery: Callable[[dict[str, Any]], Any]
) -> None:
    comm = reader.hello()
    shown = copy.deepcopy(open_panel["fixes"][0])
    forgery(shown)
    ask(reader, comm, open_panel, shown=shown)
    assert "doesn't show the text that the kernel has" in reader.until_told(("declined", "apply"))["reason"]
    state = reader.state(comm, open_panel["repair"])
    assert (state["phase"], state["accepted"]) == ("ready", None)


def test_a_decided_repair_that_is_shown_as_open_is_a_decided_one(first: Kernel, second: Kernel) -> None:
    panel = failed(first)
    saved = first.saved[panel["repair"]][MIME]
    first.accept(first.comm(), panel)
    first.run("print(total)", "a")
    first.run(WRITTEN, silent=True)
    state = recalled(second, saved)["state"]
    assert (saved["phase"], state["phase"]) == ("ready", "accepted")
    assert "it was accepted" in second.accept(second.comm(), state)["reason"]


def test_without_a_history_a_saved_panel_is_unknown(first: Kernel, kernels: Callable[[], Kernel]) -> None:
    saved = saved_by(first)
    forgetful = kernels()
    forgetful.run("%config Reflex.history = False")
    assert recalled(forgetful, saved)["type"] == "unknown"


WISHES: dict[str, dict[str, Any]] = {
    "accept": {},
    "reject": {},
    "ask": {"hint": "x"},
    "cancel": {},
    "try": {"fix": "x"},
}


@pytest.mark.parametrize("wish", WISHES)
def test_what_is_meant_for_another_session_is_not_done(reader: Kernel, open_panel: Panel, wish: str) -> None:
    comm = reader.hello()
    if wish == "accept":
        ask(reader, comm, open_panel, session="ffffffff")
        assert "a different session" in reader.until_told(("declined", "apply"))["reason"]
    else:
        reader.tell(comm, type=wish, session="ffffffff", repair=open_panel["repair"], **WISHES[wish])
    state = reader.state(comm, open_panel["repair"])
    assert state["phase"] == "ready"
    assert "a different session" in state["notice"]["text"]


def test_a_click_in_a_page_that_is_not_there_rewrites_nothing(reader: Kernel, open_panel: Panel) -> None:
    comm = reader.hello()
    ask(reader, comm, open_panel, client="nobody")
    assert "No open notebook page" in reader.until_told(("declined", "apply"))["reason"]
    assert reader.state(comm, open_panel["repair"])["phase"] == "ready"


DEEP: Any = json.loads("[" * 500 + "]" * 500)
NONSENSE: list[Any] = [
    {},
    {"fixes": DEEP},
    {"__proto__": {"fixes": []}},
    {"repair": "x" * 1_000_000},
    {"fixes": [[[]]]},
]


@pytest.mark.parametrize("shown", [None, 5, "text", [], True, *NONSENSE], ids=lambda shown: str(shown)[:20])
def test_nonsense_in_the_place_of_a_panel_harms_nothing(reader: Kernel, open_panel: Panel, shown: Any) -> None:
    comm = reader.hello()
    for repair in (open_panel["repair"], "ffffffff"):
        reader.tell(comm, type="recall", request="r", repair=repair, shown=shown)
    ask(reader, comm, open_panel, shown=shown)
    assert reader.state(comm, open_panel["repair"])["phase"] == "ready"
    assert reader.value("1 + 1") == 2
