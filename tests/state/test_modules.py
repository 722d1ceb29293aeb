"""Modules: all names of the user's own, and of a library's what the cell itself sets."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.state.cells import namespace, run

TOOLS = """
registry = []
count = 0
def add(item):
    global count
    registry.append(item)
    count += 1
"""


@pytest.fixture
def own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_tools.py").write_text(TOOLS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "own_tools", raising=False)


@pytest.mark.usefixtures("own_module")
@pytest.mark.parametrize("cell", ["own_tools.add(1)", "add(1)", "own_tools.registry.append(1)"])
def test_a_module_of_the_users_own_gets_its_names_and_objects_back(cell: str) -> None:
    names = namespace("import own_tools; from own_tools import add")
    module = sys.modules["own_tools"]
    assert run(names, f"{cell}\n1 / 0").rollback(0).exact
    assert (module.registry, module.count) == ([], 0)


@pytest.mark.usefixtures("own_module")
@pytest.mark.parametrize("statement", ["import own_other; importlib.reload(own_tools)", "load_both()"])
def test_a_module_of_before_stays_imported_though_it_was_loaded_anew(
    statement: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_other.py").write_text("")
    monkeypatch.delitem(sys.modules, "own_other", raising=False)
    load = "def load_both():\n    import own_other\n    importlib.reload(own_tools)"
    names = namespace("import importlib, own_tools", load)
    module = sys.modules["own_tools"]
    journal = run(names, f"if True:\n    {statement}\n    1 / 0")
    assert "own_other" in sys.modules
    assert journal.rollback(0).exact
    assert sys.modules.get("own_tools") is module
    assert "own_other" not in sys.modules


def test_an_attribute_that_the_cell_sets_on_a_library_is_put_back() -> None:
    import decimal
    import string

    names = namespace("import string, decimal; from string import Template")
    digits = string.digits
    cell = "string.digits = ''; string.mine = 1; setattr(decimal, 'mine', 2); Template.delimiter = '%'\n1 / 0"
    assert run(names, cell).rollback(0).exact
    assert string.digits is digits
    assert not hasattr(string, "mine")
    assert not hasattr(decimal, "mine")
    assert string.Template.delimiter == "$"


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("sets", ["xml.sax.x = 1", "setattr(xml.sax, 'x', 1)", "xml.sax.x = own.saxutils = 1"])
def test_a_submodule_that_was_imported_stays_reachable(sets: str, at_once: bool) -> None:
    names = namespace("import xml.sax\nclass Own: pass\nown = Own()")
    sys.modules.pop("xml.sax.saxutils", None)
    vars(sys.modules["xml.sax"]).pop("saxutils", None)
    assert run(names, f"import xml.sax.saxutils; {sets}\n1 / 0", at_once=at_once).rollback(0).exact
    assert not hasattr(sys.modules["xml.sax"], "x")
    exec("import xml.sax.saxutils; xml.sax.saxutils.escape('a')", names)


def test_a_submodule_of_the_users_own_package_stays_reachable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_package").mkdir()
    (tmp_path / "own_package" / "__init__.py").write_text("")
    (tmp_path / "own_package" / "part.py").write_text("x = 1")
    monkeypatch.syspath_prepend(str(tmp_path))
    names = namespace("import own_package")
    assert run(names, "own_package.y = 1; import own_package.part\n1 / 0").rollback(0).exact
    exec("import own_package.part; assert own_package.part.x == 1", names)
    assert not hasattr(names["own_package"], "y")


@pytest.mark.parametrize(
    "cell", ["import own_half", "from own_pack import half", "def go():\n    import own_half\ngo()"]
)
def test_what_an_import_that_failed_half_way_has_put_into_builtins_is_taken_out(
    cell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import builtins

    half = "import builtins\nbuiltins.half_mark = 1\n1 / 0"
    (tmp_path / "own_pack").mkdir()
    for name, source in (("own_half.py", half), ("own_pack/__init__.py", ""), ("own_pack/half.py", half)):
        (tmp_path / name).write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    names = namespace("import own_pack")
    journal = run(names, cell)
    assert hasattr(builtins, "half_mark")
    assert journal.rollback(0).exact
    assert not hasattr(builtins, "half_mark")
    del sys.modules["own_pack"]


def test_what_the_shell_puts_into_builtins_around_a_cell_is_not_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins

    names = namespace("import builtins")
    with monkeypatch.context() as shell:  # while a cell runs
        shell.setattr(builtins, "get_ipython", lambda: None, raising=False)
        shell.delattr(builtins, "exit", raising=False)
        journal = run(names, "vars(builtins)['mine'] = []\n1 / 0")
    there = hasattr(builtins, "exit")
    assert journal.rollback(0).exact
    assert (hasattr(builtins, "mine"), hasattr(builtins, "get_ipython"), hasattr(builtins, "exit")) == (
        False,
        False,
        there,
    )
