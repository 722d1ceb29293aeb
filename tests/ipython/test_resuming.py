"""Which outputs count as the cell's own."""

from __future__ import annotations

from typing import Any

import pytest

from reflex_ipython.ipython.cells import RanCell
from reflex_ipython.ipython.recording import MOST_OUTPUTS, Recording
from reflex_ipython.ipython.resuming import Resuming
from reflex_ipython.settings import Settings
from reflex_ipython.state.journal import Journal


@pytest.fixture
def resuming(plain_shell: Any) -> Resuming:
    """Watching a cell that runs."""
    made = Resuming(plain_shell, Settings, lambda: 1, pytest.fail)
    made.starts(RanCell(None, 1, "x"), None)
    return made


def running(resuming: Resuming) -> Recording:
    assert resuming._running is not None
    return resuming._running


def test_streams_and_displays_are_kept_in_order(resuming: Resuming) -> None:
    display = {"data": {"text/plain": "x"}, "transient": {"display_id": "theirs"}}
    resuming._keep_output("stream", {"name": "stdout", "text": "a"})
    resuming._keep_output({"header": {"msg_type": "display_data"}, "content": display})
    resuming._keep_output("status", {"execution_state": "busy"})
    assert [kind for kind, _ in running(resuming).outputs] == ["stream", "display_data"]


def test_a_panel_that_changes_meanwhile_is_not_the_cells(resuming: Resuming) -> None:
    resuming._keep_output("update_display_data", {"data": {}, "transient": {"display_id": "reflex-0a1b2c3d"}})
    assert running(resuming).outputs == []


def test_a_cell_with_too_many_outputs_is_known_to_be_incomplete(resuming: Resuming) -> None:
    for _ in range(MOST_OUTPUTS):
        resuming._keep_output("stream", {"text": "a"})
    assert running(resuming).complete
    resuming._keep_output("stream", {"text": "a"})
    assert not running(resuming).complete
    assert isinstance(running(resuming).journal, Journal)
