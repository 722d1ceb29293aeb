"""A test goes into a new file, or to the end of one that is there and keeps every line."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from reflex_ipython.errors import BadInput
from reflex_ipython.testwriting import formatting
from reflex_ipython.testwriting.literals import literal
from reflex_ipython.testwriting.module_text import Expected, Script, WrittenTest
from reflex_ipython.testwriting.saving import save

THERE = '''"""My own tests."""

import os   # kept as it is

def test_mine( ):
    assert os.sep


def test_area_does_not_raise_name_error():
    assert True
'''


def written(argument: str = "2", **files: str) -> WrittenTest:
    value = literal(12.5)
    script = Script(("from shapes import area",), (), (), (), (), f"area({argument})")
    return WrittenTest("test_area_does_not_raise_name_error", "In [3] raised it.", script, (Expected("result", value),))


def test_a_new_file_is_as_ruff_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "test_area.py"
    assert save(written(), path) == [path]
    text = path.read_text(encoding="utf-8")
    assert text == formatting.formatted(text)
    assert "import pytest\n\nfrom shapes import area\n\n\ndef test_area_does_not_raise_name_error():\n" in text
    assert "    assert area(2) == pytest.approx(12.5)\n" in text


def test_a_file_that_is_there_keeps_every_line_and_gets_the_imports_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "test_area.py"
    path.write_text(THERE, encoding="utf-8")
    save(written(), path)
    text = path.read_text(encoding="utf-8")
    steps = [line for line in difflib.ndiff(THERE.split("\n"), text.split("\n")) if line.startswith("- ")]
    assert steps == [], "no line of its own has gone or changed"
    assert "import os   # kept as it is\nimport pytest\nfrom shapes import area\n\ndef test_mine( ):" in text
    assert "def test_area_does_not_raise_name_error_2():" in text
    compile(text, "test_area.py", "exec")


def test_the_same_test_is_not_added_twice(tmp_path: Path) -> None:
    path = tmp_path / "test_area.py"
    save(written(), path)
    before = path.read_bytes()
    with pytest.raises(BadInput, match="has this very test already"):
        save(written(), path)
    save(written("3"), path)
    assert path.read_bytes().startswith(before.rstrip(b"\n"))


@pytest.mark.parametrize(("name", "text", "words"), [("a.txt", "", "no Python file"), ("a.py", "def (", "not parse")])
def test_what_can_not_take_a_test_stays_as_it_is(tmp_path: Path, name: str, text: str, words: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=words):
        save(written(), path)
    assert path.read_text(encoding="utf-8") == text


def test_what_can_not_be_written_is_said_and_nothing_is_lost(tmp_path: Path) -> None:
    there = tmp_path / "notes.txt"
    there.write_text("mine", encoding="utf-8")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "nowhere.py").symlink_to(tmp_path / "gone" / "test_x.py")
    for path in (there / "test_a.py", tmp_path / "folder.py", tmp_path / "nowhere.py", tmp_path / "\0.py"):
        with pytest.raises(BadInput, match=r"can't be written|does not parse"):
            save(written(), path)
    assert there.read_text(encoding="utf-8") == "mine"


def test_a_file_whose_encoding_lacks_a_character_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "test_old.py"
    path.write_bytes(b"# -*- coding: latin-1 -*-\nx = '\xe9'\n")
    with pytest.raises(BadInput, match=r"is written in latin-1, which can't say '€'"):
        save(written("'€'"), path)
    assert path.read_bytes() == b"# -*- coding: latin-1 -*-\nx = '\xe9'\n"
