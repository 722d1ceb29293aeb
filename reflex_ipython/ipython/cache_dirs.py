"""Folders where libraries write for themselves: a cache that is written twice is no effect that anybody minds.

`%cd` notes in IPython's own folder where one has been; matplotlib builds its list of fonts when it is first used.
"""

from __future__ import annotations

import functools
import os
from typing import Any


def cache_dirs(shell: Any) -> tuple[str, ...]:
    """Those of this moment, each with a separator at its end."""
    named = (os.environ.get(name, "") for name in ("XDG_CACHE_HOME", "MPLCONFIGDIR"))
    return _folders(os.environ.get("HOME", ""), str(shell.ipython_dir), *named)


@functools.lru_cache(maxsize=1)
def _folders(home: str, *named: str) -> tuple[str, ...]:
    usual = [os.path.expanduser(path) for path in ("~/.cache", "~/.config/matplotlib", "~/Library/Caches")]
    return tuple(os.path.join(path, "") for path in (*filter(None, named), *usual))
