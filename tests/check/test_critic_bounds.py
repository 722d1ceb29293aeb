"""Where the critic's findings end: what looks alike and is something else."""

from __future__ import annotations

import codecs

import pytest

from reflex_ipython.check.verdict import reason
from reflex_ipython.models import ExceptionInfo, Trial
from tests.check import build
from tests.check.build import codes


@pytest.mark.parametrize("path", ["../x.csv", "..", "data/../../x.csv", "$HOME/x.csv", "~ann/x.csv", "/tmp/x.csv"])
def test_a_path_that_leads_out_of_the_folder_is_outside(path: str) -> None:
    assert codes("df.head()", f"df.head().to_csv({path!r})") == ["writes-outside"]


def test_a_hidden_one_is_told_as_such() -> None:
    assert codes("df.head()", "df.head().to_csv('.x.csv')") == ["writes-hidden"]


@pytest.mark.parametrize("path", ["x.csv", "out/x.csv", "./x.csv"])
def test_a_path_in_the_folder_is_not(path: str) -> None:
    assert codes("df.head()", f"df.head().to_csv({path!r})") == ["writes-file"]


@pytest.mark.parametrize(
    "call",
    [
        "warnings.filterwarnings('error')",
        "warnings.filterwarnings('default', category=DeprecationWarning)",
        "warnings.simplefilter('always')",
        "numpy.seterr(all='raise')",
    ],
)
def test_a_filter_that_ignores_nothing_silences_nothing(call: str) -> None:
    assert codes("f()", f"import warnings, numpy\n{call}\nf(1)") == []


@pytest.mark.parametrize(
    "text",
    [
        "'x'.encode('tests_unknown')",
        "b'x'.decode(encoding='tests_unknown')",
        "codecs.decode(b'x', 'tests_unknown')",
        "str(b'x', 'tests_unknown')",
        "bytes('x', 'tests_unknown')",
    ],
)
def test_what_a_codec_of_the_users_makes_of_a_text_is_not_asked(text: str) -> None:
    asked: list[str] = []
    codecs.register(asked.append)
    try:
        assert codes("f()", f"import codecs\nf({text})") == []
    finally:
        codecs.unregister(asked.append)
    assert not asked


GUARDS = {
    "the same condition once more": ("if a:\n    y = d['a'] + 1", "if a:\n    if a:\n        y = d['b'] + 1", 2),
    "another condition in place of the old": ("if d.a:\n    y = d['a'] + 1", "if 'a' in d:\n    y = d['a'] + 1", 2),
    "the same condition, spelt otherwise": ("if a:\n    y = d['a'] + 1", "if (a ):\n    y = d['b'] + 1", 2),
}


@pytest.mark.parametrize(("old", "new", "line"), GUARDS.values(), ids=GUARDS)
def test_work_that_was_conditional_before_is_not_run_only_sometimes_now(old: str, new: str, line: int) -> None:
    assert codes(old, new, line=line) == []


SAID = {
    "the same": ("KeyError", "'a'", "still raises KeyError on line 3"),
    "another message": ("KeyError", "'b'", "raises KeyError on line 3 instead"),
    "another error": ("ValueError", "'a'", "raises ValueError on line 3 instead"),
}


@pytest.mark.parametrize(("ename", "evalue", "words"), SAID.values(), ids=SAID)
def test_an_error_is_the_same_only_with_the_same_message(ename: str, evalue: str, words: str) -> None:
    failure = build.failure("d['a']", exceptions=(ExceptionInfo("KeyError", "'a'"),))
    trial = Trial("other_error", ename=ename, evalue=evalue, lineno=3)
    assert reason(failure, trial) == words
