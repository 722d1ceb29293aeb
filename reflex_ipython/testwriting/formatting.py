"""Python as `ruff format` writes it: by ruff where it is installed, else long calls and lists broken as it does."""

from __future__ import annotations

import ast
import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from reflex_ipython.base.syntax_trees import expression

WIDTH = 88
"""The longest line of ruff's own defaults; with a file's name, ruff takes its project's."""
SECONDS = 10.0


def formatted(text: str, path: str = "") -> str:
    """The text as ruff formats it, with the settings of the project that a path is in; as it is without ruff."""
    ruff = _ruff()
    if ruff is None:
        return text
    name = ["--stdin-filename", path] if path else ["--isolated"]
    try:
        done = subprocess.run(
            [ruff, "format", *name, "-"], input=text, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return text
    return done.stdout if done.returncode == 0 and done.stdout else text


def _ruff() -> str | None:
    """Where ruff is: in this environment, else on the path."""
    beside = Path(sys.executable).with_name("ruff")
    if importlib.util.find_spec("ruff") is not None and beside.exists():
        return str(beside)
    return shutil.which("ruff")


def assignment(name: str, text: str, indent: int) -> str:
    """`name = text`, its value broken into lines where it is too long for one."""
    return f"{name} = {_broken(text, indent, len(name) + 3)}"


def call(text: str, indent: int) -> str:
    """An expression, broken into lines where it is too long for one."""
    return _broken(text, indent, 0)


def _broken(text: str, indent: int, taken: int) -> str:
    if indent + taken + len(text) <= WIDTH:
        return text
    try:
        node = expression(text)
    except SyntaxError:
        return text
    parts = _parts(node, text)
    if parts is None:
        return text
    opening, inside, closing = parts
    space = " " * (indent + 4)
    lines = [f"{space}{prefix}{_broken(part, indent + 4, len(prefix) + 1)}," for prefix, part in inside]
    return "\n".join([opening, *lines, f"{' ' * indent}{closing}"])


def _parts(node: ast.expr, text: str) -> tuple[str, list[tuple[str, str]], str] | None:
    """What opens an expression, its parts with what stands in front of each, and what closes it."""

    def source(one: ast.expr) -> str:
        return ast.get_source_segment(text, one) or ""

    if isinstance(node, ast.List):
        return "[", [("", source(one)) for one in node.elts], "]"
    if isinstance(node, ast.Tuple) and len(node.elts) > 1:
        return "(", [("", source(one)) for one in node.elts], ")"
    if isinstance(node, ast.Set):
        return "{", [("", source(one)) for one in node.elts], "}"
    if isinstance(node, ast.Dict) and all(node.keys):
        pairs = [(key, value) for key, value in zip(node.keys, node.values) if key is not None]
        return "{", [(f"{source(key)}: ", source(value)) for key, value in pairs], "}"
    if isinstance(node, ast.Call) and (node.args or node.keywords):
        named = [(f"{one.arg}=", source(one.value)) for one in node.keywords]
        return f"{source(node.func)}(", [*(("", source(one)) for one in node.args), *named], ")"
    return None


def ordered(imports: Iterable[str], is_library: Iterable[str] = ()) -> str:
    """Import statements as they are sorted at the top of a file: Python's own, others', and the project's."""
    libraries = set(is_library)
    groups: dict[int, set[str]] = {0: set(), 1: set(), 2: set()}
    for statement in _joined(imports):
        package = statement.split()[1].partition(".")[0]
        groups[0 if package in sys.stdlib_module_names else 1 if package in libraries else 2].add(statement)
    return "\n\n".join("\n".join(sorted(group, key=_by_module)) for group in groups.values() if group)


def _joined(imports: Iterable[str]) -> list[str]:
    """What comes from one module in one statement."""
    found: dict[str, set[str]] = {}
    plain = []
    for statement in imports:
        module, _, names = statement.removeprefix("from ").partition(" import ")
        if statement.startswith("from "):
            found.setdefault(module, set()).update(names.split(", "))
        else:
            plain.append(statement)
    return [*plain, *(f"from {module} import {', '.join(sorted(names))}" for module, names in found.items())]


def _by_module(statement: str) -> tuple[bool, str]:
    return statement.startswith("from "), statement.split()[1]
