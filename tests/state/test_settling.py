"""What a statement has replaced may have come to an end: all else of the object is put back."""

from __future__ import annotations

import pytest

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
