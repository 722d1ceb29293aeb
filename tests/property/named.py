"""Which differences the words have named."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from tests.property.graph import Difference, Graph
from tests.property.kind import bound, used

BLANKET = (
    "the failed run (another cell ran)",
    "not undone: what the cell did",
    "anything that quick statements can reach",
)
"""Words that name all that the failed run has done."""
_ALSO = {
    "pandas accessors": {"pandas.DataFrame", "pandas.Series", "pandas.Index"},
    "registered a call for when the kernel ends": {"atexit"},
    "registries of sys": {"sys", "sys.argv", "sys.path"},
    "settings of sys": {"sys", "sys.argv", "sys.path", "dont_write_bytecode"},
    "the current folder": {"os"},
    "the garbage collector": {"gc threshold"},
    "gc (": {"gc threshold"},
    "module filemod": {"sys.modules"},
    "module own_mod": {"mod"},
    "decimal.DefaultContext": {"decimal's context"},
    "settings of matplotlib": {"matplotlib.rcParams", "matplotlib interactive"},
    "matplotlib.colormaps": {"matplotlib colormaps"},
    "os.umask": {"umask"},
    "figure 1": {"the current figure"},
}
"""What else some words name."""
_BEHIND = {
    "decimal's context": "decimal",
    "matplotlib.rcParams": "plt",
    "numpy settings": "np",
    "the state of random": "random",
    "the current folder": "os",
}
"""The modules whose functions compute with something that is named by other words."""
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ENDED = "its old value no longer exists"
_FOLDER = "the current folder"
_ANY_FILE = re.compile(r"wrote to a file descriptor|truncated file descriptor \d")
"""Events that do not know which file it is."""
_NO_NAMES = re.compile(
    r"said: (?=not run)|`[^`]*`(?:, `[^`]*`)* (?:runs? (?:its|their) new code|ha(?:s|ve) (?:its|their) old code again)"
    r"|resumed at line \d+"
)
_LOGGER = "logging.Logger"
_VARIABLE, _CONTEXT = "_contextvars.ContextVar", "_contextvars.Context"
_FILE = re.compile(r"'([^']+)'")
_WORD = re.compile(r"[\w.']+")


class Named:
    """What the words of one case say.

    Parameters
    ----------
    words : list of str
    some, other : Graph
        The pictures that are compared.
    sources : iterable of str
        The cells that ran: what they compute from a thing that is named is named by that.
    """

    def __init__(self, words: list[str], some: Graph, other: Graph, sources: Iterable[str]) -> None:
        self.text = " ; ".join(_NO_NAMES.sub("", text) for text in words)
        self._all = any(blanket in self.text for blanket in BLANKET)
        tokens = {word.strip(".'") for word in _WORD.findall(self.text)}
        tokens |= {word.partition(".")[0] for word in tokens}
        cells = list(sources)
        self._files: set[str] = set()
        roots = (
            some.roots.keys()
            | other.roots.keys()
            | {name for source in cells for name in bound(source, in_strings=True)}
        )
        self.names = {name for name in roots if name in tokens or (not name.isidentifier() and name in self.text)}
        self.names |= {name for words, names in _ALSO.items() if words in self.text for name in names & roots}
        if _ENDED in self.text:
            self.names |= roots & {name for source in cells for name in _touched_by_ends(source)}
        if self.names & (some.of_kind(_LOGGER) | other.of_kind(_LOGGER)):
            self.names |= {"loggers"} & roots
        if self.names & (some.of_kind(_VARIABLE) | other.of_kind(_VARIABLE)):  # a context is made of all of them
            self.names |= some.of_kind(_CONTEXT) | other.of_kind(_CONTEXT)
        libraries = {name for name in roots if _of_library(some, name) or _of_library(other, name)}
        self.computed = self._computed(cells, roots - libraries) - self.names
        self._reached = [_reached(graph, self.names) for graph in (some, other)]
        self._computed_reached = [_reached(graph, self.computed) for graph in (some, other)]

    def by(self, difference: Difference) -> str:
        """What names it; empty if nothing does."""
        if self._all:
            return "all that the failed run did"
        if difference.root in self.names:
            return difference.root
        if difference.root == "files" and (
            _ANY_FILE.search(self.text)
            or _FOLDER in self.names  # where files are that cells call by their names alone
            or any(map(self._file, _FILE.findall(difference.path + difference.some + difference.other)))
        ):
            return "a file"
        if _hangs_on(difference, self._reached):
            return "something that it hangs on"
        if difference.root in self.computed or _hangs_on(difference, self._computed_reached):
            return "what it was computed from"
        return ""

    def _file(self, name: str) -> bool:
        if name.endswith(".bak"):  # what `dbm.dumb` keeps of the directory before the last
            name = f"{name[:-3]}dir" if name not in self.text else name
        return name in self.text or name in self._files

    def _computed(self, sources: list[str], roots: set[str]) -> set[str]:
        """The names that statements bind or touch which mention a thing that is named."""
        found = self.names | {module for words, module in _BEHIND.items() if words in self.names}
        while True:
            before = len(found)
            for source in sources:
                for statement in _statements(source):
                    if (used(statement) | _defined(statement)) & found or any(
                        self._file(text) for text in _texts(statement)
                    ):
                        self._files |= set(_texts(statement))  # an open file that is named is the file as well
                        found |= (set(bound(statement, in_strings=True)) | used(statement)) & roots
            if len(found) == before:
                return found


def _touched_by_ends(source: str) -> set[str]:
    """The names that finalizers and `__del__` of a cell's classes use."""
    ends = [statement for statement in _statements(source) if "__del__" in statement or "finalize" in statement]
    return {name for statement in ends for name in used(statement)}


def _defined(statement: str) -> set[str]:
    """The function or class that a statement defines: what it does is done by its name."""
    (node,) = ast.parse(statement).body
    return {node.name} if isinstance(node, _DEFINITIONS) else set()


def _of_library(graph: Graph, name: str) -> bool:
    child = graph.roots.get(name)
    return isinstance(child, str) and child.startswith(("module:", "class:", "function:", "ufunc:", "builtin"))


def _statements(source: str) -> list[str]:
    return [ast.unparse(node) for node in ast.parse(source).body]


def _texts(source: str) -> list[str]:
    """The strings in it that may be names of files."""
    values = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    return [value for value in values if isinstance(value, str) and "." in value and len(value) > 4]


def _reached(graph: Graph, names: set[str]) -> set[int]:
    return set().union(*(graph.reach(name) for name in names)) if names else set()


def _hangs_on(difference: Difference, reached: list[set[int]]) -> bool:
    return any(number in found for number, found in zip(difference.nodes, reached))
