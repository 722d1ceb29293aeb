"""What a statement has replaced may have come to an end: all else of the object is put back."""

from __future__ import annotations

import pytest

from reflex_ipython.state.credit import Credit
from tests.state.cells import namespace, run

PART = "class Part:\n  def __del__(self): told.append('ended')\nclass Box: pass"


def test_the_other_attributes_of_an_object_are_put_back_and_it_is_named() -> None:
    names = namespace("told = []", PART, "box = Box(); box.part, box.text, box.n = Part(), 'old', 1")
    journal = run(names, "box.part, box.text, box.more = None, 'new', 2\nx = 1\n1 / 0", foreseen=False)
    assert names["told"] == ["ended"]
    assert journal.rollback(0).words == "restored except: box (its old value no longer exists)"
    assert vars(names["box"]) == {"part": None, "text": "old", "n": 1}


def test_so_they_are_if_it_ends_with_a_later_statement() -> None:
    names = namespace("told = []", PART, "part = Part(); box = Box(); box.part, box.text = part, 'old'")
    journal = run(names, "box.part, box.text = None, 'new'\ndel part\n1 / 0", foreseen=False)
    assert names["told"] == ["ended"]
    assert "box (its old value no longer exists)" in journal.rollback(0).words
    assert vars(names["box"]) == {"part": None, "text": "old"}


def test_an_attribute_that_was_deleted_stays_away_if_its_value_has_ended() -> None:
    names = namespace("told = []", PART, "box = Box(); box.part, box.text = Part(), 'old'")
    journal = run(names, "del box.part; box.text = 'new'\nx = 1\n1 / 0", foreseen=False)
    assert names["told"] == ["ended"]
    assert "box" in journal.rollback(0).words
    assert vars(names["box"]) == {"text": "old"}


def test_so_they_are_if_what_has_ended_was_large() -> None:
    pytest.importorskip("numpy")
    names = namespace("import numpy", PART, "box = Box(); box.data, box.text, box.n = numpy.zeros(100_000), 'old', 1")
    journal = run(names, "if box:\n  box.data, box.text, box.more = None, 'new', 2\nx = 1\n1 / 0", foreseen=False)
    assert journal.rollback(0).words == "restored except: box (its old value no longer exists)"
    assert vars(names["box"]) == {"data": None, "text": "old", "n": 1}


@pytest.mark.parametrize(
    ("before", "cell"),
    [
        ("box = Box(); box.x = 1", "box.x = Part()\nbox = None"),
        ("box = Box(); box.x = 1", "box.x = 2\nbox.x = Part()\ndel box"),
        ("rows = [[1]]", "rows[0][0] = 2\nrows[0].append(Part())\nrows = None"),
        ("rows = []; same = rows", "rows = None\nsame.append(Part())\ndel same"),
        ("rows = []; same = [rows]", "same[0] = 3\nrows.append(Part())\ndel rows"),
        ("rows = []; same = (rows,)", "same = None\nrows.append(Part())\ndel rows"),
        ("rows = []; same = {1: rows}", "same[2] = 3\nsame = None\nrows.append(Part())\ndel rows"),
        ("rows = {'a': {1: 2}}\ndef put(): rows['a'][2] = Part()", "rows['a'][1] = 3\nput()\ndel rows"),
    ],
)
def test_what_came_into_plain_data_ends_with_it(before: str, cell: str) -> None:
    names = namespace("told = []", PART, before)
    run(names, f"{cell}\nseen = [*told]\n1 / 0").clear()
    assert names["seen"] == ["ended"]


@pytest.mark.parametrize("owed", [0.0, 1.0])
def test_so_it_does_once_there_is_no_credit(owed: float) -> None:
    names = namespace("told = []", PART, "box = Box(); box.x = 1")
    run(names, "box.x = Part()\nbox = None\nseen = [*told]\n1 / 0", credit=Once(owed)).clear()
    assert names["seen"] == ["ended"]


@pytest.mark.parametrize(("owed", "words"), [(0.0, ""), (1.0, "rows (its old value no longer exists)")])
def test_once_much_more_was_spent_nothing_is_kept_of_what_is_over(owed: float, words: str) -> None:
    """To ask at each statement's end who holds what would take more than there is."""
    names = namespace("rows = [[1]]\ndef look(): pass")
    journal = run(names, "rows[0].append(2)\nlook()\n1 / 0", credit=Once(owed), foreseen=False)
    assert words in journal.rollback(0).words
    assert names["rows"] == ([[1, 2]] if owed else [[1]])


class Once(Credit):
    """Enough for one statement.

    Parameters
    ----------
    owed : float
        Seconds that it takes beyond that.
    """

    def __init__(self, owed: float) -> None:
        super().__init__()
        self.left, self._then = 1.0, -owed

    def spend(self, seconds: float) -> None:
        """All of it is taken."""
        self.left = self._then

    def earn(self, seconds: float) -> None:
        """Nothing is."""
