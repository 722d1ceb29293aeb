"""A fix is written into files: all or none, in one step, and not over what somebody else has written."""

from __future__ import annotations

import os
import py_compile
from pathlib import Path

import pytest

from reflex_ipython.errors import FileRefused
from reflex_ipython.models import Edit, FileRef
from reflex_ipython.repairs import own_files
from reflex_ipython.repairs.own_files import OwnFiles

OLD, NEW = "x = 1\n", "x = 2\n"


@pytest.fixture
def kept() -> list[tuple[str, bytes]]:
    return []


@pytest.fixture
def files(kept: list[tuple[str, bytes]]) -> OwnFiles:
    return OwnFiles(lambda path, data: kept.append((path, data)))


def edit(path: Path, old: str = OLD, new: str = NEW) -> Edit:
    return Edit(FileRef(str(path)), old, new)


def written(folder: Path, name: str = "a.py", text: str = OLD) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_what_a_file_held_is_kept_before_it_changes(files: OwnFiles, kept: list[object], tmp_path: Path) -> None:
    path = written(tmp_path)
    files.write([edit(path)])
    assert path.read_text() == NEW
    assert kept == [(str(path), OLD.encode())]


def test_all_are_written_or_none(files: OwnFiles, tmp_path: Path) -> None:
    first, second = written(tmp_path), written(tmp_path, "b.py", "mine = 1\n")
    with pytest.raises(FileRefused, match=r"^b\.py has changed since this fix was made\.$"):
        files.write([edit(first), edit(second)])
    assert first.read_text() == OLD


def test_those_that_were_written_are_as_they_were_where_a_later_one_fails(
    files: OwnFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = written(tmp_path), written(tmp_path, "b.py")
    replace = os.replace

    def full(source: str, target: str) -> None:
        if target == str(second):
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(own_files.os, "replace", full)
    with pytest.raises(FileRefused, match=r"^b\.py could not be written: No space left on device\.$"):
        files.write([edit(first), edit(second)])
    assert (first.read_text(), second.read_text()) == (OLD, OLD)
    assert sorted(os.listdir(tmp_path)) == ["a.py", "b.py"]


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda path: path.unlink(), "a.py can't be read any more."),
        (lambda path: path.chmod(0o444), "a.py is read-only."),
        (lambda path: os.link(path, path.with_name("b.py")), "a.py is one file under several names"),
        (lambda path: path.write_bytes(b"\xff\xfe"), "a.py has changed since this fix was made."),
    ],
    ids=["gone", "read-only", "hard link", "no text"],
)
def test_what_stands_in_the_way_is_said_and_nothing_is_written(
    files: OwnFiles, tmp_path: Path, spoil: object, words: str
) -> None:
    path = written(tmp_path)
    assert files.obstacle(edit(path)) == ""
    spoil(path)  # type: ignore[operator]  # one of the functions above
    assert files.obstacle(edit(path)).startswith(words)
    with pytest.raises(FileRefused):
        files.write([edit(path)])


def test_a_character_that_the_file_can_not_have_is_named(files: OwnFiles, tmp_path: Path) -> None:
    text = "# -*- coding: ascii -*-\nx = 1\n"
    path = written(tmp_path, text=text)
    assert files.obstacle(edit(path, text, text.replace("1", "'ä'"))) == "a.py is a text in ascii, which has no 'ä'."


def test_a_new_text_of_the_same_size_is_compiled_anew(files: OwnFiles, tmp_path: Path) -> None:
    path = written(tmp_path)
    py_compile.compile(str(path))
    before = path.stat()
    files.write([edit(path)])
    after = path.stat()
    assert (int(after.st_mtime), after.st_size) != (int(before.st_mtime), before.st_size)
