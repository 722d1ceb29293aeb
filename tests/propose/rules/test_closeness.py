"""Which word was meant."""

from __future__ import annotations

import pytest

from reflex_ipython.propose.rules.closeness import closest


@pytest.mark.parametrize(
    ("wanted", "available", "expected"),
    [
        ("regoin", ("region", "sales"), "region"),
        ("Region", ("region", "sales"), "region"),
        ("unitprice", ("unit_price", "price"), "unit_price"),
        ("Unit Price", ("unit_price",), "unit_price"),
        ("totl_price", ("total_price", "total_tax"), "total_price"),
        ("naem", ("name",), "name"),
        ("x_train", ("X_train", "y_train"), "X_train"),
        ("a_trian", ("a_train", "a_test"), "a_train"),
        ("accuarcy_score", ("accuracy_score", "accuracy_scores"), "accuracy_score"),
    ],
)
def test_a_slip_of_the_finger_is_undone(wanted: str, available: tuple[str, ...], expected: str) -> None:
    assert closest(wanted, available) == expected


@pytest.mark.parametrize(
    ("wanted", "available"),
    [
        ("run", ("runs", "ran")),
        ("df", ("d", "dg")),
        ("df2", ("df1", "df3")),
        ("train_2019", ("train_2020",)),
        ("x_train", ("y_train",)),
        ("test_img", ("train_img", "test_lbl")),
        ("x_max", ("x_min",)),
        ("mean_x", ("mean_y",)),
        ("value", ("values",)),
        ("sorted_list", ("sort_list",)),
        ("date", ("data",)),
        ("text", ("test",)),
        ("height", ("weight",)),
        ("patch", ("batch",)),
        ("encoder", ("decoder",)),
        ("minimum", ("maximum",)),
        ("housing", ("housing_copy",)),
        ("wrods_list", ("words_lists", "words_list2", "swords_list")),
        ("regoin", ("region", "regon")),
        ("x", ("X",)),
        ("secret", ("_secret",)),
        ("anything", ()),
    ],
)
def test_another_word_is_not_a_slip(wanted: str, available: tuple[str, ...]) -> None:
    assert closest(wanted, available) is None


def test_an_interface_has_no_word_for_one_and_for_many() -> None:
    assert closest("column", ("columns", "index"), fixed=True) == "columns"
    assert closest("column", ("columns", "index")) is None


def test_private_names_are_offered_to_those_who_ask_for_private_names() -> None:
    assert closest("_cahce", ("_cache", "cache")) == "_cache"
    assert closest("cahce", ("_cache",)) is None
    assert closest("__inti__", ("__init__",)) == "__init__"
