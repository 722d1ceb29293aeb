"""Where a module of the user's own is, and whether it has changed since it was imported."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.capture.conftest import Notebook


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "project" / "notebooks" / "lib").mkdir(parents=True)
    (tmp_path / "project" / "src").mkdir()
    here = tmp_path / "project" / "notebooks"
    monkeypatch.chdir(here)
    monkeypatch.syspath_prepend(str(here))
    return here


def test_a_module_that_is_not_found_comes_with_the_files_called_so(folder: Path, notebook: Notebook) -> None:
    (folder / "lib" / "tidy_own.py").write_text("a = 1\n")
    (folder.parent / "src" / "tidy_own.py").write_text("a = 1\n")
    found = notebook.fail("import tidy_own").lookup
    assert found is not None
    assert found.holders == {"lib/tidy_own.py": "file", "../src/tidy_own.py": "file"}


def test_a_package_beside_the_folder_is_found_by_its_first_part(folder: Path, notebook: Notebook) -> None:
    found = notebook.fail("from src.tidy import clean").lookup
    assert found is not None
    assert found.holders == {"../src/": "file"}


@pytest.mark.parametrize("source", ["own_shapes.side(3)", "from own_shapes import side"])
def test_a_module_whose_file_has_the_name_by_now_is_told(folder: Path, notebook: Notebook, source: str) -> None:
    path = folder / "own_shapes.py"
    path.write_text("def area(a): return a\n")
    try:
        notebook.run("import own_shapes")
        before = notebook.fail(source).lookup
        path.write_text("def area(a): return a\ndef side(a): return a\n")
        after = notebook.fail(source).lookup
    finally:
        sys.modules.pop("own_shapes", None)
    assert before is not None
    assert after is not None
    assert (before.holders, after.holders) == ({}, {"own_shapes.py": "file"})


def test_a_module_that_is_nowhere_comes_with_the_files_that_have_the_name_asked_of_it(
    folder: Path, notebook: Notebook
) -> None:
    (folder / "lib" / "words.py").write_text("def slug(text): return text\n")
    found = notebook.fail("from no_such_helpers.words import slug").lookup
    several = notebook.fail("from no_such_helpers.words import slug, title").lookup
    assert found is not None
    assert several is not None
    assert (found.holders, several.holders) == ({"lib/words.py": "defines"}, {})


def test_a_module_that_is_nowhere_comes_with_those_of_ones_own_that_have_a_name_like_it(
    folder: Path, notebook: Notebook, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = tmp_path_factory.mktemp("beside")
    monkeypatch.syspath_prepend(str(beside))
    (beside / "own_tidyhelp").mkdir()
    (beside / "own_tidyhelp" / "__init__.py").touch()
    for name in ("own_tidy.py", "own_tidyhelpeers.py", "own_shapes.py", "own.py"):
        (folder / name).touch()
    found = notebook.fail("import own_tidyhelpers").lookup
    assert found is not None
    assert found.holders == {"own_tidyhelp": "alike", "own_tidy": "alike", "own_tidyhelpeers": "alike"}


def test_what_is_installed_is_none_of_ones_own(folder: Path, notebook: Notebook) -> None:
    found = notebook.fail("import pytestx").lookup
    assert found is not None
    assert found.holders == {}


def test_a_file_with_a_name_like_it_that_has_what_was_asked_is_told_as_both(folder: Path, notebook: Notebook) -> None:
    (folder / "own_tidy.py").write_text("def slug(text): return text\n")
    found = notebook.fail("from own_tidyx import slug").lookup
    assert found is not None
    assert found.holders == {"own_tidy": "alike", "own_tidy.py": "defines"}
