"""Imports point one way, and only the edge knows Jupyter."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "reflex_ipython"
STAGES = ("capture", "propose", "check", "state", "present", "remember")
SURFACE = ("errors", "models", "settings", "protocols")
"""What plugins see."""
CONTRACT = (*SURFACE, "stages")
ROOMS: dict[str, tuple[str, ...]] = {
    "version": (),
    "errors": (),
    "base": (),
    "models": ("errors",),
    "settings": ("errors", "models"),
    "protocols": ("errors", "models", "settings"),
    "stages": SURFACE,
    "plugins": SURFACE,
    "testing": SURFACE,
    **dict.fromkeys(STAGES, (*CONTRACT, "base", "version")),
    "foreseen": ("base",),
    "reports": (*CONTRACT, "base", "present"),
    "traces": (*CONTRACT, "base", "capture", "present"),
    "repairs": (*CONTRACT, "base", *STAGES),
    "ipython": (
        *CONTRACT,
        "plugins",
        "reports",
        "repairs",
        "testwriting",
        "traces",
        "base",
        "foreseen",
        *STAGES,
        "version",
    ),
    "headless": (*CONTRACT, "plugins", "reports", "repairs", "base", *STAGES, "version"),
    "execution": (*CONTRACT, "plugins", "reports", "repairs", "base", *STAGES, "version"),
    "server": (*CONTRACT, "execution", "reports", "check", "version"),
    "testwriting": (*CONTRACT, "base", "capture", "execution", "traces"),
    "functions": (*CONTRACT, "plugins", "reports", "repairs", "base", "execution", "traces", *STAGES, "version"),
    "cli": (*CONTRACT, "headless", "ipython", "testwriting", "traces", "version"),
    "__main__": ("cli",),
    "__init__": ("models", "settings", "ipython", "headless", "execution", "functions", "traces", "version"),
}
JUPYTER = {
    "IPython",
    "ipykernel",
    "ipywidgets",
    "anywidget",
    "comm",
    "traitlets",
    "jupyter_client",
    "jupyter_server",
    "tornado",
    "nbclient",
    "nbformat",
}
MODULES = sorted(PACKAGE.rglob("*.py"))


IMPORTERS = ("import_module", "__import__")


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


OURS = {dotted(path) for path in MODULES}


def imported(source: str, module: str) -> Iterator[str]:
    """What the source of a module imports: by statements, by calls, and what it names to look it up."""
    yield from _imported(ast.parse(source), module)


def _imported(node: ast.AST, module: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (name.name for name in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, f"{module}: relative imports hide where things come from"
        names = [f"{node.module}.{name.name}" for name in node.names]
        yield from names if node.module == "reflex_ipython" else [str(node.module)]
    elif isinstance(node, ast.Call) and called(node) in IMPORTERS:
        yield beginning(node.args[0], module)
    elif isinstance(node, ast.Constant) and node.value in OURS:  # `sys.modules.get("reflex_ipython...")`
        yield str(node.value)
    if isinstance(node, ast.FunctionDef) and node.name in IMPORTERS:
        return  # an importer of our own: its callers give the name
    for child in ast.iter_child_nodes(node):
        yield from _imported(child, module)


def called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def beginning(name: ast.expr, module: str) -> str:
    """The beginning of a computed module name, as far as the source alone tells; it has to tell the room."""
    if isinstance(name, ast.Subscript) and isinstance(name.value, ast.Name) and name.value.id.isupper():
        return ""  # a table of the module: what it names is seen where it stands there
    is_package = PACKAGE.parent.joinpath(*module.split(".")).is_dir()
    known = {"__name__": module, "__package__": module if is_package else module.rpartition(".")[0]}
    text = ""
    for part in name.values if isinstance(name, ast.JoinedStr) else [name]:
        value = part.value if isinstance(part, ast.FormattedValue) else part
        if isinstance(value, ast.Constant):
            text += str(value.value)
        elif isinstance(value, ast.Name) and value.id in known:
            text += known[value.id]
        else:
            told = text.split(".")[:-1]  # what is behind the last dot may go on
            assert told not in ([], ["reflex_ipython"]), f"{module}: what {ast.unparse(name)} imports can't be seen"
            return ".".join(told)
    assert not text.startswith("."), f"{module}: relative imports hide where things come from"
    return text


def imported_by(path: Path) -> set[str]:
    return set(imported(path.read_text(encoding="utf-8"), dotted(path)))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_rooms_below_its_own(path: Path) -> None:
    here = room(path)
    ours = {name.split(".")[1] for name in imported_by(path) if name.startswith("reflex_ipython.")}
    assert ours - {here} <= set(ROOMS[here])


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_edge_imports_jupyter(path: Path) -> None:
    if room(path) not in ("ipython", "headless", "server"):
        assert not {name.split(".")[0] for name in imported_by(path)} & JUPYTER


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def f():\n    import IPython.core", "IPython.core"),
        ("from reflex_ipython import plugins", "reflex_ipython.plugins"),
        ("importlib.import_module('reflex_ipython.repairs.session')", "reflex_ipython.repairs.session"),
        ("found = [import_module(f'reflex_ipython.repairs.{name}') for name in NAMES]", "reflex_ipython.repairs"),
        ("importlib.import_module(f'{__package__}.{name}')", "reflex_ipython.state.kinds"),
        ("importlib.import_module(__name__)", "reflex_ipython.state.kinds.families"),
        ("__import__('IPython')", "IPython"),
        ("sys.modules.get('reflex_ipython.repairs.session')", "reflex_ipython.repairs.session"),
    ],
)
def test_an_import_is_seen_however_it_is_written(source: str, found: str) -> None:
    assert found in set(imported(source, "reflex_ipython.state.kinds.families"))


@pytest.mark.parametrize(
    "source",
    ["import_module(name)", "import_module(f'reflex_ipython.{name}')", "import_module('.x')", "from . import kind"],
)
def test_an_import_that_can_not_be_seen_is_refused(source: str) -> None:
    with pytest.raises(AssertionError, match=r"can't be seen|hide where"):
        list(imported(source, "reflex_ipython.state.kinds.families"))


def test_an_importer_of_our_own_passes_on_what_its_callers_name() -> None:
    source = "def import_module(name):\n    return importlib.import_module(name)\nimport_module('IPython')"
    assert list(imported(source, "reflex_ipython.state.here")) == ["IPython"]
