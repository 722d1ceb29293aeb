"""Names that are imported by another word than the module's own."""

from __future__ import annotations

import pytest

from tests.propose.rules.build import candidates, not_in_module

_MATH = ("sqrt", "log", "log2", "cos", "cosh", "ceil", "floor", "factorial", "pow", "fabs")
_RANDOM = ("randint", "random", "choice", "randrange", "sample", "shuffle")


@pytest.mark.parametrize(
    ("wanted", "meant", "owner", "members"),
    [
        ("squareroot", "sqrt", "math", _MATH),
        ("ceiling", "ceil", "math", _MATH),
        ("randominteger", "randint", "random", _RANDOM),
        ("standard_deviation", "stdev", "statistics", ("stdev", "median", "mode")),
        ("split_train_test", "train_test_split", "sklearn.model_selection", ("train_test_split", "KFold")),
    ],
)
def test_a_member_that_goes_by_another_word_is_imported_and_used_by_its_own(
    wanted: str, meant: str, owner: str, members: tuple[str, ...]
) -> None:
    found = candidates(not_in_module(f"from {owner} import {wanted}\nr = {wanted}(4)", wanted, owner, *members))
    assert found[0][0] == f"from {owner} import {meant}\nr = {meant}(4)"


def test_a_word_that_is_like_none_of_the_module_is_left_alone() -> None:
    assert candidates(not_in_module("from math import banana", "banana", "math", *_MATH)) == []
