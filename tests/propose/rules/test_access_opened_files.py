"""The rule about files that are opened to be read, though the cell writes to them."""

from __future__ import annotations

import pytest

from tests.propose.rules.build import failure, offered

MISSING = "FileNotFoundError: [Errno 2] No such file or directory: 'new.csv'"


@pytest.mark.parametrize(
    ("cell", "call"),
    [
        ('with open("new.csv") as f:\n    f.write("a")', 'open("new.csv", "w")'),
        ('with open("new.csv", "r") as f:\n    csv.writer(f).writerow([1])', 'open("new.csv", "w", newline="")'),
        ('f = open("new.csv", mode="rb")\npickle.dump(model, f)', 'open("new.csv", mode="wb")'),
    ],
)
def test_a_file_that_is_written_to_is_made(cell: str, call: str) -> None:
    found = offered(failure(cell, MISSING))
    assert call in max(found, key=lambda one: found[one])


def test_a_file_that_is_read_is_not_emptied() -> None:
    assert not any('"w"' in source for source in offered(failure('with open("new.csv") as f:\n    f.read()', MISSING)))
