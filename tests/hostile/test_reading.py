"""Whatever IPython would run as a command is read as one: cells put together at random, read by both."""

from __future__ import annotations

import ast
import os
import random
import warnings

from IPython.core.inputtransformer2 import TransformerManager

from tests.check.build import criticise

WHOLE = os.environ.get("HOSTILE_WHOLE") == "1"
PIECES = r"""
!id|%run x|x = !id|x = %run y|y = (1,|  2)|# c|'''|s = 'a'|s = "it's"|!id \|  b|for i in y:|    !id|    pass|%%bash
%%time|  %%bash|f?|?f|x = 1 \| + 2|d = {'a':|'!b': 1}|x['a'] = !id|a, b = %run z|# \|x = '\|!id'|>>> x = 1|>>> !id|... y
In [1]: !id|   ...: x|if x: !id|x = f(a)[0] = !id|x != !y|x == %y|f'{x!r}'|\|x : int = !id|(a, b) = !id|*a, = !id
a.b = %run c|  x = 1|'''abc'''|r'\'|!!id|a = b if c else %d|%time f() \|%time %run x|,f a b
"""
ENDS = ("\n", "\n", "\n", "\r", "\r\n", "\x0c\n", "\u2028")
RUNS = (".system(", ".getoutput(", "run_line_magic('run'", "run_cell_magic('bash'", "run_line_magic('time', '%run")


def test_a_command_of_ipythons_is_never_a_plain_click() -> None:
    choose = random.Random(7)
    pieces = [piece for line in PIECES.strip("\n").split("\n") for piece in line.split("|")]
    transform, seen = TransformerManager().transform_cell, 0
    for _ in range(20_000 if WHOLE else 2_000):
        cell = "".join(choose.choice(pieces) + choose.choice(ENDS) for _ in range(choose.randint(1, 6)))
        python = _run_by(transform, cell)
        if any(command in python for command in RUNS):
            seen += 1
            assert any(each.severity == "danger" for each in criticise("f()", cell)), cell
    assert seen > 200


def _run_by(transform: object, cell: str) -> str:
    """The Python that IPython makes of a cell; empty if that does not parse either, so that nothing runs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            python = transform(cell)  # type: ignore[operator]  # a method
            return python if ast.parse(python) else ""
        except (SyntaxError, ValueError):
            return ""
