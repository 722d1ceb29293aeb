"""Full names of what a piece of code refers to: `r` after `from os import remove as r` is `os.remove`.

Names are followed through assignments, loops, defaults and the ways to look one up by its text, whatever the order of
the statements and whichever branch they are in: what a name may be counts.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator, Sequence

from reflex_ipython.base.working_cache import working_cache
from reflex_ipython.check.critic.bindings import bindings
from reflex_ipython.check.critic.folding import Folding
from reflex_ipython.check.critic.words import words
from reflex_ipython.check.parsed_cell import ParsedCell, read
from reflex_ipython.models import Fix, Situation

UNKNOWN = "?"
"""What an expression is that can't be told."""

_MOST = 16
_LONGEST = 200
_ROUNDS = 5
_DEEPEST = 40
_IMPORTERS = ("__import__", "importlib.import_module", "importlib.__import__")
_PATHS = ("pathlib.Path", "pathlib.PosixPath", "pathlib.WindowsPath")
_PATH = "pathlib.Path()"
_GIVES_PATHS = words(
    """absolute cwd expanduser glob home iterdir joinpath parent relative_to resolve rglob with_name with_stem
    with_suffix"""
)
_SHELLS = words(
    """IPython.get_ipython() IPython.core.getipython.get_ipython() IPython.InteractiveShell.instance()
    IPython.core.interactiveshell.InteractiveShell.instance()
    IPython.terminal.interactiveshell.InteractiveShell.instance()
    ipykernel.zmqshell.ZMQInteractiveShell.instance()"""
)
# Modules that are the same wherever one comes across them: `glob.os`, `np.os`, `tempfile._os`.
_EVERYWHERE = words("builtins ctypes importlib marshal os pickle pty shutil socket subprocess sys")
_SAME = {"posix": "os", "nt": "os", "__builtin__": "builtins", "cPickle": "pickle"}
# Modules whose names are as likely to be a variable of a cell that nobody remembers.
_ORDINARY = words("code comm conda dns git imp invoke julia kafka matlab neptune pip pwd sh tty wget")
_TRANSPARENT = ("__call__", "__func__", "__wrapped__")


