"""Which statements stand on a line: what rules look at first, in a cell of any length."""

from __future__ import annotations

import ast

import pytest

from reflex_ipython.propose.rules.cell import read
from reflex_ipython.propose.rules.statements import statement_at, statements_at

CELL = """a = 1; b = 2
if a:
    c = (
        3
    )
elif b: d = 4; e = 5
else:
    f = 6

@staticmethod
def g(): return 7
try:
    h = 8
except KeyError:
    i = 9
finally:
    j = 10
match a:
    case 1: k = 11
    case _:
        l = 12
for m in (): n = 13
"""


@pytest.mark.parametrize(
    ("line", "innermost", "told"),
    [
        (1, "b = 2", 2), (2, "if a:", 1), (3, "c = (", 1), (4, "c = (", 1), (6, "e = 5", 3), (7, "elif b:", 0),
        (8, "f = 6", 1), (9, None, 0), (10, "def g()", 1), (11, "return 7", 2), (12, "try:", 1), (13, "h = 8", 1),
        (15, "i = 9", 1), (17, "j = 10", 1), (18, "match a:", 1), (19, "k = 11", 1), (21, "l = 12", 1),
        (22, "n = 13", 2), (23, None, 0), (None, None, 0),
    ],
)  # fmt: skip
def test_the_statements_of_a_line_are_found_in_every_kind_of_block(
    line: int | None, innermost: str | None, told: int
) -> None:
    cell = read(CELL)
    found = statement_at(cell, line)
    assert (found and cell.text(found).startswith(innermost or "?")) == (innermost and True)
    assert len(statements_at(cell, line)) == told


def test_each_node_knows_what_it_is_a_part_of() -> None:
    cell = read(CELL)
    for node in cell.nodes():
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.expr_context | ast.operator):  # one object for all
                assert cell.parent(child) is node
    assert [*cell.around(next(n for n in cell.every(ast.Name) if n.id == "k"))][-1] is cell.tree
