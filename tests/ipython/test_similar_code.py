"""`%reflex context` shows the code of the notebook and the project that is most like what failed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

LOAD = """def region_totals(table):
    key = "AKIAIOSFODNN7EXAMPLQ"
    return table.groupby_region(key).sold_items.total()"""
SHOP = "def sold_items(region):\n    return region.groupby_region().total()\n"
FAILS = "table = None\ntable.groupby_region('north').sold_items.total()"


@pytest.fixture
def context(shell: Any, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("shop.py").write_text(SHOP, encoding="utf-8")
    shell.reflex_extension.config.history = False
    run(LOAD)
    run("def unlike(x):\n    return x + 1")
    run(FAILS)
    return str(run("%reflex context")[1])


def test_functions_of_cells_and_files_are_shown_without_their_secrets(context: str) -> None:
    assert "most like it" in context
    assert "region_totals in In [1]" in context
    assert "sold_items in shop.py" in context
    assert "unlike" not in context
    assert "AKIAIOSFODNN7EXAMPLQ" not in context


def test_it_can_be_switched_off(shell: Any, run: Any, context: str) -> None:
    shell.reflex_extension.config.similar_code = False
    assert "most like it" not in run("%reflex context")[1]
