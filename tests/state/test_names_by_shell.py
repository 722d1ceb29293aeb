"""A module of the user's own that gets at the notebook's names by its shell: they are put back, or it is named."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from reflex_ipython.state.run_at_import import gets_at_names, without_the_rest
from tests.state.cells import namespace, run

GOT = "from IPython import get_ipython\n"
WAYS = {
    "the names": (GOT, "get_ipython().user_ns['kept'].append(1)"),
    "a new name": (GOT, "ns = get_ipython().user_ns; ns['made'] = 1"),
    "another value": (GOT, "get_ipython().push({'plain': 2})"),
    "a text": (GOT, "get_ipython().ex('kept.append(1)')"),
    "the module": (GOT, "get_ipython().user_module.kept.append(1)"),
    "a builtin": ("", "get_ipython().user_ns['kept'].append(1)"),
    "another name": ("from IPython import get_ipython as g\n", "g().user_ns['kept'].append(1)"),
    "the package": ("import IPython\n", "IPython.get_ipython().user_ns['kept'].append(1)"),
    "the class": (
        "from IPython.core.interactiveshell import InteractiveShell as Shell\n",
        "Shell.instance().user_ns['kept'].append(1)",
    ),
    "a script": (GOT, "get_ipython().run_line_magic('run', '-i own_script.py')"),
}


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[InteractiveShell]:
    """The one that is there, with two names in its notebook."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "own_script.py").write_text("kept.append(1)")
    made = InteractiveShell()
    monkeypatch.setattr(InteractiveShell, "_instance", made)
    monkeypatch.setattr("builtins.get_ipython", lambda: made, raising=False)
    made.user_ns.update(kept=[], plain=1)
    yield made
    made.history_manager.end_session()
    sys.modules.pop("own_names", None)


def outcome(shell: InteractiveShell) -> tuple[object, object, bool]:
    return shell.user_ns["kept"], shell.user_ns["plain"], "made" in shell.user_ns


@pytest.mark.parametrize(("head", "statement"), WAYS.values(), ids=WAYS)
def test_what_a_function_changes_so_is_put_back(
    head: str, statement: str, shell: InteractiveShell, tmp_path: Path
) -> None:
    (tmp_path / "own_names.py").write_text(f"{head}def go():\n    {statement}\n")
    exec("import own_names", shell.user_ns)
    journal = run(shell.user_ns, "own_names.go()\n1 / 0", ignored=frozenset({"get_ipython"}))
    assert outcome(shell) != ([], 1, False)
    journal.rollback(0)
    assert outcome(shell) == ([], 1, False)


@pytest.mark.parametrize(("head", "statement"), WAYS.values(), ids=WAYS)
def test_a_module_that_does_so_as_it_is_imported_is_named(
    head: str, statement: str, shell: InteractiveShell, tmp_path: Path
) -> None:
    path = tmp_path / "own_names.py"
    path.write_text(f"{head}{statement}\n")
    journal = run(shell.user_ns, "import own_names\n1 / 0", ignored=frozenset({"get_ipython"}))
    texts = [repeat.text for repeat in journal.aftermath.repeats()[0]]
    assert f"imported {path}, which gets at the names of the notebook" in texts


RUNS = {
    "its top level": ("get_ipython().user_ns['a'] = 1", True),
    "a function that it calls": ("def go(): get_ipython().user_ns['a'] = 1\ngo()", True),
    "one that another one calls": ("def a(): get_ipython().push({})\ndef b(): a()\nb()", True),
    "a class": ("class A:\n    a = get_ipython().user_ns", True),
    "a class that is made": ("class A:\n    def __init__(self): get_ipython().ex('a = 1')\nA()", True),
    "a method": ("class A:\n    def go(self): get_ipython().ex('a = 1')\nA().go()", True),
    "a default": ("def go(a=get_ipython().user_ns): pass", True),
    "a frame": ("import sys\nsys._getframe(1).f_globals['a'] = 1", True),
    "a magic": ("get_ipython().run_line_magic('run', 'a.py')", True),
    "a harmless magic": ("get_ipython().run_line_magic('matplotlib', 'inline')", False),
    "a function that nobody calls": ("def go(): get_ipython().user_ns['a'] = 1", False),
    "a method that nobody calls": ("class A:\n    def go(self): get_ipython().user_ns['a'] = 1\nA()", False),
    "a script": ("if __name__ == '__main__': get_ipython().user_ns['a'] = 1", False),
    "a look": ("there = get_ipython() is not None", False),
    "a method of that name": ("repository.push()", False),
}


