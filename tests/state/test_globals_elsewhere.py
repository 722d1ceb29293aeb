"""Functions whose globals are not the notebook's: of modules, of scripts, of `exec`, and what they import."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest

from tests.state.cells import namespace, run
from tests.state.halves.half import Half, check, check_read, failing, halves

SOURCE = """
registry = []
count = 0
settings = {"a": 1}
class Counter:
    total = 0
    seen = []
    def add(self):
        Counter.total += 1
        self.seen.append(1)
def add(item):
    global count
    registry.append(item)
    count += 1
def nested(item):
    return add(item)
def drop():
    global settings
    del settings
def lazily():
    import project.parts
    project.parts.items.append(1)
def lazily_from():
    from project import parts
    parts.rebind()
def lazily_relative():
    from . import parts
    parts.items.append(1)
def by_name(name):
    import importlib
    importlib.import_module("project.parts").items.append(1)
"""
_PARTS = "items = []\nvalue = 0\ndef rebind():\n    global value\n    value += 1\n"
_EXEC = f"SOURCE = {SOURCE!r}\nplace = {{}}\nexec(SOURCE, place)\n"
_SHOWN = "place['registry'], place['count'], place.get('settings')"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "project"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "tools.py").write_text(SOURCE)
    (package / "parts.py").write_text(_PARTS)
    (package / "others.py").write_text("log = []\ndef write(x): log.append(x)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "project"]:
        del sys.modules[name]


_FUNCTION_OF_EXEC = (
    "add, nested, drop = (place[name] for name in ('add', 'nested', 'drop')); Counter = place['Counter']\n"
)
_HIDDEN = _EXEC + _FUNCTION_OF_EXEC + "tell = lambda place=place: place\n"
_TELL = "tell()['registry'], tell()['count'], tell().get('settings')"


@halves(
    Half("a function that exec made", _EXEC + _FUNCTION_OF_EXEC, "add(1)", _SHOWN),
    Half("a function that exec made calls another", _EXEC + _FUNCTION_OF_EXEC, "nested(1)", _SHOWN),
    Half("a function that exec made deletes a name", _EXEC + _FUNCTION_OF_EXEC, "drop()", _SHOWN),
    Half("globals that no name leads to", _HIDDEN + "del place", "add(1)", _TELL),
    Half("globals that no name leads to, through a list", _HIDDEN + "del place\nfs = [nested]", "fs[0](1)", _TELL),
    Half(
        "globals that no name leads to, through partial",
        _HIDDEN + "del place\nfrom functools import partial\nfs = partial(add, 2)",
        "fs()",
        _TELL,
    ),
    Half("a class that exec made", _HIDDEN + "del place", "Counter().add()", "Counter.total, Counter.seen"),
    Half(
        "an object of a class that exec made",
        _HIDDEN + "c = Counter(); del Counter",
        "c.add()",
        "type(c).total, c.seen",
    ),
    Half("a new attribute of a class that exec made", _HIDDEN, "Counter.more = 1", "hasattr(Counter, 'more')"),
    Half(
        "two functions of the same code with globals of their own",
        "code = compile('n = 0\\ndef f():\\n    global n\\n    n += 1', 'x', 'exec')\na, b = {}, {}\n"
        "exec(code, a); exec(code, b)\nf, g = a['f'], b['f']\ntell = lambda a=a, b=b: (a['n'], b['n'])\ndel a, b",
        "f(); g()",
        "tell()",
    ),
    Half(
        "a function made by types.FunctionType",
        "import types\ndef f():\n    global n\n    n += 1\n"
        "space = {'n': 1}\ng = types.FunctionType(f.__code__, space)\n"
        "tell = lambda space=space: space['n']\ndel space",
        "g()",
        "tell()",
    ),
    Half(
        "a lambda that eval made",
        "space = {'items': []}\nf = eval('lambda: items.append(1)', space)\n"
        "tell = lambda space=space: space['items']\ndel space",
        "f()",
        "tell()",
    ),
)
def test_the_globals_of_functions_that_exec_made_are_put_back(half: Half) -> None:
    check(half)


_MODULE = f"import types\nm = types.ModuleType('m')\nexec({SOURCE!r}, vars(m))\n"
_OF_MODULE = "m.registry, m.count, getattr(m, 'settings', 0), m.Counter.total"


@halves(
    Half("a function of a module that is not registered", _MODULE, "m.add(1)", _OF_MODULE),
    Half("a list of a module that is not registered", _MODULE, "m.registry.append(1)", _OF_MODULE),
    Half("an attribute of a module that is not registered", _MODULE, "m.count = 9; del m.settings", _OF_MODULE),
    Half("a function taken from a module that is not registered", _MODULE + "f = m.add", "f(1)", _OF_MODULE),
    Half("a class of a module that is not registered", _MODULE, "m.Counter().add()", _OF_MODULE),
    Half("an object of a class of a module that is not registered", _MODULE + "c = m.Counter()", "c.add()", _OF_MODULE),
    Half("a module in a dict", _MODULE + "box = {'m': m}", "box['m'].nested(2)", _OF_MODULE),
    Half("a module that has a dotted name", _MODULE.replace("('m')", "('made.by.hand')"), "m.add(1)", _OF_MODULE),
    Half(
        "a module whose class was made by the module's type",
        "import types\nclass M(types.ModuleType): pass\nm = M('m')\nm.items = []",
        "m.items.append(1); m.x = 2",
        "m.items, hasattr(m, 'x')",
    ),
    Half(
        "a module in SimpleNamespace's place",
        "import types\nm = types.SimpleNamespace(a=[])",
        "m.a.append(1); m.b = 1",
        "m",
    ),
)
def test_a_module_that_is_not_registered_is_put_back(half: Half) -> None:
    check(half)


_SYS = "import sys, project.tools, project.parts, project.others\nfrom project.tools import *\n"
_PROJECT = (
    "[(m.__name__, {k: repr(v) for k, v in vars(m).items() if k in ('registry', 'count', 'items', 'value', 'log')})"
    " for name, m in sorted(sys.modules.items()) if name.startswith('project.')]"
)


@pytest.mark.usefixtures("project")
@halves(
    Half("a function of a module of the project", _SYS, "add(1)", _PROJECT),
    Half("a function that imports", _SYS, "lazily()", _PROJECT),
    Half("a function that imports from a package", _SYS, "lazily_from()", _PROJECT),
    Half("a function that imports relatively", _SYS, "lazily_relative()", _PROJECT),
    Half("a function that imports by a name in a string", _SYS, "by_name(0)", _PROJECT),
    Half(
        "an import in the failing statement",
        "import sys, project.parts; del project",
        "import project.parts as p; p.items.append(1)",
        _PROJECT,
    ),
    Half(
        "from-import in the failing statement",
        "import sys, project.parts; del project",
        "from project.parts import rebind; rebind()",
        _PROJECT,
    ),
    Half(
        "from-import of a module in the failing statement",
        "import sys, project.parts; del project",
        "from project import parts; parts.rebind()",
        _PROJECT,
    ),
    Half(
        "an import inside a function of the notebook",
        "import sys, project.others; del project\ndef f():\n    from project.others import write\n    write(1)",
        "f()",
        _PROJECT,
    ),
    Half(
        "import_module inside a function of the notebook",
        "import sys, importlib, project.others; del project\ndef f():\n"
        "    importlib.import_module('project.others').write(1)",
        "f()",
        _PROJECT,
    ),
    Half(
        "a module taken from sys.modules",
        "import sys, project.others; del project",
        "sys.modules['project.others'].write(1)",
        _PROJECT,
    ),
)
def test_what_modules_that_are_imported_inside_code_hold_is_put_back(half: Half) -> None:
    check(half)


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    "cell",
    [
        "import project.parts; project.parts.items.append(1)",
        "from project.parts import items; items.append(1)",
        "from project import parts; parts.rebind()",
        "f()",
    ],
)
def test_a_module_that_the_failed_statement_brought_in_is_imported_afresh(cell: str) -> None:
    body = "import project.parts\n    project.parts.items.append(1); project.parts.rebind()"
    setup = f"import sys, project\ndef f():\n    {body}"
    names = namespace(setup)
    assert run(names, failing(cell)).rollback(0).exact
    exec("import project.parts; shown = (project.parts.items, project.parts.value)", names)
    assert names["shown"] == ([], 0)


@pytest.mark.usefixtures("project")
def test_a_library_that_the_failed_statement_brought_in_stays() -> None:
    sys.modules.pop("colorsys", None)
    names = namespace("import project")
    assert run(names, failing("import colorsys, project.parts")).rollback(0).exact
    assert "colorsys" in sys.modules
    assert "project.parts" not in sys.modules
    assert not hasattr(names["project"], "parts")


def test_functions_of_main_while_the_notebook_has_another_namespace(monkeypatch: pytest.MonkeyPatch) -> None:
    main = types.ModuleType("__main__")
    exec(SOURCE, vars(main))
    monkeypatch.setitem(sys.modules, "__main__", main)
    names = namespace()
    names.update(add=main.add, Counter=main.Counter)  # type: ignore[attr-defined]  # just made
    assert run(names, failing("add(1); Counter().add()")).rollback(0).exact
    assert (main.registry, main.count, main.Counter.total) == ([], 0, 0)  # type: ignore[attr-defined]  # as above


def test_functions_of_a_script_are_followed(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SOURCE)
    space = {"__name__": "__main__", "__file__": str(script)}
    exec(compile(SOURCE, str(script), "exec"), space)
    names = namespace()
    names.update(add=space["add"], drop=space["drop"])  # as `%run` does
    assert run(names, failing("add(1); drop()")).rollback(0).exact
    assert (space["registry"], space["count"], space["settings"]) == ([], 0, {"a": 1})


def test_a_function_of_a_library_is_its_own_business() -> None:
    names = namespace("import textwrap, string; f = textwrap.dedent; g = string.capwords")
    journal = run(names, failing("f('a'); g('b')"))
    kinds = {kind.name for kind, *_ in journal.aftermath.checkpoints[0].snapshots.entries}
    assert "namespace of a script or of `exec`" not in kinds
    assert journal.rollback(0).exact


@pytest.mark.parametrize(
    ("setup", "read"),
    [
        (_HIDDEN, "add.__name__; Counter.total"),
        (_MODULE, "m.registry; m.Counter"),
        ("from collections import namedtuple; P = namedtuple('P', 'a b')", "P(1, 2).a"),
        ("from dataclasses import dataclass\n@dataclass\nclass D:\n    a: int = 0", "D(1) == D(2)"),
    ],
)
def test_functions_made_by_exec_are_not_named_when_they_are_read(setup: str, read: str) -> None:
    check_read(setup, read)
