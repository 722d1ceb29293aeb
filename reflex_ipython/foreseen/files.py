"""Files that are read and are not there, where nothing that runs before can make them, or change the folder."""

from __future__ import annotations

import ast
import errno
import os
import sys
from types import ModuleType
from typing import Any

from reflex_ipython.base.classes import module_vars
from reflex_ipython.foreseen.changed import PossibleChanges
from reflex_ipython.foreseen.file_makers import FileMakers
from reflex_ipython.foreseen.local_files import is_missing
from reflex_ipython.foreseen.opening import is_open, only_reads

_READERS = {"pandas": ("read_csv", "read_table", "read_fwf", "read_pickle", "read_excel"), "numpy": ("load",)}
"""Functions that open the file before anything else, and say of one that is not there what the system says."""
_OF_READERS = frozenset(
    {
        *("sep", "delimiter", "header", "names", "index_col", "usecols", "dtype", "skiprows", "nrows", "na_values"),
        *("parse_dates", "decimal", "thousands", "comment", "encoding", "sheet_name", "allow_pickle", "low_memory"),
    }
)
"""Arguments of which none opens another file, or is refused before that one is opened."""


def find(
    node: ast.expr, namespace: dict[str, Any], changed: PossibleChanges, inside: PossibleChanges
) -> FileNotFoundError | None:
    """What reading a file by its name raises."""
    if not isinstance(node, ast.Call) or not node.args:
        return None
    path = node.args[0]
    if not isinstance(path, ast.Constant) or type(path.value) is not str:
        return None
    if not (_opens(node, namespace, changed, inside) or _reads(node, namespace, changed, inside)):
        return None
    if not is_missing(path.value):
        return None
    makers = FileMakers(namespace)
    if makers.work_elsewhere() or any(
        makers.may_make(statement) for statement in [*changed.statements, *inside.statements]
    ):
        return None
    return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path.value)


def _opens(node: ast.Call, namespace: dict[str, Any], changed: PossibleChanges, inside: PossibleChanges) -> bool:
    name = node.func
    if not isinstance(name, ast.Name) or name.id in changed.bound or name.id in inside.bound:
        return False
    return is_open(name.id, namespace) and len(node.args) <= 2 and only_reads(node)


def _reads(node: ast.Call, namespace: dict[str, Any], changed: PossibleChanges, inside: PossibleChanges) -> bool:
    function = node.func
    if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
        return False
    name = function.value.id
    if name in changed.bound or name in inside.bound or function.attr in changed.attributes:
        return False
    module = dict.get(namespace, name)
    if type(module) is not ModuleType or len(node.args) > 1:
        return False
    return any(
        module is sys.modules.get(library) and function.attr in readers and function.attr in module_vars(module)
        for library, readers in _READERS.items()
    ) and _OF_READERS.issuperset(keyword.arg for keyword in node.keywords)
