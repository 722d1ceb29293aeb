"""The cell that was accepted does not wait for the disk; the decision gets there meanwhile, and is there at its end.

So the page can draw what the cell has put out before it is told more.
"""

from __future__ import annotations

from typing import Any

import pytest

from reflex_ipython.remember import recorder


@pytest.fixture
def order(shell: Any, run: Any, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> list[str]:
    """What happens, from the moment that a fix was accepted which nobody waited for; its parameter: `PAUSE`."""
    order: list[str] = []
    monkeypatch.setattr(recorder, "PAUSE", getattr(request, "param", 600.0))
    shell.user_ns.update(order=order, total="the cell has run")
    run("order.append(toatl)")
    session = shell.reflex_extension.assembly.session
    save, settle = session.recorder._save, session.recorder.settle

    def saved(store: Any, repair: Any) -> None:
        save(store, repair)
        order.append(f"saved: {repair.decision.kind}")

    settle()
    monkeypatch.setattr(session.recorder, "_save", saved)
    monkeypatch.setattr(session.recorder, "settle", lambda: (settle(), order.append("it is on the disk")))
    session.decisions.accept(session.repairs.latest().id, settled=False)
    return order


def test_the_cell_does_not_wait_and_at_its_end_the_decision_is_there(order: list[str], run: Any, shell: Any) -> None:
    assert order == []
    run("order.append(total)")
    assert order[:3] == ["the cell has run", "saved: accepted", "it is on the disk"]
    assert shell.reflex_extension.assembly.session.repairs.latest().rerun.succeeded


def test_so_it_is_behind_any_other_cell(order: list[str], run: Any) -> None:
    run("order.append('another cell has run')")
    assert order == ["another cell has run", "saved: accepted", "it is on the disk"]


def test_a_cell_that_fails_once_more_has_it_there_as_well(order: list[str], run: Any) -> None:
    run("order.append(total + 1)")
    assert order[:2] == ["saved: accepted", "it is on the disk"]


def test_once_it_is_known_to_be_there_nobody_waits_any_more(order: list[str], run: Any, shell: Any) -> None:
    shell.reflex_extension.assembly.session.decisions.settle()
    assert order == ["saved: accepted", "it is on the disk"]
    run("order.append('another cell has run')")
    assert order[2:] == ["another cell has run"]


@pytest.mark.parametrize("order", [0.1], indirect=True)
def test_while_a_cell_takes_its_time_the_decision_gets_to_the_disk(order: list[str], run: Any) -> None:
    run("import time\nwhile 'saved: accepted' not in order: time.sleep(0.01)\norder.append('the cell has run')")
    assert order[:2] == ["saved: accepted", "the cell has run"]


def test_a_fix_that_was_typed_gets_there_in_the_same_way(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    shell.user_ns.update(order=order, total="the cell has run")
    shell.run_cell("order.append(toatl)", store_history=True, cell_id="cell")
    session = shell.reflex_extension.assembly.session
    session.repairs.open(session.repairs.latest().id).wait(timeout=600)
    settle = session.recorder.settle
    monkeypatch.setattr(session.recorder, "settle", lambda: (settle(), order.append("it is on the disk")))
    shell.run_cell("order.append(total)", store_history=True, cell_id="cell")
    assert order == ["the cell has run", "it is on the disk"]
    assert session.repairs.latest().decision.kind == "accepted"


def test_what_is_accepted_while_another_one_is_waited_for_is_waited_for_as_well(
    order: list[str], shell: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = shell.reflex_extension.assembly.session
    settle, repair = session.recorder.settle, session.repairs.latest()

    def accept_another() -> None:
        monkeypatch.setattr(session.recorder, "settle", settle)
        session.decisions.accept(repair.id, applied=True, settled=False)
        settle()

    monkeypatch.setattr(session.recorder, "settle", accept_another)
    session.decisions.settle()
    session.decisions.settle()
    assert order.count("it is on the disk") == 2
