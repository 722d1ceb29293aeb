"""What gives a new value in the place of what was to change one is assigned back."""

from __future__ import annotations

import pytest

from reflex_ipython.models import Lookup
from tests.propose.rules.build import failure, offered


def asked(source: str, wanted: str, kind: str, *available: str, line: int = 1) -> dict[str, float]:
    lookup = Lookup("attribute", wanted, "losses", kind, available)
    message = f"AttributeError: '{kind.rpartition('.')[2]}' object has no attribute '{wanted}'"
    meanings = {"np": "numpy", "pd": "pandas"}
    failed = failure(source, message, lookup=lookup, line=line, names=("np", "pd", "losses", "more"), meanings=meanings)
    return offered(failed)


@pytest.mark.parametrize(
    ("source", "wanted", "kind"),
    [
        ("losses.append(0.6)", "append", "numpy.ndarray"),
        ("losses.append(0.6)\nprint(losses)", "append", "numpy.ndarray"),
        ("losses.extend(more)", "extend", "numpy.ndarray"),
        ("losses.delete(0)", "delete", "numpy.ndarray"),
        ("losses.remove(3)\nprint(losses)", "remove", "numpy.ndarray"),
    ],
)
def test_no_array_that_was_to_change_is_left_as_it_is(source: str, wanted: str, kind: str) -> None:
    for text in asked(source, wanted, kind):
        assert "losses = " in text.partition("\n")[0] or not text.startswith("np."), text


def test_an_appended_array_is_assigned_back_and_nothing_else_is_offered_for_it() -> None:
    found = asked("for x in range(3):\n    losses.append(x)", "append", "numpy.ndarray", line=2)
    assert "for x in range(3):\n    losses = np.append(losses, x)" in found
    assert not [text for text in found if "    np.append" in text]


def test_what_is_shown_at_the_end_of_the_cell_stays_shown() -> None:
    found = asked('losses.sort("step")', "sort", "pandas.DataFrame", "sort_values", "sort_index")
    assert 'losses.sort_values("step")' in found


def test_a_table_that_was_to_be_sorted_in_the_midst_of_a_cell_is_assigned_back() -> None:
    source = 'losses.sort("step")\nprint(losses)'
    found = asked(source, "sort", "pandas.DataFrame", "sort_values", "sort_index")
    assert 'losses = losses.sort_values("step")\nprint(losses)' in found


def test_what_changes_the_value_itself_is_left_alone() -> None:
    assert "losses.append(1)" in asked("losses.add(1)", "add", "builtins.list", "append", "insert")
