"""Folders that are to be made, and are there already."""

from __future__ import annotations

import pytest

from tests.propose.rules.build import failure
from tests.propose.rules.candidates import likeliest


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('os.mkdir("out")', 'os.makedirs("out", exist_ok=True)'),
        ('os.makedirs("a/b")', 'os.makedirs("a/b", exist_ok=True)'),
        ('Path("out").mkdir()', 'Path("out").mkdir(exist_ok=True)'),
        ('Path("a/b").mkdir(parents=True)', 'Path("a/b").mkdir(parents=True, exist_ok=True)'),
        ('shutil.copytree("a", "out")', None),
    ],
)
def test_a_folder_that_is_there_may_be_there(source: str, expected: str | None) -> None:
    failed = failure(source, "FileExistsError: [Errno 17] File exists: 'out'", meanings={"os": "os"})
    assert likeliest(failed) == expected
