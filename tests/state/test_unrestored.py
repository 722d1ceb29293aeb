"""What can't be put back is known before anybody goes back, and by how far that is."""

from __future__ import annotations

import pytest

from reflex_ipython.state.bounds import Bounds
from reflex_ipython.state.checkpoint import Checkpoint
from reflex_ipython.state.snapshots import Snapshots
from reflex_ipython.state.unrestored import unrestored
from reflex_ipython.state.weak import ENDED
from tests.state.cells import namespace, run

BIG = "import numpy as np, types\n{} = np.zeros(300_000)"


def told(names: dict[str, object], cell: str) -> list[tuple[object, ...]]:
    """All that is known to stay as the cell has left it, once it has failed."""
    journal = run(names, cell)
    journal.note_end()
    return [tuple(one) for one in journal.aftermath.uncovered()]


def test_a_name_whose_old_value_has_ended_is_told_to_whoever_goes_back_behind_it() -> None:
    names = namespace(BIG.format("x"))
    assert told(names, "y = 1\nx = x + 1\n1 / 0") == [("x", ENDED, 0, 1)]


def test_what_the_cell_itself_had_bound_first_is_not_told_to_whoever_goes_back_to_before_that() -> None:
    names = namespace(BIG.format("other"))
    assert told(names, "x = np.zeros(300_000)\nx = x + 1\n1 / 0") == [("x", ENDED, 1, 1)]


def test_what_an_earlier_statement_has_noted_is_told_only_to_whoever_goes_back_less_far() -> None:
    noted, lacking = Snapshots(covered={"m"}), Snapshots(uncovered={"m": ENDED})
    checkpoints = [Checkpoint({}, one) for one in (lacking, noted, lacking)]
    assert [tuple(one) for one in unrestored(checkpoints)] == [("m", ENDED, 0, 0), ("m", ENDED, 2, 2)]


@pytest.mark.parametrize("way", ["layer['w'] = layer['w'] + 1", "for k in [*layer]: layer[k] = layer[k] + 1"])
def test_something_that_has_no_name_is_told_with_the_name_that_leads_to_it(way: str) -> None:
    names = namespace(BIG.format("x"), "model = {'layers': [{'w': np.zeros(300_000)}]}")
    found = told(names, f"part = model['layers']\nlayer = part[0]\n{way}\n1 / 0")
    assert any("layer" in name and why == ENDED for name, why, _, _ in found)


@pytest.mark.parametrize("way", ["n.parts['k'] = n.parts['k'] + 1", "for k in [*n.parts]: n.parts[k] = n.parts[k] + 1"])
def test_the_inside_of_an_object_is_told_with_the_objects_name(way: str) -> None:
    names = namespace(BIG.format("x"), "box = [types.SimpleNamespace(parts={'k': np.zeros(300_000)})]")
    journal = run(names, f"n = box[0]\n{way}\n1 / 0", Bounds())
    journal.note_end()
    assert names["box"][0].parts["k"][0] == 1
    # By the one or the other: how far a statement is foreseen depends on the version's bytecode.
    assert journal.rollback(0).words in (f"restored except: {what} ({ENDED})" for what in ("n", "a dict in `n`"))
    assert "n" not in names


def test_what_the_cell_has_made_itself_is_none_of_it() -> None:
    names = namespace(BIG.format("x"))
    journal = run(names, "n = {'k': np.zeros(300_000)}\nfor k in n: n[k] = n[k] + 1\n1 / 0", Bounds())
    journal.note_end()
    assert journal.rollback(0).words == "state restored exactly"