class Names:
    """What the names in some cells may stand for.

    Parameters
    ----------
    cells : iterable of ParsedCell
        In the order in which they run.
    known : dict of str to str
        What names stand for in the namespace already.
    """

    def __init__(self, cells: Iterable[ParsedCell], known: dict[str, str] | None = None) -> None:
        self._imported: dict[str, list[str]] = {name: [full] for name, full in (known or {}).items()}
        self._values: dict[str, list[ast.expr]] = {}
        self._opaque: set[str] = set()
        self._stars: list[str] = []
        self.functions: dict[str, ast.AST] = {}
        for found in map(bindings, cells):
            for name, modules in found.imported.items():
                self._imported.setdefault(name, []).extend(modules)
            for name, values in found.values.items():
                self._values.setdefault(name, []).extend(values)
            self._opaque |= found.opaque
            self._stars += found.stars
            self.functions.update(found.functions)
        self._folding = Folding(self._spelt, self.full)
        self._known: dict[str, tuple[str, ...]] = {}
        self._cache: dict[int, tuple[ast.AST, tuple[str, ...]]] | None = (
            None  # not while the names are being followed: what they mean changes
        )
        self._depth = 0
        self._follow()
        self._cache = {}

    def full(self, node: ast.AST) -> str:
        """The likeliest full name of an expression. What an attribute is of, where that can't be told, is "?"."""
        return self.meanings(node)[0]

    def meanings(self, node: ast.AST) -> tuple[str, ...]:
        """All that an expression may be; at least one."""
        if self._cache is not None and id(node) in self._cache:
            return self._cache[id(node)][1]
        if self._depth > _DEEPEST:
            return (UNKNOWN,)
        self._depth += 1
        try:
            found = (_canonical(name) if len(name) < _LONGEST else UNKNOWN for name in self._meanings(node))
            meanings = tuple(dict.fromkeys(found))[:_MOST] or (UNKNOWN,)
        finally:
            self._depth -= 1
        if self._cache is not None:
            self._cache[id(node)] = node, meanings  # the node is kept, or another one might get its address
        return meanings

    def text(self, node: ast.expr) -> str | None:
        """The text that an expression spells; None if it can't be told, or may be one or the other."""
        return self._folding.text(node)

    def texts(self, node: ast.expr) -> list[str]:
        """All the texts that an expression may spell, as far as they can be told."""
        values = self._values.get(node.id, []) if isinstance(node, ast.Name) else [node]
        return [text for value in values if (text := self.text(value)) is not None]

    def is_module(self, node: ast.AST) -> bool:
        """Whether an expression is an imported module or a part of one, or the builtins."""
        return any(name == "builtins" or name in self._modules for name in self.meanings(node))

    def is_of_module(self, node: ast.AST) -> bool:
        """Whether an expression is something that an imported module defines: `pd.DataFrame`."""
        return any("()" not in name and name.partition(".")[0] in self._packages for name in self.meanings(node))

    @functools.cached_property
    def _packages(self) -> set[str]:
        return {module.partition(".")[0] for module in self._modules} | {"builtins"}

    @functools.cached_property
    def _modules(self) -> set[str]:
        modules = {module for modules in self._imported.values() for module in modules}
        return {*modules, *map(_canonical, modules), "os", "sys", "subprocess"}

    def _follow(self) -> None:
        """Follow the assignments until nothing new comes of it."""
        for _ in range(_ROUNDS):
            before = dict(self._known)
            for name, values in self._values.items():
                found = (meaning for value in values for meaning in self.meanings(value) if meaning != UNKNOWN)
                self._known[name] = tuple(dict.fromkeys(found))[:_MOST]
            if self._known == before:
                break

    def _spelt(self, name: str) -> Sequence[ast.expr]:
        """The values of a name; none if it may be something else besides."""
        return () if name in self._opaque or name in self._imported else self._values.get(name, ())

    def _meanings(self, node: ast.AST) -> Iterator[str]:
        if isinstance(node, ast.Name):
            yield from self._named(node.id)
        elif isinstance(node, ast.Attribute):
            for owner in self.meanings(node.value):
                yield _member(owner, node.attr)
        elif isinstance(node, ast.Call):
            yield from self._called(node)
        elif isinstance(node, ast.Subscript):
            yield from self._element(node.value, node.slice)
        elif isinstance(node, ast.IfExp):
            yield from (*self.meanings(node.body), *self.meanings(node.orelse))
        elif isinstance(node, ast.BoolOp):
            yield from (name for value in node.values for name in self.meanings(value))
        elif isinstance(node, (ast.NamedExpr, ast.Await, ast.Starred)):
            yield from self.meanings(node.value)
        elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):  # one of its elements, in a loop or by an index
            yield from (name for element in node.elts for name in self.meanings(element) if name != UNKNOWN)
        elif isinstance(node, ast.Dict):
            yield from (name for element in node.values for name in self.meanings(element) if name != UNKNOWN)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and _PATH in self.meanings(node.left):
            yield _PATH

    def _named(self, name: str) -> Iterator[str]:
        yield from self._imported.get(name, ())
        yield from self._known.get(name, ())
        if name not in self._imported and name not in self._values and name not in self._opaque:
            yield name if name not in _ORDINARY else UNKNOWN
            yield from (f"{module}.{name}" for module in self._stars)

    def _called(self, node: ast.Call) -> Iterator[str]:
        for function in self.meanings(node.func):
            if function in _IMPORTERS and node.args:
                module = self.text(node.args[0])
                yield from (module, module.partition(".")[0]) if module else (f"{function}()",)
            elif function in ("getattr", "object.__getattribute__", "type.__getattribute__") and len(node.args) >= 2:
                yield from self._members(node.args[0], node.args[1])
            elif function == "operator.attrgetter()" and isinstance(node.func, ast.Call) and node.args:
                yield from self._members(node.args[0], node.func.args[0]) if node.func.args else ()
            elif function.endswith(".__getattribute__") and len(node.args) == 2:
                yield from self._members(node.args[0], node.args[1])
            elif function.endswith(".__getattribute__") and node.args and isinstance(node.func, ast.Attribute):
                yield from self._members(node.func.value, node.args[0])
            elif function == "type" and len(node.args) == 1:
                yield from (f"{owner}.__class__" for owner in self.meanings(node.args[0]))
            elif function == "vars" and node.args:
                yield from (f"{owner}.__dict__" for owner in self.meanings(node.args[0]))
            elif function.endswith((".get", ".pop", ".__getitem__", ".setdefault")) and node.args:
                yield from self._element_of(function.rpartition(".")[0], node.args[0])
            elif function == "functools.partial" and node.args:
                yield from self.meanings(node.args[0])
            elif function in _PATHS or (
                function.startswith("pathlib.Path") and function.rpartition(".")[2] in _GIVES_PATHS
            ):
                yield _PATH
            else:
                yield f"{function}()"

    def _members(self, owner: ast.expr, name: ast.expr) -> Iterator[str]:
        text = self.text(name)
        if text is not None:
            yield from (f"{found}.{text}" for found in self.meanings(owner))

    def _element(self, owner: ast.expr, key: ast.expr) -> Iterator[str]:
        if isinstance(owner, (ast.List, ast.Tuple, ast.Dict)):
            yield from self.meanings(owner)
            return
        for found in self.meanings(owner):
            yield from self._element_of(found, key)

    def _element_of(self, owner: str, key: ast.expr) -> Iterator[str]:
        text = self.text(key)
        if text is None:
            yield UNKNOWN
        elif owner in ("globals()", "locals()", "vars()", "get_ipython().user_ns", "get_ipython().user_global_ns"):
            yield from self._named(text)
        elif owner == "sys.modules":
            yield text
        elif owner == "builtins" or owner.endswith(".__dict__"):
            yield f"{owner.removesuffix('.__dict__')}.{text}"
        elif owner.endswith(".__globals__"):
            yield text
        else:
            yield UNKNOWN


