"""Calls of `open`."""

from __future__ import annotations

import ast
import builtins
import io
import sys
from typing import Any

from reflex_ipython.base.classes import module_vars

_READING = frozenset({"r", "rb", "rt", "r+", "rb+", "r+b"})
_KEYWORDS = frozenset({"mode", "encoding", "errors", "newline"})


def is_open(name: str, namespace: dict[str, Any]) -> bool:
    """Whether a name means the `open` of Python, or IPython's, which only refuses the shell's own files."""
    if name != "open":
        return False
    found = dict.get(namespace, name, vars(builtins).get(name))
    shell = sys.modules.get("IPython.core.interactiveshell")
    return found is io.open or (shell is not None and found is module_vars(shell).get("_modified_open"))


def only_reads(node: ast.Call) -> bool:
    """Whether a call of `open` opens a file for reading."""
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    mode = node.args[1] if len(node.args) > 1 else given.get("mode", ast.Constant("r"))
    return _KEYWORDS.issuperset(given) and isinstance(mode, ast.Constant) and mode.value in _READING
