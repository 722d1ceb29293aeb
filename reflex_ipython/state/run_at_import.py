"""What of a module's source runs as it is imported: its top level, and the functions that are called from there.

Who calls what is told by names alone, so that it is too much rather than too little.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from reflex_ipython.state.bytecode_names import MAGIC_EVERYTHING, MAGICS_BY_NAME, SHELL, SHELL_EVERYTHING

_SHELLS = frozenset({SHELL, "InteractiveShell", "ZMQInteractiveShell"})
_FRAMES = frozenset({"f_globals", "f_locals"})
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def without_the_rest(tree: ast.Module, called: Iterable[str] = (), *, script: bool = False) -> ast.Module:
    """Take out of a module's tree what does not run as it is imported; returns the tree.

    Parameters
    ----------
    tree : ast.Module
        Of which nothing else is made.
    called : iterable of str
        Functions that whoever imports it calls.
    script : bool
        Whether it is run as `__main__`.
    """
    reading = _TopLevel(called, script)
    reading.read(tree.body)
    for node in reading.not_run():
        node.body = [ast.copy_location(ast.Pass(), node)]
    return tree


def gets_at_names(running: ast.Module, *, has_shell: bool = False) -> bool:
    """Whether code gets at the names of the notebook, by its shell or by the frame that imports it.

    Parameters
    ----------
    running : ast.Module
        As `without_the_rest` has left it.
    has_shell : bool
        Whether it is given the shell, and need not ask for it.
    """
    nodes = [*ast.walk(running)]
    words = {word for node in nodes for word in _words(node)}
    if not words.isdisjoint(_FRAMES):
        return True
    if not has_shell and words.isdisjoint(_SHELLS):
        return False
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    magic = not words.isdisjoint(MAGICS_BY_NAME) and not texts.isdisjoint(MAGIC_EVERYTHING)
    return magic or not words.isdisjoint(SHELL_EVERYTHING)


class _TopLevel:
    """What a module's top level leads to, by names."""

    def __init__(self, called: Iterable[str], script: bool) -> None:
        self._script = script
        self._of_scripts: list[ast.If] = []
        self._words = set(called)
        self._waiting: list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]] = []

    def read(self, body: list[ast.stmt]) -> None:
        """Read these statements, and the functions that they lead to."""
        self._all(body, "")
        while called := [pair for pair in self._waiting if pair[0] in self._words]:
            self._waiting = [pair for pair in self._waiting if pair[0] not in self._words]
            for _, function in called:
                self._all(function.body, "")

    def not_run(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.If]:
        """The functions that it does not lead to, and what runs only where the file is a script."""
        yield from (function for _, function in self._waiting)
        yield from self._of_scripts

    def _all(self, nodes: Iterable[ast.AST], cls: str) -> None:
        for node in nodes:
            self._read(node, cls)

    def _read(self, node: ast.AST, cls: str) -> None:
        """`cls`: the name of the class that it stands in, whose special methods run where that is named."""
        if isinstance(node, _DEFINITIONS):
            special = node.name.startswith("__") and node.name.endswith("__")
            self._waiting.append((cls if cls and special else node.name, node))
            self._all([*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)], cls)
        elif isinstance(node, ast.If) and not self._script and _is_of_scripts(node.test):
            self._of_scripts.append(node)
            self._all(node.orelse, cls)
        else:
            self._words.update(_words(node))
            self._all(ast.iter_child_nodes(node), node.name if isinstance(node, ast.ClassDef) else cls)


def _is_of_scripts(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def _words(node: ast.AST) -> tuple[str, ...]:
    """The name or attribute that a node itself is, or what it imports."""
    if isinstance(node, ast.Name):
        return (node.id,) if isinstance(node.ctx, ast.Load) else ()
    if isinstance(node, ast.alias):
        return (node.name,)
    return (node.attr,) if isinstance(node, ast.Attribute) else ()
