"""What holds for any cell."""

from __future__ import annotations

import builtins
import keyword

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reflex_ipython.propose.rules.cell import read
from reflex_ipython.propose.rules.lexing import lex, mask
from reflex_ipython.propose.rules.syntax.search import STEPS, repaired_syntax
from tests.propose.rules.build import broken, sure, undefined

WORDS = st.sampled_from(
    ["region", "sales", "total", "price", "weight", "height", "length", "column", "number", "amount"]
)
NAMES = st.lists(WORDS, min_size=1, max_size=3).map("_".join)
FRAGMENTS = st.sampled_from(
    [
        "x = 1",
        "if x == 3:",
        "if x = 3",
        "for i in range(3)",
        "    print(x)",
        "    print x",
        "else:",
        "y = [1, 2",
        "foo(a, 'b'",
        ")",
        "]",
        "s = 'it's'",
        't = "text',
        "%matplotlib inline",
        "!ls",
        "z = !ls",
        "# comment",
        "“q”",
        "i++",
        "a && b",
        "d = {'a': 1 'b': 2}",
        "def f:",
        "\treturn 1",
        "'''",
        "",
        "é = 'ü' # ß",
        ">>> x",
        "```",
        "date(2024, 03, 09)",
        "x.y?",
    ]
)
MASKED = {"%matplotlib inline": "pass", "!ls": "pass", "z = !ls": "z = None", "x.y?": "pass"}
CELLS = st.lists(FRAGMENTS, min_size=1, max_size=7).map("\n".join)


def slips(word: str) -> list[str]:
    """The word with one letter dropped or doubled, or two neighbours swapped; not at its start."""
    places = range(1, len(word))
    dropped = [word[:i] + word[i + 1 :] for i in places]
    doubled = [word[:i] + word[i] + word[i:] for i in places]
    swapped = [word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(1, len(word) - 1)]
    return sorted({*dropped, *doubled, *swapped} - {word})


@given(name=NAMES, others=st.sets(NAMES, max_size=12), data=st.data())
@settings(max_examples=300, deadline=None)
def test_a_misspelt_name_is_restored_or_left_alone(name: str, others: set[str], data: st.DataObject) -> None:
    others.discard(name)
    wrong = data.draw(st.sampled_from(slips(name)))
    assume(
        wrong.isidentifier() and not keyword.iskeyword(wrong) and wrong not in others and not hasattr(builtins, wrong)
    )
    cell = f"# {wrong} é\ny = {{}} + 1  # {wrong}\nprint('{wrong}', {{}}, y)\n"
    found = sure(undefined(cell.format(wrong, wrong), wrong, name, *others, line=2))
    assert [fix.edits[-1].source for fix in found] in ([], [cell.format(name, name)])


@given(source=CELLS)
@settings(max_examples=400, deadline=None)
def test_whatever_is_proposed_for_a_broken_cell_parses(source: str) -> None:
    for proposal in repaired_syntax(broken(source)):
        assert read(proposal.source).problem is None
        assert proposal.source != source


@given(source=CELLS)
@settings(max_examples=200, deadline=None)
def test_no_step_raises_and_a_step_never_yields_what_costs_nothing(source: str) -> None:
    cell = read(source)
    if cell.problem is not None:
        for step in STEPS:
            for candidate in step(cell):
                assert candidate.cost > 0 or candidate.source == source


@given(source=st.text(max_size=80) | CELLS)
@settings(max_examples=300, deadline=None)
def test_tokens_cover_all_but_white_space_in_order(source: str) -> None:
    position = 0
    for token in lex(source):
        gap = source[position : token.start].replace("\\\n", "").replace("\\\r", "").replace("\n", "")
        assert not gap.strip(" \t\f")
        assert source[token.start : token.end] == token.text
        position = token.end


@given(source=CELLS)
@settings(max_examples=200, deadline=None)
def test_masking_leaves_python_alone_and_keeps_every_line_where_it_was(source: str) -> None:
    lines, masked = source.split("\n"), mask(source).split("\n")
    assert len(masked) == len(lines)
    assert all(new in (old, MASKED.get(old)) for old, new in zip(lines, masked))


@pytest.mark.parametrize(
    ("source", "masked"),
    [
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("if x:\n    !ls {x}\n    y = 1", "if x:\n    pass\n    y = 1"),
        ("files = !ls\nprint(files)", "files = None\nprint(files)"),
        ("a = %timeit -o f()", "a = None"),
        ("%%bash\nls\necho", "pass\n\n"),
        ("!echo \\\n  two\nx", "pass\n\nx"),
        ("x = a %b\ny = 'a\\\n%ls'", "x = a %b\ny = 'a\\\n%ls'"),
    ],
)
def test_a_masked_magic_is_python_that_means_nothing(source: str, masked: str) -> None:
    assert mask(source) == masked
