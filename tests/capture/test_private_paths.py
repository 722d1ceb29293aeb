"""The names of files near a missing one stay here, but for those that are seen in the working folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from reflex_ipython.capture.private_paths import private_paths
from reflex_ipython.capture.redactor import SecretRedactor
from reflex_ipython.models import Edit, Failure, Fix, Verdict
from reflex_ipython.propose.prompt import build_messages
from reflex_ipython.protocols import Attempt, Request
from reflex_ipython.repairs.pipeline import without_secrets
from tests.capture.conftest import Notebook

KEY = "sk-proj-Zq3vT9xW2mL7pR4kB8nD1cF6"


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder beside others."""
    files = ("work/sales.csv", "work/.drafts/sale.txt", f"work/{KEY}.csv", "above/sale.csv", "sale.csv", "linked/x.csv")
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "work" / "data").symlink_to(tmp_path / "linked")
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("HOME", str(tmp_path / "above"))
    return tmp_path


def sent(failure: Failure, request: Request | None = None) -> str:
    """All that a model would be asked."""
    cause, request = without_secrets(failure, request or Request(), SecretRedactor())
    return str(build_messages(cause, request.hint, request.attempts))


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("sale.csv", "../sale.csv"),
        ("~/sales.csv", "~/sale.csv"),
        (".drafts/sales.txt", ".drafts/sale.txt"),
        ("../above/sales.csv", "../above/sale.csv"),
        ("data/y.csv", "data/x.csv"),
    ],
)
def test_what_is_outside_or_hidden_helps_the_rules_and_is_sent_to_nobody(
    notebook: Notebook, work: Path, wanted: str, found: str
) -> None:
    failure = notebook.fail(f"open(__import__('os').path.expanduser({wanted!r}))")
    there = failure.lookup.available if failure.lookup is not None else ()
    found = found.replace("~", str(work / "above"))
    assert found in there
    assert found in private_paths(failure)
    assert "sales.csv" not in private_paths(failure)
    asked = sent(failure)
    assert "sales.csv" in asked
    assert found not in asked
    assert "~/sale.csv" not in asked, "nor the home folder's, under its short name"


def test_an_absolute_path_into_the_working_folder_may_be_told(notebook: Notebook, work: Path) -> None:
    failure = notebook.fail(f"open({str(work / 'work' / 'sale.csv')!r})")
    assert str(work / "work" / "sales.csv") not in private_paths(failure)


def test_a_secret_in_the_name_of_a_file_is_taken_out(notebook: Notebook, work: Path) -> None:
    failure = notebook.fail("open('sale.csv')")
    assert f"{KEY}.csv" in (failure.lookup.available if failure.lookup is not None else ())
    assert KEY not in sent(failure)


def test_an_earlier_fix_that_names_such_a_file_is_not_sent_either(notebook: Notebook, work: Path) -> None:
    failure = notebook.fail("open('sale.csv')")
    place, source = failure.situation.place, failure.situation.source

    def attempt(path: str) -> Attempt:
        return Attempt(Fix(path, (Edit(place, source, f"open({path!r})"),), f"There is `{path}`.", "rule"), Verdict())

    asked = sent(failure, Request(attempts=(attempt("../sale.csv"), attempt("sales.csv"))))
    assert "There is `sales.csv`." in asked or "open('sales.csv')" in asked
    assert "../sale.csv" not in asked
