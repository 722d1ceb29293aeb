"""Which files are Python's own or a library's, and not the user's: ours are a library's wherever they lie."""

from __future__ import annotations

import functools
import os
import site
import sys

_OURS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")
_COMPILED = (".pyx", ".pxi")  # Cython's: these files are not there


@functools.lru_cache(maxsize=4_096)
def is_library(filename: str) -> bool:
    """Whether a file belongs to Python or to something installed."""
    if filename.startswith("<frozen ") or filename.endswith(_COMPILED):
        return True
    return filename.startswith(_library_folders()) or "-packages" in filename


@functools.lru_cache(maxsize=1)
def _library_folders() -> tuple[str, ...]:
    """It is asked as files are opened, and by then `sysconfig`, which knows, may be reading its own."""
    python = "python{}.{}".format(*sys.version_info[:2])
    prefixes = (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)
    folders = [_OURS, os.path.dirname(os.__file__), *(os.path.join(each, sys.platlibdir, python) for each in prefixes)]
    folders += [*site.getsitepackages(), site.getusersitepackages()] if hasattr(site, "getsitepackages") else []
    return tuple(dict.fromkeys(folders))