@pytest.mark.parametrize(("source", "told"), RUNS.values(), ids=RUNS)
def test_only_what_runs_as_it_is_imported_counts(source: str, told: bool) -> None:
    assert gets_at_names(without_the_rest(ast.parse(source))) == told


def test_a_function_that_only_asks_for_the_shell_has_no_names_noted(shell: InteractiveShell, tmp_path: Path) -> None:
    (tmp_path / "own_names.py").write_text(f"{GOT}def go():\n    return get_ipython() is not None\n")
    names = namespace("import own_names", "kept = []")
    journal = run(names, "own_names.go()\n1 / 0")
    assert not any(snapshot[1] is names["kept"] for snapshot in journal.aftermath.checkpoints[0].snapshots.entries)


EXTENSION = """
def load_ipython_extension(shell):
    {0}
def unload_ipython_extension(shell):
    {0}
"""
CHANGE = "shell.user_ns['kept'].append(1)"
EXTENSIONS = {
    "a function": {"own_names.py": EXTENSION.format(CHANGE)},
    "one that it calls": {"own_names.py": f"def go(shell): {CHANGE}" + EXTENSION.format("go(shell)")},
    "__main__": {"own_names.py": EXTENSION.format("import __main__; __main__.kept.append(1)")},
    "from __main__": {"own_names.py": EXTENSION.format("from __main__ import kept; kept.append(1)")},
    "too many modules to look for": {
        "own_names.py": "def load():\n    try: "
        + "; ".join(f"import own_{place}" for place in range(400))
        + "\n    except ImportError: from own_names_too import go; return go\n"
        + EXTENSION.format("load()(shell)"),
        "own_names_too.py": f"def go(shell): {CHANGE}",
    },
    "a package": {
        "own_names/__init__.py": "from .inside import go" + EXTENSION.format("go(shell)"),
        "own_names/inside.py": f"def go(shell): {CHANGE}",
    },
}
LOADS = {
    "a magic": "get_ipython().run_line_magic('load_ext', 'own_names')",
    "again": "get_ipython().run_line_magic('reload_ext', 'own_names')",
    "a method": "get_ipython().extension_manager.load_extension('own_names')",
    "a name": "name = 'own_names'; ip = get_ipython()\nip.extension_manager.load_extension(name)",
}


@pytest.fixture
def forgotten() -> Iterator[None]:
    """What of these modules was imported."""
    yield
    for name in [name for name in sys.modules if name.startswith("own_names")]:
        del sys.modules[name]


def write(files: dict[str, str], folder: Path) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)


@pytest.mark.usefixtures("forgotten")
@pytest.mark.parametrize("load", LOADS.values(), ids=LOADS)
@pytest.mark.parametrize("files", EXTENSIONS.values(), ids=EXTENSIONS)
def test_what_an_extension_of_the_users_changes_is_put_back(
    files: dict[str, str], load: str, shell: InteractiveShell, tmp_path: Path
) -> None:
    write(files, tmp_path)
    journal = run(shell.user_ns, f"{load}\n1 / 0", ignored=frozenset({"get_ipython"}))
    assert outcome(shell) == ([1], 1, False)
    journal.rollback(0)
    assert outcome(shell) == ([], 1, False)


