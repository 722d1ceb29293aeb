"""A file beside the notebook that has a library's name is named, with its path."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reflex_ipython.capture.lookup.hiding import hiding_file


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a notebook, which Python looks through first."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    before = dict(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - set(before):
        del sys.modules[name]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("haversine", "from haversine import distance"),
        ("haversine", "import haversine.far"),
        ("haversine", "import haversine; haversine.distance"),
        ("chunk_of_mine", "from chunk_of_mine import nothing"),
        ("chunk_of_mine", "import chunk_of_mine; chunk_of_mine.nothing"),
    ],
)
def test_only_a_file_that_has_the_name_of_a_library_hides_one(folder: Path, name: str, code: str) -> None:
    path = folder / f"{name}.py"
    path.write_text("x = 1\n")
    importlib.invalidate_caches()
    with pytest.raises((ImportError, AttributeError)) as raised:
        exec(code, {})
    assert hiding_file(raised.value) == (str(path) if name == "haversine" else "")


def test_a_library_in_its_own_place_hides_nothing(folder: Path) -> None:
    with pytest.raises(AttributeError) as raised:
        exec("import json; json.nothing", {})
    assert hiding_file(raised.value) == ""
