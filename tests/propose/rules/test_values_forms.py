"""Values that a method in place, a template with names, a closed file or an object of one's own give."""

from __future__ import annotations

import pytest

from tests.propose.rules.running import answer


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        ("", 'xs = list("abc")\n"".join(xs.reverse())', 'xs = list("abc")\n"".join(reversed(xs))'),
        ("", 'xs = list("cab")\n"".join(xs.sort(reverse=True))', 'xs = list("cab")\n"".join(sorted(xs, reverse=True))'),
        ("", 'line = "%(a)s is %(b)d" % ("x", 4)\nline', 'line = "%(a)s is %(b)d" % {"a": "x", "b": 4}\nline'),
        ("", 'a, b = "k=v=w".split("=")\na', 'a, b = "k=v=w".split("=", 1)\na'),
        ("", "ids = range(3) + [10]\nids", "ids = list(range(3)) + [10]\nids"),
        ("class P:\n    name = 'x'", 'n = P()["name"]\nn', "n = P().name\nn"),
    ],
)
def test_what_is_meant_is_the_answer(setup: str, cell: str, expected: str) -> None:
    assert answer(cell, *filter(None, [setup])) == expected


def test_what_reads_a_file_goes_into_the_block_that_opens_it(tmp_path) -> None:
    path = tmp_path / "n.txt"
    path.write_text("a\nb\n")
    head = f'with open(r"{path}") as f:\n    head = f.readline()\n'
    assert answer(f"{head}rest = f.read()\nrest") == f"{head}    rest = f.read()\nrest"
