from __future__ import annotations

import pytest

from reflex_ipython.capture import fingerprint
from reflex_ipython.capture.fingerprint import normalized
from tests.capture.conftest import Notebook


def test_the_same_mistake_has_the_same_fingerprint(notebook: Notebook) -> None:
    notebook.run("d = {'region': 1}")

    first = notebook.fail("x = 1\nd['regoin']")
    second = notebook.fail('\n# again\nd[ "regoin" ]  # here\n')

    assert fingerprint(first) == fingerprint(second)
    assert len(fingerprint(first)) == 32


@pytest.mark.parametrize("other", ["d['regino']", "d.pop('regoin')", "raise KeyError('regoin')", "e['regoin']"])
def test_another_mistake_has_another_fingerprint(notebook: Notebook, other: str) -> None:
    notebook.run("d = e = {'region': 1}")

    assert fingerprint(notebook.fail("d['regoin']")) != fingerprint(notebook.fail(other))


def test_only_the_failing_statement_counts(notebook: Notebook) -> None:
    assert fingerprint(notebook.fail("for i in [1]:\n    1 / 0")) == fingerprint(notebook.fail("a = 5\n1 / 0"))


def test_a_cell_that_does_not_parse_has_a_fingerprint(notebook: Notebook) -> None:
    notebook.run("x = 1")
    failure = notebook.capture(SyntaxError("invalid syntax", ("<cell>", 1, 5, "y = = 1")), "y = = 1", stage="syntax")

    assert fingerprint(failure) == fingerprint(failure)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<A object at 0x7f12ab> failed", "<A object at 0x99> failed"),
        ("No such file: '/home/ann/x.csv'", "No such file: '/data/x.csv'"),
        ("shapes (3,2) and (4,)", "shapes (10,20) and (5,)"),
        ("invalid syntax (<ipython-input-3-abc>, line 7)", "invalid syntax (<ipython-input-9-def>, line 12)"),
        ("two  spaces\n", "two spaces"),
    ],
)
def test_what_differs_from_run_to_run_does_not_count(one: str, other: str) -> None:
    assert normalized(one) == normalized(other)


@pytest.mark.parametrize(("one", "other"), [("name 'a'", "name 'b'"), ("'x1'", "'x2'"), ("file a.csv", "file b.csv")])
def test_names_count(one: str, other: str) -> None:
    assert normalized(one) != normalized(other)
