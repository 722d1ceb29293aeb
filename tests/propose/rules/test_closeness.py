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
        ("rpice", ("price", "sales"), "price"),
        ("ergion_name", ("region_name", "region_code"), "region_name"),
    ],
)
def test_a_slip_of_the_finger_is_undone(wanted: str, available: tuple[str, ...], expected: str) -> None:
    assert closest(wanted, available) == expected


@pytest.mark.parametrize(
    ("wanted", "available"),
    [
        ("run", ("runs", "ran")),
        ("unique", ("nunique",)),
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


def test_the_further_a_word_is_the_clearer_it_must_be_ahead_of_the_next() -> None:
    wanted, meant, next_one = "trnsformation_matrx", "transformation_matrix", "transformations_matrix"
    assert closest(wanted, (meant,)) == meant
    assert closest(wanted, (meant, next_one)) is None  # two slips from one, three from the other
    assert closest("transformaton_matrix", (meant, next_one)) == meant  # one and two


def test_a_slip_is_in_doubt_where_another_member_of_the_family_is_nearer() -> None:
    wanted, slip, nearer = "sales_total_2021", "sale_totals_2021", "sales_total_2020"
    assert closest(wanted, (slip,), fixed=True) == slip
    assert closest(wanted, (nearer,), fixed=True) is None
    assert closest(wanted, (slip, nearer), fixed=True) is None
