"""A Python file is read as a text, and written so that all that was not changed stays byte for byte."""

from __future__ import annotations

import pytest

from reflex_ipython.base.text_file import LARGEST, decoded, read


def rewritten(data: bytes, old: str, new: str) -> bytes:
    found = decoded(data)
    assert found is not None
    assert "\r" not in found.text
    return found.encoded(found.text.replace(old, new))


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"], ids=["unix", "windows", "old mac"])
def test_the_line_ends_of_a_file_stay(end: bytes) -> None:
    data = end.join([b"import math", b"", b"def f():", b"    return maht.pi", b""])
    assert rewritten(data, "maht", "math") == data.replace(b"maht", b"math")


def test_a_new_line_gets_the_end_that_most_lines_have_and_the_others_keep_theirs() -> None:
    data = b"a = 1\nb = 2\r\nc = 3\r\nd = 4"
    assert rewritten(data, "b = 2\n", "b = 2\nx = 0\n") == b"a = 1\nb = 2\r\nx = 0\r\nc = 3\r\nd = 4"


def test_a_text_that_does_not_change_gives_the_same_bytes() -> None:
    data = b"\xef\xbb\xbfx = '\xc3\xa4'\r\ny = 1\n\nz = 2\r"
    assert rewritten(data, "nothing", "") == data


def test_the_end_of_the_last_line_is_neither_added_nor_lost() -> None:
    assert rewritten(b"x = 1\ny = 2", "y = 2", "y = 3") == b"x = 1\ny = 3"
    assert rewritten(b"x = 1\ny = 2\n", "y = 2", "y = 3") == b"x = 1\ny = 3\n"
    assert rewritten(b"", "", "x = 1\n") == b"x = 1\n"


def test_the_declared_encoding_is_kept() -> None:
    data = "# -*- coding: latin-1 -*-\nname = 'Zoë'\n".encode("latin-1")
    assert rewritten(data, "name", "nom") == data.replace(b"name", b"nom")


def test_a_character_that_the_encoding_lacks_is_refused() -> None:
    with pytest.raises(UnicodeEncodeError):
        rewritten(b"# -*- coding: latin-1 -*-\nx = 1\n", "x = 1", "x = '\u2192'")


def test_what_is_no_python_text_is_not_read(tmp_path) -> None:  # type: ignore[no-untyped-def]
    for data in (b"# coding: nonsense\n", b"\xff\xfe\x00"):
        assert decoded(data) is None
    (tmp_path / "long.py").write_bytes(b"#" * (LARGEST + 1))
    assert read(str(tmp_path / "long.py")) is None
    assert read(str(tmp_path / "absent.py")) is None
    assert read(str(tmp_path)) is None
    assert read("a\0b.py") is None
