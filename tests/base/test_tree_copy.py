"""A copy of a tree says the same at the same places, shares no node with it, and has nothing else of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from reflex_ipython.base.tree_copy import copied
from reflex_ipython.state.module_trees import module_statements

TEXT = "def f(a, *b, c=1, **d) -> int:\n    x[a.b] = [y for y in 'text' if y > 0x10]\n    return f'{x!r:>10}'\n"


class Parent:
    """As `executing` hangs one on all nodes: on the `Load` that all trees share, that of some library's module."""

    def __deepcopy__(self, memo: object) -> Parent:
        raise AssertionError("somebody else's tree was copied")


@pytest.fixture
def parent() -> Iterator[Parent]:
    load = ast.parse("a").body[0].value.ctx  # type: ignore[attr-defined]  # it is an expression
    load.parent = Parent()
    yield load.parent
    del load.parent


def test_it_says_the_same_at_the_same_places_and_is_another_one() -> None:
    tree = ast.parse(TEXT)
    made = copied(tree)
    assert ast.dump(made, include_attributes=True) == ast.dump(tree, include_attributes=True)
    nodes = {id(node) for node in ast.walk(tree) if node._attributes}
    assert not [node for node in ast.walk(made) if node._attributes and id(node) in nodes]


def test_nothing_is_copied_that_others_hang_on_its_nodes(parent: Parent) -> None:
    assert ast.dump(copied(ast.parse(TEXT))) == ast.dump(ast.parse(TEXT))
    assert [ast.unparse(each) for each in module_statements("m", ast.parse("x = y + 1\ny = 2"))] == [
        "m:x = m:y + 1",
        "m:y = 2",
    ]
