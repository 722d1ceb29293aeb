"""What a trial put out and changed, in a few words."""

from __future__ import annotations

import pytest

from reflex_ipython.models import MOST_CHANGES, NameChange, Trial, ValueFacts
from reflex_ipython.present.preview import preview, put_out

FRAME = ValueFacts("pandas.core.frame.DataFrame", (3, 2))


def seen(**observed):
    found = preview(Trial("passed", **observed))
    assert found is not None
    return found


@pytest.mark.parametrize("observed", [{}, {"stdout": "\n \n"}, {"result": " "}])
def test_a_trial_that_showed_and_changed_nothing_has_no_preview(observed):
    assert preview(Trial("passed", **observed)) is None


@pytest.mark.parametrize(
    ("observed", "counted", "summary"),
    [
        ({"stdout": "one\n"}, "prints 1 line", "what it printed"),
        ({"stdout": "one\n\nthree"}, "prints 3 lines", "what it printed"),
        ({"result": "42"}, "shows a result", "what it shows"),
        ({"figures": 1, "image": "iVBORw0KGgo="}, "shows 1 figure", "what it shows"),
        ({"figures": 2}, "shows 2 figures", "what it shows"),
        ({"changes": (NameChange("x", "added"),)}, "", "adds `x`"),
        ({"stdout": "a", "changes": (NameChange("x", "added"),)}, "prints 1 line", "what it printed · adds `x`"),
        (
            {"stdout": "a", "figures": 1, "result": "b"},
            "prints 1 line · shows 1 figure · shows a result",
            "what it shows",
        ),
    ],
)
def test_what_is_put_out_is_counted_and_the_fold_says_what_there_is_to_see(observed, counted, summary):
    assert " · ".join(put_out(Trial("passed", **observed))) == counted
    assert seen(**observed).summary == summary


def test_without_a_fold_only_what_it_did_to_names_is_told():
    assert seen(stdout="a").effects == ""
    assert seen(stdout="a", changes=(NameChange("x", "added"),)).effects == "adds `x`"


def test_the_summary_names_what_happened_to_names_kind_by_kind():
    kinds = [("b", "changed"), ("a", "added"), ("c", "rebound"), ("d", "removed"), ("e", "added")]
    changes = tuple(NameChange(name, kind) for name, kind in kinds)
    assert seen(changes=changes).summary == "adds `a`, `e` · removes `d` · replaces `c` · changes `b`"


def test_many_names_are_counted_in_the_summary_and_in_the_list():
    changes = tuple(NameChange(f"n{number}", "added") for number in range(25))
    found = seen(changes=changes)
    assert found.summary == "adds `n0`, `n1`, `n2` and 22 more"
    assert len(found.changes) == 21
    assert found.changes[-1] == "and 5 more"


def test_where_more_names_changed_than_a_trial_tells_of_the_rest_is_not_counted():
    changes = (NameChange("old", "rebound"), *(NameChange(f"n{number}", "added") for number in range(MOST_CHANGES - 1)))
    found = seen(changes=changes)
    assert found.summary == "adds `n0`, `n1`, `n2` and many more · replaces `old`"
    assert found.changes[-1] == "and many more"


def test_the_output_is_what_was_printed_and_then_the_result():
    assert seen(stdout="first\nsecond\n\n", result="  3\n").output == "first\nsecond\n  3"
    assert seen(result="3").output == "3"


def test_indents_and_empty_lines_inside_of_the_output_are_kept():
    assert seen(stdout="\n  a\n\n b\n").output == "  a\n\n b"


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("0%\r50%\r100%\ndone", "100%\ndone"),
        ("one\r\ntwo\r\n", "one\ntwo"),
        ("ends so\r", "ends so"),
    ],
)
def test_printed_text_is_shown_as_a_terminal_leaves_it(printed, shown):
    assert seen(stdout=printed).output == shown


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (NameChange("df", "added", None, FRAME), "adds `df`: DataFrame, 3 × 2"),
        (NameChange("df", "removed", FRAME, None), "removes `df`: DataFrame, 3 × 2"),
        (NameChange("x", "rebound", ValueFacts("int"), ValueFacts("str")), "replaces `x`: int → str"),
        (NameChange("x", "changed", ValueFacts("my.Box"), ValueFacts("my.Box")), "changes `x`: Box"),
        (NameChange("x", "changed"), "changes `x`"),
        (
            NameChange("items", "changed", ValueFacts("list", length=2), ValueFacts("list", length=3)),
            "changes `items`: list of 2 → list of 3",
        ),
        (NameChange("s", "added", None, ValueFacts("str", length=3)), "adds `s`: str, 3 characters"),
        (
            NameChange("a", "added", None, ValueFacts("numpy.ndarray", (), "float64")),
            "adds `a`: ndarray, a single value, float64",
        ),
        (
            NameChange("a", "added", None, ValueFacts("numpy.ndarray", (2, 0), "int8")),
            "adds `a`: ndarray, 2 × 0, int8",
        ),
    ],
)
def test_a_change_is_a_line_of_facts(change, line):
    assert seen(changes=(change,)).changes == (line,)


def test_the_figure_is_handed_on():
    assert seen(figures=1, image="iVBORw0KGgo=").image == "iVBORw0KGgo="
