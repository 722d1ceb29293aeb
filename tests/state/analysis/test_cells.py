"""An object in a cell of an array, a frame or a record is no data: what is written to it is unknown, or undone."""

from __future__ import annotations

import ast
import contextlib
import warnings
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.state.analysis import Functions, foresee
from tests.state.analysis.oracle import hold

pytest.importorskip("numpy")
pytest.importorskip("pandas")
HERE = Path(__file__).parent
SETUP = """
import numpy as np, pandas as pd, copy
cells = np.array([[1], {"a": 1}, None], dtype=object)
big = np.empty(5000, dtype=object); big[:] = [[n] for n in range(5000)]
texts = np.array(["a"] * 2000, dtype=object)
rec = np.zeros(2, dtype=[("n", "i4"), ("o", "O")]); rec["o"][0] = [1]; rec["o"][1] = {}
rec_atoms = np.zeros(2, dtype=[("n", "i4"), ("o", "O")])
df = pd.DataFrame({"n": [1, 2], "o": [[1], {"a": 1}]})
s = pd.Series([[1], {"x": 0}])
col = "o"
late = np.array([None, None], dtype=object)
tuples = np.empty(2, dtype=object); tuples[0] = ([1],); tuples[1] = ([2],)
nested = [np.array([[1], None], dtype=object)]
by = {"c": cells}
atoms = np.array([1, "a", None], dtype=object)
multi = df.set_index("n")
arrs = np.empty(2, dtype=object); arrs[0] = np.zeros(2); arrs[1] = np.ones(2)
frames = np.empty(1, dtype=object); frames[0] = df
lst = [1]
dfa = pd.DataFrame({"a": [1, 2]})
import statistics, functools, random, operator, heapq, itertools, collections, json
X0 = np.arange(2.0); tup = ([1], 2); d0 = {"a": 1}; i = 1
rng = np.random.default_rng(0)
class Own: pass
own = Own(); own.a = lst
def put(c): c[0].append(1)
def first(c): return c[0]
"""


def _lines(name: str) -> list[str]:
    return (HERE / name).read_text(encoding="utf-8").splitlines()


def _fresh() -> tuple[dict[str, Any], Functions]:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    functions = Functions()
    tree = ast.parse(SETUP)
    exec(compile(tree, "<cell 0>", "exec"), namespace)
    functions.add(tree.body, "<cell 0>")
    return namespace, functions


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("source", _lines("cells.txt"))
def test_what_is_written_to_an_object_in_a_cell_is_unknown_or_undone(source: str) -> None:
    namespace, functions = _fresh()
    for node in ast.parse(source).body:
        assert not hold(node, namespace, functions)
        with contextlib.suppress(Exception), warnings.catch_warnings():
            exec(compile(ast.Module([node], []), "<cell 1>", "exec"), namespace)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("source", _lines("cells_in_one.txt"))
def test_it_is_so_where_the_object_came_into_the_cell_in_the_same_statement(source: str) -> None:
    namespace, functions = _fresh()
    (node,) = ast.parse(source if source.startswith("for") else f"if i: {source}").body
    assert not hold(node, namespace, functions)


@pytest.mark.parametrize(
    "source",
    [
        "y = cells",
        "late[0] = 5",
        "texts[0] = 'b'",
        "X0[0] = 5",
        "X0[:] = lst * 2",
        "dfa['b'] = lst * 2",
        "dfa['b'] = X0",
        "dfa.loc[0] = X0[:1]",
        "for n in range(2): late[n] = n",
        "if i: y = np.zeros(2); y[:] = X0; y[0] = 1",
    ],
)
def test_what_puts_no_such_object_anywhere_is_still_foreseen(source: str) -> None:
    namespace, functions = _fresh()
    (node,) = ast.parse(source).body
    assert foresee(node, namespace, functions) is not None
    assert hold(node, namespace, functions) == []
