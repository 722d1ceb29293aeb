"""What it costs to foresee a statement, by kind of statement, against compiling it: medians of one run, by turns."""

from __future__ import annotations

import ast
import contextlib
import io
import statistics
import time
import types
import warnings
from typing import Any

from reflex_ipython.state.analysis import Functions, foresee
from tests.bench.figures import heading
from tests.bench.healthy import _many
from tests.bench.light_notebook import CELLS, PREPARE

ROUNDS = 25
GOAL = "≤ 4 µs, ≤ 12 µs"
SETUP = """
import math, random, re
import numpy as np, pandas as pd
x, y, i, text, d, c, numbers, words = 1, 2, 3, "a b", [], {}, [1, 2, 3], ["a", "b"]
X, df = np.ones((20, 3)), pd.DataFrame({"a": [1, 2], "b": [0.5, 0.5], "s": ["x", "y"]})
def f(n): return n
class P:
    def __init__(self): self.n = 0
    def grow(self): self.n += 1
p = P()
"""
KINDS = {
    "names and numbers": "x = 1\ny = x\nz = x + 1\nx += 1\nb = (x, y)\nx, y = y, x\ny = f'{x}'\ny = x > 1",
    "calls of Python's": "print(x)\ny = len(d)\ny = str(x)\ny = text.upper()\ny = math.sqrt(x)\ny = sorted(numbers)",
    "lists and dicts": "d.append(x)\nd.append((x, y))\nc[x % 50] = y\nc['a'] = 1\nc['a'] += 1\nx = c['a']\nd[0] = x",
    "functions and objects": "f(x)\ny = f(x)\np.grow()\ny = p.n\np.n = 2\ny = P()",
    "definitions and imports": "import os\nimport math as m\ndef f(a, b=2): return a\nclass C: pass",
    "loops": "for n in numbers: y = n\ny = [n for n in numbers]\nif x: y = 1\nwhile x > 9: x -= 1",
    "arrays": "X.shape\nX[0]\nX[0] = 1\nX.sum()\ny = X + 1\nnp.dot(X.T, X)\ny = np.zeros(3)",
    "frames": "df.shape\ndf['a']\ndf.head()\ny = df['a'].mean()\ndf['c'] = df['a'] * 2\ndf.loc[0, 'a'] = 1",
}


def main() -> None:
    """Print the figures."""
    heading("Foreseeing a statement, and compiling it, in µs (median, 9 of 10 below; the share that is unknown)")
    for name, source in KINDS.items():
        _print(name, _taken([SETUP, source], skip=1))
    _print("10,000 short statements", _taken(["c, d = {}, []", _many(10_000)], skip=1, rounds=3), GOAL)
    _print(f"a light notebook of {len(CELLS)} cells", _taken([PREPARE, *CELLS], skip=0, rounds=5), GOAL)


Taken = list[tuple[float, float, bool]]
"""Of each statement: seconds to foresee it, seconds to compile it, whether it was foreseen."""


def _taken(cells: list[str], skip: int, rounds: int = ROUNDS) -> Taken:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    functions = Functions()
    taken: Taken = []
    for number, cell in enumerate(cells):
        tree = ast.parse(cell)
        functions.add(tree.body, f"<cell {number}>")
        for node in tree.body:
            code, figures = _statement(node, f"<cell {number}>", namespace, functions, rounds)
            if number >= skip:
                taken.append(figures)
            with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(code, namespace)
    return taken


def _statement(
    node: ast.stmt, name: str, namespace: dict[str, Any], functions: Functions, rounds: int
) -> tuple[types.CodeType, tuple[float, float, bool]]:
    foreseeing, compiling = [], []
    module, clock = ast.Module([node], []), time.perf_counter
    for _ in range(rounds):
        start = clock()
        code = compile(module, name, "exec")
        compiled = clock()
        found = foresee(node, namespace, functions)
        end = clock()
        compiling.append(compiled - start)
        foreseeing.append(end - compiled)
    return code, (statistics.median(foreseeing), statistics.median(compiling), found is not None)


def _print(name: str, taken: Taken, goal: str = "") -> None:
    columns = []
    for samples in ([each[0] for each in taken], [each[1] for each in taken]):
        ordered = sorted(samples)
        columns.append(f"{statistics.median(ordered) * 1e6:7.1f} {ordered[len(ordered) * 9 // 10] * 1e6:7.1f}")
    unknown = sum(not known for _, _, known in taken) / len(taken)
    print(f"  {name:<34}{columns[0]}   compile {columns[1]}   unknown {unknown:4.0%}  {f'goal {goal}' if goal else ''}")
