"""A class of the user's may have a metaclass with an `__eq__` or `__hash__`: types are told by identity."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.state.cells import namespace, run

STATE = Path(__file__).parents[2] / "reflex_ipython" / "state"
OF_TREES = ("node", "node.op")
"""What is ours, or Python's: trees."""


def compared(tree: ast.AST) -> list[str]:
    """Where a type is looked up by its `==`: `type(o) in …`, `type(o) == …`."""
    return [
        ast.unparse(each)
        for each in ast.walk(tree)
        if isinstance(each, ast.Compare)
        and isinstance(each.ops[0], (ast.In, ast.NotIn, ast.Eq, ast.NotEq))
        and isinstance(each.left, ast.Call)
        and isinstance(each.left.func, ast.Name)
        and each.left.func.id == "type"
        and ast.unparse(each.left.args[0]) not in OF_TREES
    ]


def test_no_type_is_looked_up_by_what_its_metaclass_says() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in STATE.rglob("*.py")}
    assert len(sources) > 100
    assert {path.name: found for path, text in sources.items() if (found := compared(ast.parse(text)))} == {}


@pytest.mark.parametrize(
    "cell", ["w = box[0]\nw = 3", "for q in box: w = q\nq = [f(b) for b in box]", "d = {1: box}\nw = d"]
)
@pytest.mark.parametrize("foreseen", [True, False])
def test_a_metaclass_is_not_asked(cell: str, foreseen: bool) -> None:
    names = namespace(
        "asked = []",
        "class Meta(type):\n  def __eq__(cls, other): asked.append(1); return cls is other\n  __hash__ = type.__hash__",
        "class Number(int, metaclass=Meta): pass",
        "class Pair(tuple, metaclass=Meta): pass",
        "def f(o): return o",
        "box, w = [Number(1), Pair()], Number(2)",
    )
    names["asked"].clear()
    run(names, f"{cell}\n1 / 0", foreseen=foreseen).clear()
    assert names["asked"] == []
