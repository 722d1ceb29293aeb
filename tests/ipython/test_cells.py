"""Which cell a piece of code came from."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from reflex_ipython.ipython.cells import cell_id


def sources(shell: Any) -> list[str]:
    return [cell.source for cell in shell.reflex_extension.cells.all()]


def test_a_cell_without_history_is_known_by_the_name_of_its_code(shell: Any) -> None:
    for kept in (True, False):
        shell.run_cell(f"def f():\n    return {kept}", store_history=kept)
        found = shell.reflex_extension.cells.find(shell.user_ns["f"].__code__.co_filename)
        assert found.source == f"def f():\n    return {kept}"


def test_cells_are_in_the_order_of_their_last_run(shell: Any) -> None:
    for source in ("a = 1", "b = 1", "a = 1"):
        shell.run_cell(source, store_history=False)
    assert sources(shell) == ["b = 1", "a = 1"]


def test_the_earlier_runs_of_the_same_text_are_known(shell: Any) -> None:
    log = shell.reflex_extension.cells
    numbers = []
    for source in ("a = 1", "b = 1", "a = 1", "a = 1"):
        numbers.append(shell.execution_count)
        shell.run_cell(source, store_history=True)
    runs = {cell.source: log.runs_before(cell) for cell in log.all()}
    known = (numbers[0], numbers[2]) if len(runs) == 2 and "a = 1" in sources(shell)[-1:] else ()
    assert runs["b = 1"] == ()
    assert runs["a = 1"] in (known, ())  # IPython in a terminal names the code of each run anew


def test_beyond_the_bound_the_oldest_is_forgotten(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reflex_ipython.ipython.cells.KEPT", 2)
    for source in ("a = 1", "b = 1", "c = 1"):
        shell.run_cell(source, store_history=True)
    assert sources(shell) == ["b = 1", "c = 1"]


@pytest.mark.parametrize(
    ("info", "metadata", "expected"),
    [("given", {"cellId": "other"}, "given"), (None, {"cellId": "sent"}, "sent"), (None, {}, None), (None, None, None)],
)
def test_the_id_is_the_cells_own_or_what_the_message_says(info: Any, metadata: Any, expected: str | None) -> None:
    shell = SimpleNamespace(get_parent=lambda: {"metadata": metadata})
    assert cell_id(shell, SimpleNamespace(cell_id=info)) == expected


def test_a_cell_that_runs_is_named_by_its_own_code(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []
    original = shell.compile.get_code_name

    def get_code_name(raw: str, *others: Any) -> str:
        hashed.append(raw)
        return str(original(raw, *others))

    monkeypatch.setattr(shell.compile, "get_code_name", get_code_name)
    cells = ("a = 1", "def f(): pass\nb = 1", "# nothing runs", "get_ipython().run_cell('c = 1')")
    for source in cells:
        shell.run_cell(source, store_history=True)
    # By IPython itself, and once by us, when the next cell began after the one of which nothing ran.
    assert sorted(hashed) == sorted([*cells, "c = 1", "# nothing runs"])
    assert shell.reflex_extension.cells.find(shell.user_ns["f"].__code__.co_filename).source.startswith("def f")
    assert sources(shell)[-2:] == ["get_ipython().run_cell('c = 1')", "c = 1"]
