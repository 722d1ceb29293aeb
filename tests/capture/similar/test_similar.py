"""Code that is most like what failed: functions and cells of the notebook, functions of the project's files."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest

from reflex_ipython.capture import capture_failure
from reflex_ipython.capture.similar import SimilarSearch
from reflex_ipython.capture.similar.pieces import pieces
from reflex_ipython.capture.similar.project import ProjectPieces
from reflex_ipython.capture.similar.ranking import ranked
from reflex_ipython.models import CellRef, CellSource, Situation, Wish

LOAD = """import pandas as pd

def load_sales(path):
    table = pd.read_csv(path)
    return table.groupby('region').sold.sum()"""
DRAW = "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.bar(['a'], [1])"
OTHER = "def send_mail(address, body):\n    server.sendmail(address, body)"


def cell(number: int, source: str) -> CellSource:
    return CellSource(CellRef(f"c{number}", number), source)


CELLS = [cell(1, LOAD), cell(2, DRAW), cell(3, OTHER)]


def wish(words: str) -> Wish:
    return Wish(words, "now", Situation(CellRef("x", 9), ""), words)


def names_of(cause: object) -> list[str]:
    assert isinstance(cause, Wish)
    return [f"{one.name} in {one.place}" if one.name else one.place for one in cause.situation.similar]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "stock.py").write_text(
        "def count_items(shelf):\n    return sum(shelf.items)\n", encoding="utf-8"
    )
    for hidden in (".git", "env", "node_modules"):
        (tmp_path / hidden).mkdir()
        (tmp_path / hidden / "x.py").write_text("def count_items(shelf):\n    return 'library'\n", encoding="utf-8")
    (tmp_path / "env" / "pyvenv.cfg").touch()
    return tmp_path


def test_words_find_the_function_and_the_cell_that_do_the_like(project: Path) -> None:
    search = SimilarSearch(lambda: CELLS, lambda: str(project))
    assert names_of(search.with_similar(wish("sum of what was sold by region")))[:1] == ["load_sales in In [1]"]
    assert names_of(search.with_similar(wish("draw subplots with pyplot")))[:1] == ["In [2]"]
    assert names_of(search.with_similar(wish("count the items of a shelf"))) == ["count_items in shop/stock.py"]
    assert names_of(search.with_similar(wish("nothing alike"))) == []


def test_what_the_question_has_already_is_not_told_again(project: Path) -> None:
    known = dataclasses.replace(wish("sold by region"), situation=Situation(CellRef(), "", earlier=(CELLS[0],)))
    assert names_of(SimilarSearch(lambda: CELLS, lambda: str(project)).with_similar(known)) == []


def test_a_failure_asks_with_its_own_code(project: Path) -> None:
    source = "table.groupby('regoin').sold.sum()"
    with pytest.raises(NameError) as caught:
        exec(source, {})
    failure = capture_failure(caught.value, source=source, cell=CellRef("x", 9), namespace={})
    found = SimilarSearch(lambda: CELLS, lambda: str(project)).with_similar(failure)
    assert [one.name for one in found.situation.similar] == ["load_sales"]


def test_a_piece_has_the_parts_of_its_names_and_the_library_behind_a_short_one() -> None:
    (found,) = pieces("In [1]", LOAD, whole=True)
    assert {"load_sales", "load", "sales", "pandas", "read_csv", "region"} <= set(found.words)
    assert found.source.startswith("def load_sales")


def test_rare_words_count_for_more() -> None:
    sources = [f"def a{n}(x):\n    return x.common + {n}" for n in range(9)] + ["def b(x):\n    return x.common.rare"]
    found = [piece for source in sources for piece in pieces("f.py", source, whole=False)]
    assert [piece.name for piece in ranked(["common", "rare"], found, 3)] == ["b"]


def test_words_of_a_question_are_no_query_language() -> None:
    assert ranked(['"', "a OR b", "near(", "*"], list(pieces("f.py", LOAD, whole=False)), 3) == []


def test_a_file_is_read_once_and_again_when_it_has_changed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from reflex_ipython.base import text_file

    read: list[str] = []
    plain = text_file.read
    monkeypatch.setattr(text_file, "read", lambda path: (read.append(path), plain(path))[1])
    files = ProjectPieces()
    path = project / "shop" / "stock.py"
    assert [piece.name for piece in files.of(str(project), 9)] == ["count_items"]
    files.of(str(project), 9)
    assert read == [str(path)]
    path.write_text("def count_all(shelf):\n    return 1\n", encoding="utf-8")
    os.utime(path, ns=(1, 1))
    assert [piece.name for piece in files.of(str(project), 9)] == ["count_all"]


def test_when_time_is_up_what_was_read_counts_and_the_rest_comes_the_next_time(tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / f"f{number}.py").write_text(f"def f{number}():\n    pass\n", encoding="utf-8")
    now = iter(range(1_000))
    files = ProjectPieces(clock=lambda: next(now))
    first = len(files.of(str(tmp_path), 3))
    assert 0 < first < 6
    while (more := len(files.of(str(tmp_path), 3))) < 6:
        assert more > first
        first = more


def test_a_cell_that_failed_or_is_a_command_is_nothing_to_learn_from(tmp_path: Path) -> None:
    cells = [dataclasses.replace(CELLS[0], error="KeyError"), cell(4, "%%reflex sum of what was sold by region")]
    found = SimilarSearch(lambda: cells, lambda: str(tmp_path)).with_similar(wish("sum of what was sold by region"))
    assert names_of(found) == []
