"""Magics that are misspelt, of the other kind, or of an extension that is not loaded."""

from __future__ import annotations

import pytest

from reflex_ipython.models import Failure, Lookup
from tests.propose.rules.build import broken, failure, fixed, fixes, no_module, offered

THERE = ("%time", "%timeit", "%matplotlib", "%pwd", "%cd", "%load_ext", "%%time", "%%timeit", "%%bash", "%%capture")


def unknown(source: str, wanted: str, line: int = 1) -> Failure:
    kind = "Cell magic" if wanted.startswith("%%") else "Line magic function"
    lookup = Lookup("magic", wanted, available=THERE)
    return failure(source, f"UsageError: {kind} `{wanted}` not found.", lookup=lookup, line=line)


@pytest.mark.parametrize(
    ("source", "wanted", "line", "expected"),
    [
        ("%matplotlb inline", "%matplotlb", 1, "%matplotlib inline"),
        ("x = 1\n%tiemit -n 3 f(x)", "%tiemit", 2, "x = 1\n%timeit -n 3 f(x)"),
        ("%%tmie\nf(x)", "%%tmie", 2, "%%time\nf(x)"),
        ("%%matplotlib inline\nimport os", "%%matplotlib", 2, "%matplotlib inline\nimport os"),
        ("x = 1\n%autoreload 2", "%autoreload", 2, "x = 1\n%load_ext autoreload\n%autoreload 2"),
        ("if x:\n    %autoreload 2", "%autoreload", 2, "if x:\n    %load_ext autoreload\n    %autoreload 2"),
        ("best = %tiemit -o f(x)", "%tiemit", 1, "best = %timeit -o f(x)"),
    ],
)
def test_the_magic_that_is_meant_is_written(source: str, wanted: str, line: int, expected: str) -> None:
    assert fixed(unknown(source, wanted, line)) == expected


def test_a_magic_of_a_whole_cell_is_offered_only_where_it_may_stand() -> None:
    assert "%%bash\nls" not in offered(unknown("x = 1\n%bash ls", "%bash", 2))
    assert offered(unknown("%bash\nls", "%bash")) == {"%%bash\nls": 0.7}


def test_what_may_be_any_magic_is_none() -> None:
    assert fixes(unknown("%foobar 3", "%foobar")) == []


@pytest.mark.parametrize(
    ("source", "error", "expected"),
    [
        ("%matplotlib inlin\nx = 1", "RuntimeError: 'inlin' is not a recognised GUI loop or backend name", "inline"),
        ("%matplotlib noteboook", "RuntimeError: 'noteboook' is not a recognised GUI loop or backend name", "notebook"),
        ("%matplotlib Inlin", "KeyError: 'inlin'", "inline"),
    ],
)
def test_matplotlibs_backend_is_spelt_as_it_is_called(source: str, error: str, expected: str) -> None:
    assert fixed(failure(source, error)) == source.replace(source.split()[1], expected)


def test_an_extension_is_spelt_as_it_is_called() -> None:
    assert fixed(no_module("%load_ext autorelod\nx = 1", "autorelod", "numpy")) == "%load_ext autoreload\nx = 1"
    assert fixes(no_module("%load_ext something", "something", "numpy")) == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("$ echo ready", "!echo ready"),
        ("$ pip list", "%pip list"),
        ("x = 1\n$ ls -l data\n$ cat a.txt", "x = 1\n!ls -l data\n!cat a.txt"),
    ],
)
def test_a_line_copied_from_a_terminal_is_a_command(source: str, expected: str) -> None:
    found = fixes(broken(source))
    assert [fix.edits[-1].source for fix in found] == [expected]
