"""Whether statements may make files, or change the folder: rather too often than too rarely.

All that a statement can get at are its names, and what hangs on these. It makes no file if each of them is of a library
that makes none but by functions which say so (`to_csv`, `savefig`), and none of those is asked for.
"""

from __future__ import annotations

import ast
import builtins
import dis
import functools
import sys
from collections import defaultdict, deque
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from reflex_ipython.base.classes import classes, inherits, is_exactly, module_name, module_vars
from reflex_ipython.foreseen import live
from reflex_ipython.foreseen.opening import is_open, only_reads
from reflex_ipython.foreseen.reach import at_any_time, codes, codes_of, held, vars_of

_LIBRARIES = frozenset(
    {
        *("collections", "copy", "datetime", "decimal", "enum", "fractions", "functools", "itertools", "json", "math"),
        *("numbers", "operator", "random", "re", "statistics", "string", "textwrap", "time", "typing", "zoneinfo"),
        *(
            "numpy",
            "pandas",
            "scipy",
            "sklearn",
            "matplotlib",
            "mpl_toolkits",
            "seaborn",
            "tqdm",
            "builtins",
            "__main__",
        ),
    }
)
_WORDS = (
    *("cache", "chdir", "datasource", "download", "dump", "export", "fetch", "memmap", "open", "save", "sql", "store"),
    *("tofile", "write"),
)
"""What the names of functions have that make files."""
_TO = frozenset(
    {"to_datetime", "to_dict", "to_frame", "to_list", "to_numeric", "to_numpy", "to_period", "to_timedelta"}
)
"""Functions called like those that make files."""
_FUNCTIONS = frozenset(
    {
        *("abs", "all", "any", "ascii", "bin", "bool", "bytearray", "bytes", "callable", "chr", "complex", "dict"),
        *("display", "divmod", "enumerate", "filter", "float", "format", "frozenset", "hasattr", "hash", "hex", "id"),
        *(
            "int",
            "isinstance",
            "issubclass",
            "iter",
            "len",
            "list",
            "map",
            "max",
            "min",
            "next",
            "object",
            "oct",
            "ord",
        ),
        *("ord", "pow", "print", "property", "range", "repr", "reversed", "round", "set", "slice", "sorted", "str"),
        *(
            "sum",
            "super",
            "tuple",
            "type",
            "zip",
            "classmethod",
            "staticmethod",
            "NotImplemented",
            "Ellipsis",
            "__name__",
        ),
    }
)
_AWAITS = (ast.Await, ast.AsyncFor, ast.AsyncWith)
_PLAIN = (str, int, float, bool, complex, bytes, bytearray, type(None), range, slice)
_CONTAINERS = (list, tuple, set, frozenset, dict, deque)
_MANY, _MOST = 1_000, 2_000
"""Things in a container, and names, code and objects in all, that are looked at."""
_CHANGED = map(str, ())
"""Something of which it is not known what it does."""
_CLOSED = frozenset({"builtins", "functools", "itertools", "types"})
"""Modules whose objects do what others do that can't be seen in them: `map`, a generator, `itertools.starmap`."""


