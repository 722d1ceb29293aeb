"""Which definitions a new text changes."""

from __future__ import annotations

import ast

import pytest

from reflex_ipython.state.changed import changed_definitions


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("def f(): return 1\ndef g(): pass", "def f(): return 2\ndef g(): pass", ("f",)),
        ("def f(): return 1", "# why\ndef f():\n    return 1", ()),
        ("class A:\n def m(self): pass\n def n(self): pass", "class A:\n def m(self): 1\n def n(self): pass", ("A.m",)),
        ("def f():\n def g(): return 1\n return g", "def f():\n def g(): return 2\n return g", ("f",)),
        ("RATE = 1\ndef f(): return RATE", "RATE = 2\ndef f(): return RATE", ("RATE",)),
        ("def f(): pass", "g = 1", ("f",)),
        ("def f(): pass", "import math\ndef f(): pass", ()),
        ("f = lambda: 1\nx = 3", "f = lambda: 2\nx = 3", ("f",)),
        ("class A:\n x = 1\n def m(self): pass", "class A:\n x = 2\n def m(self): pass", ("A.x",)),
        ("class A(B):\n x = 1", "class A(C):\n x = 1", ("A",)),
        ("@dataclass\nclass A:\n x: int = 1", "@dataclass\nclass A:\n x: int = 2", ("A",)),
        ("class A:\n x = 1\n y = 1", "class A:\n x = 1", ("A.y",)),
        ("import numpy as np", "import cupy as np", ("np",)),
        ("import os.path", "import os", ("os",)),
        ("x = y", "x = 2", ("x",)),
        ("x = 1\nx += 1\nx += 1", "x = 1\nx += 1", ("x",)),
        ("class A:\n async def m(self): pass", "class A:\n async def m(self): 1", ("A.m",)),
    ],
)
def test_what_differs_is_named(old: str, new: str, changed: tuple[str, ...]) -> None:
    assert changed_definitions(ast.parse(old), ast.parse(new)) == changed
