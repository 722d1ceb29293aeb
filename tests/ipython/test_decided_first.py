"""A decision is on the disk before the cell runs that was accepted; the page need not wait for that to be told."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def order(shell: Any, run: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What happens, from the moment that a fix was accepted which nobody waited for."""
    order: list[str] = []
    shell.user_ns.update(order=order, total="the cell has run")
    run("order.append(toatl)")
    session = shell.reflex_extension.assembly.session
    settle = session.recorder.settle
    monkeypatch.setattr(session.recorder, "settle", lambda: (settle(), order.append("it is on the disk")))
    session.decisions.accept(session.repairs.latest().id, settled=False)
    return order


def test_who_tells_a_page_does_not_wait(order: list[str]) -> None:
    assert order == []


def test_the_cell_waits(order: list[str], run: Any, shell: Any) -> None:
    run("order.append(total)")
    assert order == ["it is on the disk", "the cell has run"]
    assert shell.reflex_extension.assembly.session.repairs.latest().rerun.succeeded


def test_so_does_any_other_cell(order: list[str], run: Any) -> None:
    run("order.append('another cell has run')")
    assert order == ["it is on the disk", "another cell has run"]


def test_once_it_is_known_to_be_there_nobody_waits_any_more(order: list[str], run: Any, shell: Any) -> None:
    shell.reflex_extension.assembly.session.decisions.settle()
    run("order.append(total)")
    assert order == ["it is on the disk", "the cell has run"]


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
    assert order == ["it is on the disk"]
    session.decisions.settle()
    assert order == ["it is on the disk", "it is on the disk"]
