"""Columns that were the index when `reset_index(drop=True)` threw it away."""

from __future__ import annotations

import pytest

from tests.propose.rules.build import best, candidates, no_column


@pytest.mark.parametrize(
    ("cell", "fixed"),
    [
        ('x = df.set_index("k").reset_index(drop=True)["k"]', 'x = df.set_index("k").reset_index()["k"]'),
        ('x = df.groupby("k").sum().reset_index(drop=True)["k"]', 'x = df.groupby("k").sum().reset_index()["k"]'),
        (
            'g = df.groupby(["k"])["n"].sum().reset_index(drop=True)\ng["k"]',
            'g = df.groupby(["k"])["n"].sum().reset_index()\ng["k"]',
        ),
    ],
)
def test_the_index_is_kept_where_it_is_asked_for(cell: str, fixed: str) -> None:
    owner = "g" if "\n" in cell else cell.removeprefix("x = ").removesuffix('["k"]').replace('"', "'")
    assert best(no_column(cell, "k", "n", owner=owner, line=cell.count("\n") + 1)) == fixed


def test_a_table_whose_index_was_not_dropped_is_left_alone() -> None:
    assert candidates(no_column('x = df.reset_index()["kind"]', "kind", "n", owner="df.reset_index()")) == []
