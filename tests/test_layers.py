"""Imports point one way, and only the edge knows Jupyter."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "reflex_ipython"
STAGES = ("capture", "propose", "check", "state", "present", "remember")
CONTRACT = ("errors", "models", "settings", "protocols")
ROOMS: dict[str, tuple[str, ...]] = {
    "version": (),
    "errors": (),
    "base": (),
    "models": ("errors",),
    "settings": ("errors", "models"),
    "protocols": ("errors", "models", "settings"),
    "plugins": CONTRACT,
    "testing": CONTRACT,
    **dict.fromkeys(STAGES, (*CONTRACT, "base", "version")),
    "repairs": (*CONTRACT, "base", *STAGES),
    "ipython": (*CONTRACT, "plugins", "repairs", *STAGES, "version"),
    "__init__": ("ipython", "version"),
}
JUPYTER = {
    "IPython",
    "ipykernel",
    "ipywidgets",
    "anywidget",
    "comm",
    "traitlets",
    "jupyter_client",
    "nbclient",
    "nbformat",
}
MODULES = sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide where things come from"
            names = [f"{node.module}.{name.name}" for name in node.names]
            yield from names if node.module == "reflex_ipython" else [str(node.module)]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_rooms_below_its_own(path: Path) -> None:
    here = room(path)
    ours = {name.split(".")[1] for name in imported(path) if name.startswith("reflex_ipython.")}
    assert ours - {here} <= set(ROOMS[here])


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_edge_imports_jupyter(path: Path) -> None:
    if room(path) not in ("ipython", "headless"):
        assert not {name.split(".")[0] for name in imported(path)} & JUPYTER
