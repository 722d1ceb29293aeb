"""IPython's own syntax is told from Python as IPython does, and what a magic holds that nobody knows is looked at."""

from __future__ import annotations

import ast
import random

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from reflex_ipython.base.cell_magics import content
from reflex_ipython.base.magics import as_ipython, code_in, in_place, is_magic, python_in
from reflex_ipython.base.parsing import parse

PIECES = r"""
!id|%run x|x = !id|x = %run y|# c|s = 'a'|for i in y:|    !id|    pass|f?|?f|'b!'
x['a'] = !id|a, b = %run z|if x: !id|x = f(a)[0] = !id|x != !y|x += !y|x == %y
x : int = !id|(a, b) = !id|*a, = !id|a.b = %run c|  x = 1|!!id|print = !id|if x =! 3:|x = a?|x[0]?|%time f() \|,f a b
/f a|y = (1,!2)
"""  # what goes on over lines is left out: a request for help takes all of it for its own


def test_what_ipython_makes_python_of_is_python_here() -> None:
    choose, transform, seen = random.Random(5), TransformerManager().transform_cell, 0
    pieces = [piece for line in PIECES.strip("\n").split("\n") for piece in line.split("|")]
    for _ in range(3_000):
        cell = "".join(choose.choice(pieces) + "\n" for _ in range(choose.randint(1, 4)))
        try:
            python = ast.parse(transform(cell))
        except SyntaxError:
            continue
        read = parse(cell) or parse(as_ipython(cell).python(lambda magic: magic.call or magic.stand_in))
        assert read is not None, cell
        assert len(read.body) == len(python.body), cell
        seen += 1
    assert seen > 500


@pytest.mark.parametrize(
    ("source", "python"),
    [
        ("%time x\ny = !ls -l\nz", "pass\ny = None\nz"),
        ("!echo \\\n  two\nx", "pass\n\nx"),
        ("s = '''\n%no\n'''\n!ls", "s = '''\n%no\n'''\npass"),
        ("f(x=!y\n)\n!ls", "f(x=!y\n)\npass"),
        ("if x =! 3:\n    !ls", "if x =! 3:\n    pass"),
        ("print = !ls", "print = None"),
        ("x != !y", "x != !y"),
        ("f(a)?\n!ls", "f(a)?\npass"),
        ("%%time\n%%bash\nls", "pass\npass\n"),
        ("%%bash?\nx = !ls", "pass\nx = None"),
        ("%%bash\nls\necho", "pass\n\n"),
        ("%%mine --fast\nx = !ls\ny", "pass\nx = None\ny"),
        ("%%mine\nSELECT * FROM x", "pass\n"),
    ],
)
def test_magics_give_way_to_python_that_means_nothing_and_lines_keep_their_numbers(source: str, python: str) -> None:
    assert as_ipython(source).python() == python
    if in_place(source).magics:
        assert in_place(source).python() == python


def test_prompts_and_common_indentation_go_only_where_a_cell_is_read_as_ipython_does() -> None:
    assert as_ipython("  >>> x = 1\n  >>> !ls").python() == "x = 1\npass"
    assert in_place("  x = 1\n  !ls").python() == "  x = 1\n  pass"


def test_below_a_cell_magic_is_read_as_a_cell() -> None:
    read = as_ipython("%%time\n  >>> !ls\n  >>> x")
    assert read.python() == "pass\npass\nx"
    assert [magic.text for magic in read.magics] == ["%%time", "!ls"]


@pytest.mark.parametrize(
    ("source", "foreign", "texts"),
    [
        ("%%mine\nx = 1\n!ls", False, ["%%mine\nx = 1\n!ls", "!ls"]),
        ("%%mine\nfor x in", True, ["%%mine\nfor x in"]),
        ("%%sql\nx", True, ["%%sql\nx"]),
        ("%%time\n%%bash\nls", True, ["%%time", "%%bash\nls"]),
    ],
)
def test_a_cell_magic_that_nobody_knows_holds_python_if_that_can_be_read(
    source: str, foreign: bool, texts: list[str]
) -> None:
    read = as_ipython(source)
    assert read.foreign == foreign
    assert [magic.text for magic in read.magics] == texts


def test_what_another_process_runs_is_no_python_of_this_cell() -> None:
    assert in_place("%%px\nx = 1").foreign
    assert not as_ipython("%%px\nx = 1").foreign


@pytest.mark.parametrize(
    ("line", "held"),
    [
        ("%%time", "python"),
        ("%%capture out", "python"),
        ("%%px --local", "elsewhere"),
        ("%%bash", "other"),
        ("%%!", "other"),
        ("%%timer", "unknown"),
        ("%% time", "unknown"),
        ("%%mine", "unknown"),
    ],
)
def test_what_a_cell_magic_holds(line: str, held: str) -> None:
    assert content(line) == held


@pytest.mark.parametrize(
    ("magic", "python"),
    [
        ("%time f(x)", "f(x)"),
        ("%timeit -n 3 f(x)", "f(x)"),
        ("%%timeit import os\nos.remove(x)", "import os"),
        ("%lprun -f f f(x)", "f(x)"),
    ],
)
def test_the_python_that_a_magic_has_as_its_argument(magic: str, python: str) -> None:
    assert list(python_in(magic))[-1] == python
    assert not list(python_in("%matplotlib inline"))


def test_a_single_line_may_be_a_magic_without_its_sign_where_that_is_asked() -> None:
    assert [magic.text for magic in as_ipython("run x.py", automatic=True).magics] == ["%run x.py"]
    assert not as_ipython("run x.py").magics
    assert not as_ipython("run x.py\ny", automatic=True).magics


@pytest.mark.parametrize("line", ["%run x", "  !ls", "?f", "f?", "a.b??", "x[0]?"])
def test_a_line_that_is_a_magic(line: str) -> None:
    assert is_magic(line)


@pytest.mark.parametrize("line", ["x = 1", "f(x)?", "'a?'", "# why?", "x = '?'", ""])
def test_a_line_that_is_none(line: str) -> None:
    assert not is_magic(line)


@pytest.mark.parametrize("source", ["", "\n", "   ", "%%", "%", "!", "?", "\\", "\r", "%%time", "%%mine", "x?\r\ny"])
def test_odd_cells_are_no_trouble(source: str) -> None:
    for read in (as_ipython(source), in_place(source)):
        assert isinstance(read.python(), str)


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("%time f(x)", "f(x)"),
        ("%time x = -y", "x = -y"),
        ("%time -y + 1", "-y + 1"),
        ("%timeit -n 10 -r3 -q f(x)", "f(x)"),
        ("%timeit -n10 -o f( x )", "f( x )"),
        ("%prun -s cumulative -l 10 f(x)", "f(x)"),
        ("% time  f(x)", "f(x)"),
        ("%lprun -f f f(x)", "f(x)"),
        ("%time --no-raise-error f(x)", "f(x)"),
    ],
)
def test_the_python_of_a_line_magic_is_found_where_it_stands(source: str, code: str) -> None:
    [magic] = in_place(source).magics
    start = code_in(magic)
    assert start is not None
    assert magic.text[start:] == code


@pytest.mark.parametrize("source", ["%time", "%matplotlib inline", "x = %timeit -o f(x)", "!time ls", "%%time\nf(x)"])
def test_other_magics_hold_no_python_in_their_line(source: str) -> None:
    assert [code_in(magic) for magic in in_place(source).magics] == [None]