class FileMakers:
    """What was found out in one look at one namespace.

    Parameters
    ----------
    namespace : dict
    """

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._namespace = namespace
        self._still: dict[str, bool] = {}
        """Names that were looked up, and whether what they mean makes no file."""
        self._left = _MOST

    def may_make(self, statement: ast.stmt) -> bool:
        """Whether a statement may, behind those that were asked about before."""
        reading = set[int]()
        nodes = list(ast.walk(statement))
        for node in nodes:
            if isinstance(node, ast.Call):
                if isinstance(node.func, ast.Name) and is_open(node.func.id, self._namespace) and only_reads(node):
                    reading.add(id(node.func))
                elif not isinstance(node.func, (ast.Name, ast.Attribute)):
                    return True
        return not all(self._is_still(node, reading) for node in nodes)

    def work_elsewhere(self) -> bool:
        """Whether threads, signals or processes of the user's may make one meanwhile."""
        if any(True for _ in at_any_time(self._namespace)):
            return True
        started = {("subprocess", "Popen"), ("multiprocessing", "Process"), ("asyncio.tasks", "Task")}
        found = (live.is_of(o, *each) for _, o in live.values(self._namespace) for each in started)
        return any(found)

    def _is_still(self, node: ast.AST, reading: set[int]) -> bool:
        if isinstance(node, _AWAITS):
            return False
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return all(map(_is_loaded, _modules(node)))
        if isinstance(node, ast.Attribute):
            return _is_still_word(node.attr)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in reading:
            return self._is_still_name(node.id)
        return True

    def _is_still_name(self, name: str) -> bool:
        if name not in self._still:
            self._still[name] = True  # while it is looked at: functions that call each other
            self._still[name] = self._means_nothing(name)
        return self._still[name]

    def _means_nothing(self, name: str) -> bool:
        self._left -= 1
        if self._left < 0:
            return False
        if dict.__contains__(self._namespace, name):
            return self._is_still_object(dict.get(self._namespace, name), 2)
        found = vars(builtins).get(name)  # even if it is bound: perhaps only inside a function
        return found is None or name in _FUNCTIONS or (type(found) is type and inherits(found, BaseException))

    def _is_still_object(self, o: Any, depth: int) -> bool:
        kind = type(o)
        self._left -= 1
        if is_exactly(o, _PLAIN):
            return True
        if depth < 0 or self._left < 0:
            return False
        if kind is ModuleType:
            return _package(str(module_vars(o).get("__name__"))) in _LIBRARIES
        if is_exactly(o, (FunctionType, BuiltinFunctionType)) and not self._holds(o):
            return _is_still_function(o)
        if any(inherits(kind, each) for each in _CONTAINERS):
            return self._are_still(_contents(o), depth)
        own = is_exactly(o, (FunctionType, BuiltinFunctionType, MethodType, functools.partial))
        if not own and not (_is_of_library(o) and _is_still_word(_name_of(o))):
            return False
        if own or module_name(kind) == "__main__":
            return self._are_still(list(held(o)), depth) and self._runs_nothing_else(o)
        return self._runs_nothing_else(o)

    def _holds(self, o: Any) -> bool:
        """Whether a function is one of the user's, or a method of an object."""
        if type(o) is FunctionType:
            return o.__globals__ is self._namespace
        return o.__self__ is not None and type(o.__self__) is not ModuleType

    def _are_still(self, objects: list[Any], depth: int) -> bool:
        if all(is_exactly(each, _PLAIN) for each in objects):
            return True
        return len(objects) <= _MANY and all(self._is_still_object(each, depth - 1) for each in objects)

    def _runs_nothing_else(self, o: Any) -> bool:
        return all(code is not None and self._is_still_code(code) for code in codes(o, self._namespace))

    def _is_still_code(self, outer: CodeType) -> bool:
        for code in codes_of(outer):
            self._left -= 1
            if self._left < 0 or any(each.opname.startswith("IMPORT") for each in dis.get_instructions(code)):
                return False
            if not all(_is_still_word(name) and self._is_still_name(name) for name in code.co_names):
                return False
        return True


def _is_of_library(o: Any) -> bool:
    """Whether what a class does, or an object, is what a library does which makes no files by the way."""
    if inherits(type(o), type):
        return all(_package(module_name(base)) in _LIBRARIES for base in classes(o))
    packages = [_package(module_name(base)) for base in classes(type(o)) if base is not object]
    return _LIBRARIES.issuperset(packages) and packages[0] not in _CLOSED


def _is_still_function(function: Any) -> bool:
    """Whether a function of a library makes no file."""
    name, module = function.__name__, function.__module__
    if type(name) is not str or type(module) is not str or not _is_still_word(name):
        return False
    return name in _FUNCTIONS if module == "builtins" else _package(module) in _LIBRARIES


def _name_of(o: Any) -> str:
    """The name of what stands for a function, as `numpy.savetxt` does."""
    name = vars_of(o).get("__name__")
    return name if type(name) is str else ""


def _contents(o: Any) -> list[Any]:
    """What is in a container, without asking its class."""
    try:
        if inherits(type(o), dict):
            factory = [o.default_factory] if type(o) is defaultdict else []
            return [*dict.keys(o), *dict.values(o), *factory]
        base = next(each for each in _CONTAINERS if inherits(type(o), each))
        return list(base.__iter__(o))
    except RuntimeError:  # it was changed meanwhile
        return [_CHANGED]


def _is_still_word(name: str) -> bool:
    if name.startswith("to_"):
        return name in _TO
    return not any(word in name.lower() for word in _WORDS)


def _package(module: str) -> str:
    return module.partition(".")[0]


def _is_loaded(module: str) -> bool:
    return module in sys.modules and _package(module) in _LIBRARIES


def _modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
