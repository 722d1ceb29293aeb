"""Which files are Python's own or a library's, and not the user's."""

from __future__ import annotations

import functools
import site
import sys
import sysconfig

_COMPILED = (".pyx", ".pxi")  # Cython's: these files are not there


@functools.lru_cache(maxsize=1_000)
def is_library(filename: str) -> bool:
    """Whether a file belongs to Python or to something installed."""
    if filename.startswith("<frozen ") or filename.endswith(_COMPILED):
        return True
    return filename.startswith(_library_folders()) or "site-packages" in filename or "dist-packages" in filename


@functools.lru_cache(maxsize=1)
def _library_folders() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    folders = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    folders += [*site.getsitepackages(), site.getusersitepackages()] if hasattr(site, "getsitepackages") else []
    folders.append(sys.prefix + "/lib/python")
    return tuple(dict.fromkeys(folders))
