"""Diffs lose nothing, mark only what differs, and take bounded time."""

from __future__ import annotations

import difflib
import inspect
import itertools
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflex_ipython.base import opcodes
from reflex_ipython.present import diff
from reflex_ipython.present.diff import Span, highlight, hunks, plain

words = st.sampled_from(
    ["x = 1", "y = f(x)", "", "    return x", "# note", 'text = """a', '"""', "df['a'].sum()", "\t", "\r", "é日本🐍"]
)
code = st.lists(words, max_size=12).map("\n".join)
anything = st.text(st.characters(blacklist_categories=()), max_size=60) | code


def side(found, name):
    return "\n".join(plain(line) for hunk in found for line in getattr(hunk, name))


@given(anything, anything)
def test_the_lines_of_each_side_joined_give_both_sources_back(old, new):
    found = hunks(old, new)
    assert side(found, "old") == old
    assert side(found, "new") == new


@given(code, code)
def test_hunks_alternate_and_are_numbered_without_gaps(old, new):
    found = hunks(old, new)
    assert all(a.changed != b.changed for a, b in itertools.pairwise(found))
    old_line, new_line = 1, 1
    for hunk in found:
        assert (hunk.old_start, hunk.new_start) == (old_line, new_line)
        old_line += len(hunk.old)
        new_line += len(hunk.new)


@given(code, code)
def test_equal_hunks_are_equal_and_changed_ones_differ(old, new):
    for hunk in hunks(old, new):
        before, after = [plain(line) for line in hunk.old], [plain(line) for line in hunk.new]
        assert (before != after) == hunk.changed


@given(anything)
def test_highlighting_never_loses_a_character(source):
    assert "\n".join(plain(line) for line in highlight(source)) == source


@given(code, code)
def test_what_is_not_marked_is_the_same_on_both_sides_of_a_line(old, new):
    for hunk in hunks(old, new):
        for before, after in zip(hunk.old, hunk.new):
            marked = any(span.changed for span in (*before, *after))
            if hunk.changed and marked:
                assert kept(before) == kept(after)


def kept(line):
    return "".join(span.text for span in line if not span.changed)


@given(code)
def test_nothing_is_marked_where_nothing_changed(source):
    [hunk] = hunks(source, source)
    assert not hunk.changed
    assert not any(span.changed for line in hunk.new for span in line)


def test_tokens_have_their_looks():
    [line] = highlight("def f(x): return len('a')  # b")
    looks = {span.text.strip(): span.token for span in line if span.token}
    assert looks["def"] == looks["return"] == "keyword"
    assert (looks["f"], looks["len"], looks["# b"]) == ("definition", "builtin", "comment")
    assert "string" in looks.values()


def test_a_string_over_several_lines_is_a_string_on_each():
    lines = highlight('x = """a\nb\n"""')
    assert [line[-1].token for line in lines] == ["string"] * 3


def test_near_a_change_a_long_source_looks_as_all_of_it_does_and_elsewhere_has_no_colours(monkeypatch):
    monkeypatch.setattr(diff, "NEAR", 4)
    source = inspect.getsource(diff)
    lines, whole = source.split("\n"), highlight(source)
    for at in range(0, len(lines), 7):
        looks = highlight(source, [(at, at + 1), (at + 3, at + 3), (at + 90, at + 90)])
        coloured = {n for one in (at, at + 3, at + 90) for n in range(one - 4, one + 5 - (one != at))}
        for number, (line, look) in enumerate(zip(lines, looks)):
            assert look == (whole[number] if number in coloured else ((Span(line),) if line else ())), number


def test_what_is_near_a_change_of_a_very_long_source_has_colours():
    old = "x = 1\n" * 20_000
    new = old[:60_000] + "y = 2\n" + old[60_000:]
    [_, change, _] = hunks(old, new)
    assert [line[-1].token for line in change.new] == ["number"]


def test_of_a_source_with_changes_everywhere_so_many_characters_have_colours():
    old = "".join(f"value_{n} = 'text'\n" for n in range(2_000))
    lines = old.split("\n")
    new = "\n".join("value = 12" if number % 70 == 50 else line for number, line in enumerate(lines))
    coloured = sum(len(plain(line)) for hunk in hunks(old, new) for line in hunk.new if any(s.token for s in line))
    assert 0.5 * diff.HIGHLIGHTED < coloured <= diff.HIGHLIGHTED


def test_a_text_that_goes_on_in_the_next_line_is_a_text_there(monkeypatch):
    monkeypatch.setattr(diff, "NEAR", 1)
    source = "x = 'a\\\n" + "b\\\n" * 20 + "c'\ny = 1"
    assert highlight(source, [(10, 11)])[10] == highlight(source)[10]


def test_a_long_text_is_gone_through_in_little_memory():
    source = "\n" * 200 + 'x = "' + "a" * 2_000_000 + '"\ny = 1'
    tracemalloc.start()
    highlight(source, [(0, 1)])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 30_000_000


def test_whole_words_are_marked():
    [hunk] = hunks('df.groupby("regoin").sum()', 'df.groupby("region").sum()')
    assert [span.text for span in hunk.old[0] if span.changed] == ["regoin"]
    assert [span.text for span in hunk.new[0] if span.changed] == ["region"]


def test_lines_that_have_little_in_common_are_not_marked():
    [hunk] = hunks("import os", "print(total(df), 'all of it')")
    assert not any(span.changed for line in (*hunk.old, *hunk.new) for span in line)


def test_a_span_is_cut_where_a_mark_begins():
    line = (Span("abcdef", "string"), Span("gh"))
    assert diff._split(line, [(2, 4), (5, 7)]) == (
        Span("ab", "string"),
        Span("cd", "string", True),
        Span("e", "string"),
        Span("f", "string", True),
        Span("g", "", True),
        Span("h"),
    )


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_the_steps_lead_from_one_sequence_to_the_other(old, new):
    steps = opcodes.opcodes(old, new)
    built = [item for tag, i1, i2, j1, j2 in steps for item in (old[i1:i2] if tag == "equal" else new[j1:j2])]
    assert built == new
    assert [item for _, i1, i2, _, _ in steps for item in old[i1:i2]] == old


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_similarity_is_that_of_the_steps(old, new):
    steps = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    assert opcodes.similarity(steps) == pytest.approx(difflib.SequenceMatcher(None, old, new, autojunk=False).ratio())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x\n" * 100_000, "x\n" * 50_000 + "y\n" + "x\n" * 50_000),
        ("a\nb\n" * 50_000, "b\na\nb\n" * 40_000),
        ('x = "' + "ab " * 300_000 + '"', 'x = "' + "ab " * 150_000 + "c " + "ab " * 150_000 + '"'),
    ],
    ids=["one line more", "repetitive", "a long line"],
)
def test_pasted_data_does_not_take_minutes(old, new):
    """Without its bounds `difflib` works on these for minutes; there is no clock here, but nobody would wait."""
    found = hunks(old, new)
    assert side(found, "old") == old
    assert side(found, "new") == new
