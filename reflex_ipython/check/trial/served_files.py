"""A file whose new text nobody has written: in a copy of the process it is imported as if it had been."""

from __future__ import annotations

import builtins
import io
import linecache
import os
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import Any


def serve(path: str, source: str) -> None:
    """Have imports, and what opens it to read it, find another text in a file. Only in a copy of the process.

    Parameters
    ----------
    path : str
        Absolute.
    source : str
    """
    lines = source.splitlines(keepends=True)
    linecache.cache[path] = len(source), None, lines, path
    loader: Any = SourceFileLoader
    loader.get_code = _get_code(SourceFileLoader.get_code, path, source)
    builtins.open = _open(builtins.open, path, source)


def _get_code(original: Callable[[Any, str], CodeType | None], path: str, source: str) -> Callable[[Any, str], Any]:
    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        if os.path.abspath(self.path) != path:
            return original(self, fullname)
        return self.source_to_code(source.encode(), self.path)

    return get_code


def _open(original: Callable[..., Any], path: str, source: str) -> Callable[..., Any]:
    def open_served(file: Any, mode: str = "r", *arguments: Any, **more: Any) -> Any:
        if mode not in ("r", "rb", "rt") or not isinstance(file, (str, os.PathLike)) or os.path.abspath(file) != path:
            return original(file, mode, *arguments, **more)
        return io.BytesIO(source.encode()) if mode == "rb" else io.StringIO(source)

    return open_served
