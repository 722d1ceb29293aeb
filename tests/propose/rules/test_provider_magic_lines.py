"""What a line magic runs is mended like any other code, and the magic stays in front of it."""

from __future__ import annotations

import pytest

from reflex_ipython.propose.rules.magic_lines import magic_line
from tests.propose.rules.build import failure, fixed, offered, undefined


@pytest.mark.parametrize(
    ("source", "line", "expected"),
    [
        ("%time result = sorted(wrods)", 1, "%time result = sorted(words)"),
        ("%timeit -n 10 -r3 sorted(wrods)", 1, "%timeit -n 10 -r3 sorted(words)"),
        ("%prun -s cumulative -q sorted(wrods)", 1, "%prun -s cumulative -q sorted(words)"),
        ("x = 1\n% time  sorted( wrods )  # all\ny = 2", 2, "x = 1\n% time  sorted( words )  # all\ny = 2"),
        ("%matplotlib inline\n%time for w in wrods: print(w)", 2, None),
        ("def f():\n    %time print(wrods)\nf()", 2, "def f():\n    %time print(words)\nf()"),
    ],
)
def test_the_code_is_mended_and_nothing_else(source: str, line: int, expected: str | None) -> None:
    expected = expected or source.replace("wrods", "words")
    assert fixed(undefined(source, "wrods", "words", "f", line=line)) == expected


def test_an_import_comes_above_the_magic() -> None:
    found = offered(undefined("%time root = math.sqrt(4)", "math"))
    assert "import math\n%time root = math.sqrt(4)" in found


def test_what_the_magic_could_not_compile_is_mended_as_syntax() -> None:
    failed = failure("%time sorted(words", "SyntaxError: incomplete input (<unknown>, line 1)")
    assert "%time sorted(words)" in offered(failed)


@pytest.mark.parametrize(
    "source",
    ["%matplotlib inline", "%time", "!ls wrods", "%%time\nwrods", "best = %timeit -o sorted(wrods)", "%cd wrods"],
)
def test_a_magic_that_runs_no_python_of_its_line_is_left_alone(source: str) -> None:
    assert magic_line(undefined(source, "wrods", "words")) is None
