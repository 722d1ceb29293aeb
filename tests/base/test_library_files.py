"""What is a library's is not the user's: Python's own files, what is installed, and ours wherever they lie."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reflex_ipython import traces
from reflex_ipython.base.library_files import is_library


@pytest.mark.parametrize("file", [os.__file__, pytest.__file__, traces.__file__, "<frozen importlib._bootstrap>"])
def test_files_of_libraries_and_ours(file: str | None) -> None:
    assert is_library(str(file))


def test_files_of_the_users(tmp_path: Path) -> None:
    assert not is_library(str(tmp_path / "prices.py"))
    assert not is_library(__file__), "that our own package lies beside it makes it none"