@pytest.mark.usefixtures("forgotten")
def test_what_it_changes_as_it_is_unloaded_is_put_back(shell: InteractiveShell, tmp_path: Path) -> None:
    write(EXTENSIONS["a function"], tmp_path)
    shell.extension_manager.load_extension("own_names")
    journal = run(
        shell.user_ns,
        "if True:\n    get_ipython().run_line_magic('unload_ext', 'own_names')\n    1 / 0",
        ignored=frozenset({"get_ipython"}),
    )
    assert shell.user_ns["kept"] == [1, 1]
    journal.rollback(0)
    assert shell.user_ns["kept"] == [1]


CALM = {
    "one that has no use for names": {"own_names.py": EXTENSION.format("shell.kept = 1")},
    "names in a function that it does not call": {"own_names.py": f"def go(shell): {CHANGE}" + EXTENSION.format("0")},
    "a library": {"site-packages/own_names.py": EXTENSION.format("shell.user_ns")},
    "nothing": {},
    "no Python": {"own_names.py": "load_ipython_extension = ("},
}


@pytest.mark.usefixtures("forgotten")
@pytest.mark.parametrize("files", CALM.values(), ids=CALM)
def test_an_extension_that_does_nothing_of_that_kind_has_no_names_noted(
    files: dict[str, str], shell: InteractiveShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(files, tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path / "site-packages"))
    journal = run(shell.user_ns, f"if True:\n    {LOADS['a magic']}", ignored=frozenset({"get_ipython"}))
    assert not any(
        snapshot[1] is shell.user_ns["kept"] for snapshot in journal.aftermath.checkpoints[0].snapshots.entries
    )


SCRIPTS = {
    "a path": "runpy.run_path('own_names.py')",
    "a path that is computed": "runpy.run_path('own_' + str('names.py'))",
    "a module": "runpy.run_module('own_names')",
}


@pytest.mark.parametrize("cell", SCRIPTS.values(), ids=SCRIPTS)
@pytest.mark.parametrize(("head", "statement"), WAYS.values(), ids=WAYS)
def test_a_file_that_runpy_runs_is_named_as_one_that_is_imported(
    head: str, statement: str, cell: str, shell: InteractiveShell, tmp_path: Path
) -> None:
    path = tmp_path / "own_names.py"
    path.write_text(f"{head}{statement}\n")
    exec("import runpy", shell.user_ns)
    journal = run(shell.user_ns, f"if True:\n    {cell}\n    1 / 0", ignored=frozenset({"get_ipython"}))
    texts = [repeat.text for repeat in journal.aftermath.repeats()[0]]
    assert f"imported {path}, which gets at the names of the notebook" in texts


@pytest.mark.parametrize(("name", "told"), [("'__main__'", True), ("None", False)])
@pytest.mark.parametrize(
    "run_it", ["runpy.run_path('own_names.py', run_name={})", "runpy.run_module('own_names', None, {})"]
)
def test_what_a_file_does_only_as_a_script_counts_where_it_is_run_as_one(
    run_it: str, name: str, told: bool, shell: InteractiveShell, tmp_path: Path
) -> None:
    path = tmp_path / "own_names.py"
    path.write_text("if __name__ == '__main__':\n    import sys\n    sys._getframe(3).f_globals\n")
    exec("import runpy", shell.user_ns)
    cell = f"if True:\n    {run_it.format(name)}\n    1 / 0"
    journal = run(shell.user_ns, cell, ignored=frozenset({"get_ipython"}))
    texts = [repeat.text for repeat in journal.aftermath.repeats()[0]]
    assert (f"imported {path}, which gets at the names of the notebook" in texts) == told


def test_what_a_file_that_runpy_runs_changes_by_importing_the_notebook_is_put_back(
    shell: InteractiveShell, tmp_path: Path
) -> None:
    (tmp_path / "own_names.py").write_text("import __main__\n__main__.kept.append(1)")
    exec("import runpy", shell.user_ns)
    cell = "if True:\n    runpy.run_path('own_names.py')\n    1 / 0"
    journal = run(shell.user_ns, cell, ignored=frozenset({"get_ipython"}))
    assert shell.user_ns["kept"] == [1]
    journal.rollback(0)
    assert shell.user_ns["kept"] == []