def names_of(situation: Situation, *sources: str) -> Names:
    """What the names mean in a cell or a file: by the namespace, the files and earlier cells, its text, and these."""
    files = (file.source for file in situation.files)
    earlier = (cell.source for cell in situation.earlier)
    return _names((*files, *earlier, situation.source, *sources), tuple(situation.meanings.items()))


@working_cache(maxsize=8)  # several checkers ask, and the same situation has several fixes
def _names(sources: tuple[str, ...], known: tuple[tuple[str, str], ...]) -> Names:
    return Names(map(read, sources), dict(known))


def names_after(situation: Situation, fix: Fix) -> Names:
    """What the names mean once all cells of a fix have run."""
    return names_of(situation, *fix.texts)


def _member(owner: str, name: str) -> str:
    if name in _TRANSPARENT:
        return owner
    if owner == _PATH and name in _GIVES_PATHS:
        return _PATH if name == "parent" else f"{owner}.{name}"
    return f"{owner}.{name}"


@functools.lru_cache(maxsize=4096)
def _canonical(name: str) -> str:
    """One name for what has several."""
    if name in _SHELLS:
        return "get_ipython()"
    if name == "__builtins__":
        return "builtins"
    parts = name.split(".")
    for index in range(len(parts) - 1, -1, -1):
        part = parts[index].lstrip("_")
        part = _SAME.get(parts[index], _SAME.get(part, part))
        if (part in _EVERYWHERE and index < len(parts) - 1) or (index == 0 and parts[index] in _SAME):
            parts = [part, *parts[index + 1 :]]
            break
    if parts[0] == "builtins" and len(parts) > 1 and parts[1] not in ("__dict__", "__getattribute__"):
        parts = parts[1:]
    found = ".".join(parts).replace("pathlib._local.", "pathlib.")
    return {"io.open": "open", "_io.open": "open", "os.fdopen": "open", "io.FileIO": "open"}.get(found, found)
