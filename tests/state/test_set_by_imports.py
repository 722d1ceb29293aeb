"""What a module of the user's own sets in libraries as it is imported can't be put back, and is named."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.state.cells import namespace, run

MARKS = """
import colorsys
import fractions as fr
from fractions import Fraction
if True:
    colorsys.mark = 1
setattr(fr, "mark", 2)
Fraction.mark = 3
def later():
    colorsys.unset = 4
own.mark = [5]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where modules are imported from."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    import colorsys  # as it is by now: another test may have had it imported anew
    import fractions

    for holder in (colorsys, fractions, fractions.Fraction):
        if hasattr(holder, "mark"):
            del holder.mark
    for name in ("own_marks", "own_library"):
        sys.modules.pop(name, None)


def names_said(cell: str) -> list[str]:
    return sorted(name.partition(" ")[0] for name in run(namespace(), cell).rollback(0).except_names)


EVERY = ["colorsys.mark", "fractions.Fraction.mark", "fractions.mark"]


@pytest.mark.parametrize("end", ["", "1 / 0"])
def test_what_it_sets_at_its_top_level_is_named_whether_its_import_fails_or_what_comes_behind(
    folder: Path, end: str
) -> None:
    (folder / "own_marks.py").write_text(MARKS.replace("own.mark = [5]", end))
    assert names_said("import own_marks\n1 / 0") == EVERY


def test_what_it_has_not_come_to_is_not_named(folder: Path) -> None:
    (folder / "own_marks.py").write_text(f"1 / 0\n{MARKS}")
    assert names_said("import own_marks") == []


def test_it_is_said_who_has_set_it(folder: Path) -> None:
    (folder / "own_marks.py").write_text("import colorsys\ncolorsys.mark = 1")
    restoration = run(namespace(), "def go():\n    import own_marks\n    1 / 0\ngo()").rollback(0)
    assert restoration.except_names == ("colorsys.mark (set by own_marks, which was imported)",)


@pytest.mark.parametrize("cell", ["import own_missing", "import own_library\n1 / 0", "import colorsys\n1 / 0"])
def test_libraries_and_what_is_missing_are_no_business_of_the_users(
    folder: Path, cell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = folder / "site-packages"
    library.mkdir()
    (library / "own_library.py").write_text("import colorsys\ncolorsys.mark = 1")
    monkeypatch.syspath_prepend(str(library))
    assert names_said(cell) == []
