"""Files in other encodings and modes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.propose.rules.running import answer, sources


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# The cells leave files open, as people do.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize(
    ("content", "cell", "expected"),
    [
        (
            "café".encode("latin-1"),
            't = open("a.txt", encoding="utf-8").read()\nt',
            't = open("a.txt", encoding="cp1252").read()\nt',
        ),
        (
            "hi".encode("utf-16"),
            't = open("a.txt", encoding="utf-8").read()\nt',
            't = open("a.txt", encoding="utf-16").read()\nt',
        ),
        (
            "café\n".encode("latin-1"),
            'rows = []\nwith open("a.txt", encoding="utf-8") as f:\n    for x in f:\n        rows.append(x)\nf = 0',
            'rows = []\nwith open("a.txt", encoding="cp1252") as f:\n    for x in f:\n        rows.append(x)\nf = 0',
        ),
        (
            b"a,b\n",
            'import csv\nwith open("a.txt", "rb") as f:\n    rows = list(csv.reader(f))\nf = rows',
            'import csv\nwith open("a.txt", "r") as f:\n    rows = list(csv.reader(f))\nf = rows',
        ),
        (b'{"a": 1}', 'import json\nd = json.load("a.txt")\nd', 'import json\nd = json.load(open("a.txt"))\nd'),
        (
            b'{"a": 1}\n{"a": 2}\n',
            'import json\nwith open("a.txt") as f:\n    d = json.load(f)\nf = d',
            'import json\nwith open("a.txt") as f:\n    d = [json.loads(x) for x in f if x.strip()]\nf = d',
        ),
    ],
)
def test_a_file_is_read_as_what_it_is(content: bytes, cell: str, expected: str) -> None:
    Path("a.txt").write_bytes(content)
    assert answer(cell) == expected


@pytest.mark.parametrize(
    ("value", "mode", "expected"),
    [
        ("5", "w", "f.write(str(data))"),
        ('["a", "b"]', "w", 'f.write("\\n".join(data))'),
        ('b"ab"', "w", 'open("o.txt", "wb")'),
        ('"ab"', "wb", 'open("o.txt", "w")'),
    ],
)
def test_what_is_written_fits_the_file(value: str, mode: str, expected: str) -> None:
    found = sources(f'with open("o.txt", "{mode}") as f:\n    f.write(data)\nf = 0', f"data = {value}")
    assert expected in found[0]


def test_a_text_with_other_letters_is_written_in_utf_8() -> None:
    cell = 'with open("o.txt", "w", encoding="ascii") as f:\n    f.write("café")\nf = 0'
    assert answer(cell) == cell.replace("ascii", "utf-8")
