"""The table of kinds tells the truth: what a row calls exact leaves no trace, what it calls named is in the report."""

from __future__ import annotations

import decimal
import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from reflex_ipython.state.global_state import global_kinds
from reflex_ipython.state.journal import Journal
from reflex_ipython.state.kinds import families, table
from reflex_ipython.state.kinds.document import markdown
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.table import KindTable, all_kinds, current_table
from reflex_ipython.state.weak import ENDED
from tests.state import library_examples, python_examples
from tests.state.cells import run
from tests.state.example import Example
from tests.state.examples import available, libraries, notebook, nothing_of_the_users_may_run
from tests.state.picture import Picture

README = Path(__file__).parents[2] / "README.md"
EVERY = (*python_examples.EXAMPLES, *(one for some in library_examples.EXAMPLES.values() for one in some))
FIGURES = "the current figure"
"""What the report calls the figures that no name stands for."""


def changes(field: str) -> pytest.MarkDecorator:
    """For each change of that sort of each example."""
    cases = [(example, change) for example in available() for change in getattr(example, field)]
    return pytest.mark.parametrize(("example", "change"), cases, ids=[change for _, change in cases])


@pytest.fixture(autouse=True)
def figures_are_closed() -> Iterator[None]:
    decimal.getcontext().clear_flags()  # what another test has calculated is no part of these
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@changes("changes")
@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_a_change_of_an_object_that_can_be_put_back_leaves_no_trace(example: Example, change: str) -> None:
    names = notebook(available())
    before = Picture(names)
    journal = run(names, f"{change}\n1 / 0", at_once=True)
    assert example.name == "zipped" or before.differences(Picture(names)), "the change must be one"
    assert example.kind in ("", *kinds_met(names.get(example.name), journal)), "the example must be one of its kind"
    with nothing_of_the_users_may_run():
        restoration = journal.rollback(0)
    assert restoration.words == "state restored exactly"
    assert before.differences(Picture(names)) == set()


@changes("changes")
@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_a_change_by_a_statement_that_was_well_leaves_no_trace_either_unless_it_has_ended_an_object(
    example: Example, change: str
) -> None:
    names = notebook(available())
    before = Picture(names)
    restoration = run(names, f"{change}\n1 / 0").rollback(0)
    named = {text.partition(" (")[0] for text in restoration.except_names if text.endswith(f"({ENDED})")}
    assert len(named) == len(restoration.except_names) + len(restoration.not_undone)
    if not named:
        assert before.differences(Picture(names)) == set()


def kinds_met(o: object, journal: Journal) -> set[str]:
    """The names of the kinds that were noted, and of those of the object that have nothing to note."""
    entries = [
        snapshot
        for checkpoint in journal.aftermath.checkpoints
        for snapshot in (*checkpoint.snapshots.entries, *(snapshot for _, snapshot in checkpoint.global_state))
    ]
    return {kind.name for kind, *_ in entries} | {kind.name for kind in KindTable().kinds(type(o))}


@changes("beyond")
def test_a_change_that_cannot_be_put_back_is_named(example: Example, change: str) -> None:
    restoration = run(notebook(available()), f"{change}\n1 / 0", at_once=True).rollback(0)
    listed = {text.partition(" (")[0] for text in (*restoration.not_undone, *restoration.except_names)}
    assert listed & {example.name, FIGURES}
    assert restoration.words.startswith(("restored except: ", "not undone: "))


@changes("unseen")
def test_what_the_table_says_is_not_seen_is_not_seen(example: Example, change: str) -> None:
    assert run(notebook(available()), f"{change}\n1 / 0").rollback(0).exact


# ------------------------------------------------------------------------------------------ the table


@pytest.fixture
def kinds(monkeypatch: pytest.MonkeyPatch) -> list[Kind]:
    """All kinds. torch is a heavy thing to install: where it is not, something stands in for it."""
    missing = set(library_examples.EXAMPLES) - set(libraries()) - {"torch"}
    if missing:
        pytest.skip(f"the table has rows for {', '.join(sorted(missing))}: not installed here")
    notebook(available())
    if "torch" not in libraries():
        types = {name: type(name, (), {}) for name in ("Tensor", "UntypedStorage", "Generator")}
        monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(**types))  # type: ignore[arg-type]  # stands in
        monkeypatch.setitem(sys.modules, "torch.random", SimpleNamespace())  # type: ignore[arg-type]  # as above
    return [*all_kinds(), *global_kinds()]


def test_every_row_of_the_table_has_an_example_that_shows_its_level(kinds: list[Kind]) -> None:
    for kind in kinds:
        shown = [example for example in EVERY if example.kind == kind.name]
        exact = any(example.changes for example in shown)
        named = any(example.beyond or example.unseen for example in shown)
        level = {(True, False): "exact", (True, True): "partial", (False, True): "named"}.get((exact, named))
        assert level == kind.coverage, kind.name


def test_every_example_is_one_of_a_row(kinds: list[Kind]) -> None:
    assert {example.kind for example in EVERY} - {kind.name for kind in kinds} == {""}


def test_every_kind_that_is_put_back_partly_says_what_is_not_put_back(kinds: list[Kind]) -> None:
    for kind in kinds:
        assert bool(kind.limit) == (kind.coverage == "partial"), kind.name
        assert (kind.restore is None) or kind.coverage != "named", kind.name


def test_the_readme_has_the_table(kinds: list[Kind]) -> None:
    found = re.search(r"(?:^\|.*\n)+(?=\n</details>)", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    assert found[0] == markdown(kinds)


def test_every_file_that_brings_kinds_of_types_is_in_the_list_of_families() -> None:
    for path in Path(families.__file__).parent.glob("[a-z]*.py"):
        module = importlib.import_module(f"{families.__package__}.{path.stem}")
        of_types = any(isinstance(key, type) for key in getattr(module, "KINDS", ()))
        brings = of_types or any(
            getattr(vars(module).get(name), "__module__", "") == module.__name__ for name in ("kinds", "shared")
        )
        assert brings == (module in families.FAMILIES), path.stem


def test_a_kind_of_a_library_is_known_as_soon_as_the_library_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    for family in families.FAMILIES:
        for name in getattr(family, "LIBRARIES", ()):
            before = current_table()
            assert current_table() is before
            with monkeypatch.context() as now:
                now.setitem(sys.modules, name, SimpleNamespace())  # type: ignore[arg-type]  # stands in
                assert families_asked(now, family)
            table._made.cache_clear()  # what stood in is gone, and another module may get its id


def families_asked(monkeypatch: pytest.MonkeyPatch, family: ModuleType) -> bool:
    """Whether that family is asked for its kinds again."""
    asked: list[str] = []
    monkeypatch.setattr(table, "_OF_LIBRARIES", (SimpleNamespace(kinds=lambda: asked.append(family.__name__) or {}),))
    current_table()
    return bool(asked)
